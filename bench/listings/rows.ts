import { loadCatalogue } from '../../src/catalogue/load.ts'
import { createMatcher } from '../../src/catalogue/match/matcher.ts'
import { Faults } from '../../src/resources/publicaciones/faults.ts'
import { readDetails } from '../../src/resources/publicaciones/reading.ts'
import { readVehicle } from '../../src/resources/publicaciones/vehicle.ts'
import { searchText } from '../../src/resources/publicaciones/write.ts'

export const BATCH = 500
export const LISTINGS = 5_000
export const BATCHES = LISTINGS / BATCH

const DESCRIPTION =
  'Único dueño, service oficial al día, cubiertas nuevas. Se entrega con verificación y transferencia. ' +
  'Aceptamos permuta y financiamos en cuotas fijas. Consulte por otros colores y versiones. '
const COLOURS = ['blanco', 'Negro', 'gris plata', 'Rojo', 'azul']

/** The stock of a large dealer, as its system exports it; in the second pass every price is another. */
export function stock(pass: 0 | 1) {
  const { modelos } = loadCatalogue('AR')
  const common = modelos.filter(({ nuevo }) => nuevo)
  return Array.from({ length: LISTINGS }, (_, at) => {
    const modelo = common[(at * 7) % common.length]
    return {
      ExternalId: `STOCK-${at}`,
      RefStock: `S-${at}`,
      Marca: (at % 2 ? modelo?.marca.nombre.toUpperCase() : modelo?.marca.nombre) ?? '',
      Modelo: modelo?.nombre ?? '',
      Version: `1.6 Full ${at % 40}`,
      VersionYear: 2012 + (at % 13),
      Kilometraje: 5_000 + ((at * 731) % 180_000),
      Color: COLOURS[at % COLOURS.length] ?? null,
      Propulsion: at % 3 ? 'Nafta' : 'Diesel',
      Transmision: at % 4 ? 'Manual' : 'AT6',
      Precio: { Moneda: 'ARS', Importe: 9_000_000 + ((at * 977) % 30_000) * 1000 + pass },
      Descripcion: DESCRIPTION.repeat(1 + (at % 4)),
      Fotos: Array.from({ length: 8 }, (_, photo) => `https://fotos.example/stock/${at}/${photo}.jpg`),
    }
  })
}

export type StockRow = ReturnType<typeof stock>[number]

const inBatches = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / BATCH) }, (_, at) => rows.slice(at * BATCH, (at + 1) * BATCH))

/** The uploads of a pass, as they are sent. */
export const uploads = (pass: 0 | 1): string[] =>
  inBatches(stock(pass)).map((rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

/** The same rows as they are kept: what the bare statement is given. */
export function keptBatches(pass: 0 | 1, adminMail: string): string[] {
  const matcher = createMatcher(loadCatalogue('AR'), { publicUrl: '' })
  const agencia = { adminMail, operadores: [], regionId: null, region: null, ciudadId: null, ciudad: null }
  return inBatches(stock(pass)).map((rows) =>
    JSON.stringify(
      rows.map((row) => {
        const faults = new Faults()
        const data = {
          ...readVehicle(matcher, row, faults),
          ...readDetails({ matcher, agencia, year: 2026 }, row, faults),
        }
        if (faults.any) throw new Error(JSON.stringify(faults.errors))
        const kept = { ...data, externalId: row.ExternalId, estado: 'Activa', suspensiones: [], exposicion: 'Alta' }
        return { ...kept, exposicionPedida: null, busqueda: searchText(kept) }
      }),
    ),
  )
}
