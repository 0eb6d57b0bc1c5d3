import { TEXT, UsageError } from '@rodado/cli'
import { byCommand } from '../accounts/audit.ts'
import type { Config } from '../config.ts'
import { dayOf, isDay } from '../http/dates.ts'
import type { Agencia } from '../resources/agencias/agencia.ts'
import { findPaquete, type Paquete } from '../resources/agencias/paquetes.ts'
import { findAgenciaByMail } from '../resources/agencias/read.ts'
import { productosEntry } from '../resources/agencias/represent.ts'
import { applyPaquete } from '../resources/publicaciones/fit-to-paquete.ts'
import type { Store } from '../store/db.ts'
import { defineCommand, MODO, readModo, readName, subcommands } from './command.ts'
import { withStore } from './with-store.ts'

const MAX_PUBLICACIONES = 1_000_000
const COUNT = { type: 'string', default: '0' } as const
const SET_OPTIONS = {
  nombre: TEXT,
  desde: TEXT,
  hasta: TEXT,
  modo: MODO,
  alta: COUNT,
  media: COUNT,
  baja: COUNT,
  'consultas-de-catalogo': { type: 'boolean', default: false },
} as const

/** Sets and shows the packages of agencies. */
export const run = subcommands('paquete', {
  set: defineCommand('ADMINMAIL', SET_OPTIONS, async (values, { config }, adminMail) => {
    const nombre = readName(values.nombre)
    const { desde = dayOf(new Date(), config.timeZone), hasta = '' } = values
    if (!isDay(desde)) throw new UsageError('--desde must be a day, YYYY-MM-DD.')
    if (!isDay(hasta)) throw new UsageError('--hasta is needed, a day: YYYY-MM-DD.')
    if (hasta < desde) throw new UsageError('--hasta must not be before --desde.')
    const counts = {
      alta: count('alta', values.alta),
      media: count('media', values.media),
      baja: count('baja', values.baja),
    }
    const terms: Paquete = { nombre, desde, hasta, ...counts, consultasDeCatalogo: values['consultas-de-catalogo'] }
    return showPaquete(config, values.modo, adminMail, (store, agencia) =>
      applyPaquete(
        { store, clock: () => new Date(), config },
        agencia,
        terms,
        byCommand('agencia.paquete', agencia.adminMail, { ...terms }),
      ),
    )
  }),

  show: defineCommand('ADMINMAIL', { modo: MODO }, ({ modo }, { config }, adminMail) =>
    showPaquete(config, modo, adminMail),
  ),
})

/** Finds the agency, applies the change and describes its package. */
async function showPaquete(
  config: Config,
  modo: string,
  adminMail: string,
  change?: (store: Store, agencia: Agencia) => Promise<void>,
) {
  const inMode = readModo(modo)
  const json = await withStore(config, async ({ store }) => {
    const agencia = await findAgenciaByMail(store, inMode, adminMail)
    if (!agencia) throw new Error(`there is no agency ${adminMail} in ${modo}.`)
    await change?.(store, agencia)
    const found = await findPaquete(store, agencia.id, config.timeZone)
    const { _links, ...productos } = productosEntry(agencia.adminMail, found)
    return { AdminMail: agencia.adminMail, ...productos }
  })
  return { json, text: describe(json) }
}

function count(name: string, text: string): number {
  const number = Number(text)
  if (!/^\d{1,7}$/.test(text) || number > MAX_PUBLICACIONES)
    throw new UsageError(`--${name} must be a whole number from 0 to ${MAX_PUBLICACIONES}.`)
  return number
}

type Shown = Omit<ReturnType<typeof productosEntry>, '_links'> & { AdminMail: string }

function describe({ AdminMail, Paquete, Publicaciones, ConsultasDeCatalogo }: Shown): string {
  const { Nombre, Estado, Desde, Hasta } = Paquete
  const head = Nombre ? `${Nombre}: ${Estado}, from ${Desde} to ${Hasta}` : Estado
  const rows = Publicaciones.map(
    ({ Exposicion, Contratadas, Usadas, Disponibles }) =>
      `  ${Exposicion.padEnd(6)} ${Contratadas} contracted, ${Usadas} used, ${Disponibles} available\n`,
  )
  return `${AdminMail}  ${head}\n${rows.join('')}  Catalogue inquiries: ${ConsultasDeCatalogo ? 'yes' : 'no'}\n`
}
