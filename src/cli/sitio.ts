import { TEXT, UsageError } from '@rodado/cli'
import { audit, byCommand } from '../accounts/audit.ts'
import { toTimestamp } from '../http/dates.ts'
import { createSitio, type ListedSitio, listSitios, revokeSitio } from '../sitios/store.ts'
import { defineCommand, MODO, readModo, readName, subcommands } from './command.ts'
import { withStore } from './with-store.ts'

const OPTIONS = { nombre: { ...TEXT, default: 'Sitio' }, modo: MODO }

/** Creates, lists and revokes the keys of the marketplace's own sites. */
export const run = subcommands('sitio', {
  create: defineCommand('', OPTIONS, async (values, { config }) => {
    const nombre = readName(values.nombre)
    const modo = readModo(values.modo)
    const { sitio, sitioKey } = await withStore(config, ({ store }) =>
      store.transaction(async (tx) => {
        const created = await createSitio(tx, { nombre, modo })
        await audit(tx, byCommand('sitio.crear', String(created.sitio.id), { nombre, modo }))
        return created
      }),
    )
    const line = `Created ${sitio.nombre} (${sitio.modo}), number ${sitio.id}.`
    return { json: { SitioKey: sitioKey }, text: `${line}\n\n  SitioKey  ${sitioKey}\n\nThe key is shown only now.\n` }
  }),

  list: defineCommand('', {}, async (_values, { config }) => {
    const sitios = await withStore(config, ({ store }) => listSitios(store))
    const json = sitios.map((sitio) => describe(sitio, config.timeZone))
    const lines = json.map(
      ({ Id, Modo, Revocada, Nombre }) =>
        `${String(Id).padStart(4)}  ${Modo.padEnd(10)}  ${Revocada ? 'revoked' : 'active '}  ${Nombre}\n`,
    )
    return { json, text: lines.join('') || 'There are no sites yet. Create one: npx rodado sitio create\n' }
  }),

  revoke: defineCommand('ID', {}, async (_values, { config }, id) => {
    if (!/^\d{1,9}$/.test(id)) throw new UsageError('the ID is a number, as `rodado sitio list` shows it.')
    const sitio = await withStore(config, ({ store }) =>
      store.transaction(async (tx) => {
        const revoked = await revokeSitio(tx, Number(id))
        if (revoked) await audit(tx, byCommand('sitio.revocar', id))
        return revoked
      }),
    )
    if (!sitio) throw new Error('there is no site with that number. `rodado sitio list` shows them all.')
    return {
      json: describe(sitio, config.timeZone),
      text: `${sitio.nombre} is refused on every node within a second.\n`,
    }
  }),
})

const describe = ({ id, nombre, modo, creado, revocado }: ListedSitio, timeZone: string) => ({
  Id: id,
  Nombre: nombre,
  Modo: modo,
  Creada: toTimestamp(creado, timeZone),
  Revocada: revocado && toTimestamp(revocado, timeZone),
})
