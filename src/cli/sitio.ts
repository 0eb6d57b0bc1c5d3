import { toTimestamp } from '../http/dates.ts'
import { createSitio, type ListedSitio, listSitios, revokeSitio } from '../sitios/store.ts'
import { parse, parseOptions, printJson, readModo, readName, subcommands, UsageError } from './command.ts'
import { withStore } from './with-store.ts'

const USAGE = `Usage:
  rodado sitio create [--nombre NAME] [--modo produccion|prueba] [--json]
  rodado sitio list [--json]
  rodado sitio revoke ID [--json]                  refused on every node within a second

The marketplace's own site calls /interno with a SitioKey: Authorization: Bearer SITIOKEY.`

/** Creates, lists and revokes the keys of the marketplace's own sites. */
export const command = subcommands('sitio', USAGE, {
  async create(argv, { config, out }) {
    const values = parseOptions(argv, {
      nombre: { type: 'string', default: 'Sitio' },
      modo: { type: 'string', default: 'produccion' },
    })
    const nombre = readName(values.nombre)
    const modo = readModo(values.modo)

    const { sitio, sitioKey } = await withStore(config, ({ store }) => createSitio(store, { nombre, modo }))
    if (values.json) return printJson(out, { SitioKey: sitioKey })
    out.write(`Created ${sitio.nombre} (${sitio.modo}), number ${sitio.id}.\n\n  SitioKey  ${sitioKey}\n\n`)
    out.write('The key is shown only now.\n')
  },

  async list(argv, { config, out }) {
    const values = parseOptions(argv, {})
    const sitios = await withStore(config, ({ store }) => listSitios(store))
    const shown = sitios.map((sitio) => describe(sitio, config.timeZone))
    if (values.json) return printJson(out, shown)
    if (shown.length === 0) out.write('There are no sites yet. Create one: npx rodado sitio create\n')
    for (const { Id, Modo, Revocada, Nombre } of shown)
      out.write(`${String(Id).padStart(4)}  ${Modo.padEnd(10)}  ${Revocada ? 'revoked' : 'active '}  ${Nombre}\n`)
  },

  async revoke(argv, { config, out }) {
    const { values, positionals } = parse(argv, {})
    const [id = '', ...more] = positionals
    if (!/^\d{1,9}$/.test(id) || more.length > 0) throw new UsageError('give one ID, as `rodado sitio list` shows it.')
    const sitio = await withStore(config, ({ store }) => revokeSitio(store, Number(id)))
    if (!sitio) throw new Error('there is no site with that number. `rodado sitio list` shows them all.')
    if (values.json) printJson(out, describe(sitio, config.timeZone))
    else out.write(`${sitio.nombre} is refused on every node within a second.\n`)
  },
})

const describe = ({ id, nombre, modo, creado, revocado }: ListedSitio, timeZone: string) => ({
  Id: id,
  Nombre: nombre,
  Modo: modo,
  Creada: toTimestamp(creado, timeZone),
  Revocada: revocado && toTimestamp(revocado, timeZone),
})
