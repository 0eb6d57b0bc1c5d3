import { dayOf, isDay } from '../http/dates.ts'
import type { Agencia } from '../resources/agencias/agencia.ts'
import { findPackage, type Package } from '../resources/agencias/packages.ts'
import { findAgenciaByMail } from '../resources/agencias/read.ts'
import { productosEntry } from '../resources/agencias/represent.ts'
import { contract } from '../resources/publicaciones/settle.ts'
import type { Store } from '../store/db.ts'
import { type Io, parse, printJson, readModo, readName, subcommands, UsageError } from './command.ts'
import { withStore } from './with-store.ts'

const USAGE = `Usage:
  rodado paquete set ADMINMAIL --nombre NAME --hasta DAY [--desde DAY] [--alta N] [--media N] [--baja N]
                     [--consultas-de-catalogo] [--modo produccion|prueba] [--json]
  rodado paquete show ADMINMAIL [--modo produccion|prueba] [--json]

What an agency has contracted: how many listings of each exposure, and from which day to which (YYYY-MM-DD, both
included; --desde is today by default). A new package replaces the previous one and applies at once.`

const MOST_LISTINGS = 1_000_000
const COUNTS = ['alta', 'media', 'baja'] as const

/** Sets and shows the packages of agencies. */
export const command = subcommands('paquete', USAGE, { set, show })

const COMMON = { modo: { type: 'string', default: 'produccion' } } as const

async function set(argv: string[], io: Io): Promise<void> {
  const { values, positionals } = parse(argv, {
    ...COMMON,
    nombre: { type: 'string' },
    desde: { type: 'string', default: dayOf(new Date(), io.config.timeZone) },
    hasta: { type: 'string' },
    alta: { type: 'string', default: '0' },
    media: { type: 'string', default: '0' },
    baja: { type: 'string', default: '0' },
    'consultas-de-catalogo': { type: 'boolean', default: false },
  })
  const nombre = readName(values.nombre)
  const hasta = values.hasta ?? ''
  if (!isDay(values.desde)) throw new UsageError('--desde must be a day, YYYY-MM-DD.')
  if (!isDay(hasta)) throw new UsageError('--hasta is needed, a day: YYYY-MM-DD.')
  if (hasta < values.desde) throw new UsageError('--hasta must not be before --desde.')
  const [alta = 0, media = 0, baja = 0] = COUNTS.map((name) => count(name, values[name]))
  const consultasDeCatalogo = values['consultas-de-catalogo']
  const wanted: Package = { nombre, desde: values.desde, hasta, alta, media, baja, consultasDeCatalogo }
  const { config } = io
  await printPackage(io, values, positionals, (store, agencia) =>
    contract({ store, clock: () => new Date(), config }, agencia, wanted),
  )
}

async function show(argv: string[], io: Io): Promise<void> {
  const { values, positionals } = parse(argv, COMMON)
  await printPackage(io, values, positionals)
}

/** Finds the agency, applies the change and prints its package. */
async function printPackage(
  { config, out }: Io,
  { modo, json }: { modo: string; json?: boolean | undefined },
  [adminMail, ...more]: string[],
  act?: (store: Store, agencia: Agencia) => Promise<void>,
): Promise<void> {
  if (!adminMail || more.length > 0) throw new UsageError('give one ADMINMAIL.')
  const inMode = readModo(modo)
  const entry = await withStore(config, async ({ store }) => {
    const agencia = await findAgenciaByMail(store, inMode, adminMail)
    if (!agencia) throw new Error(`there is no agency ${adminMail} in ${modo}.`)
    await act?.(store, agencia)
    const { _links, ...productos } = productosEntry(
      agencia.adminMail,
      await findPackage(store, agencia.id, config.timeZone),
    )
    return { AdminMail: agencia.adminMail, ...productos }
  })
  if (json) printJson(out, entry)
  else out.write(describe(entry))
}

function count(name: string, text: string): number {
  const number = Number(text)
  if (!/^\d{1,7}$/.test(text) || number > MOST_LISTINGS)
    throw new UsageError(`--${name} must be a whole number from 0 to ${MOST_LISTINGS}.`)
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
