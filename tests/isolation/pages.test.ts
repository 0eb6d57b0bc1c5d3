import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sql, { type Sql } from 'sql-template-tag'
import { addStaff } from '../../src/accounts/staff.ts'
import { suppress } from '../../src/resources/consultas/suppress.ts'
import { makeAgencia, needsOf, newMail } from '../support/agencia.ts'
import type { Answer } from '../support/caller.ts'
import { keepConsulta } from '../support/consulta.ts'
import { makeDeveloper } from '../support/developer.ts'
import { makeAccount, type Visitor, visitor } from '../support/people.ts'
import { makePublicacion } from '../support/publicacion.ts'
import { startServer, type TestApp, type TestServer } from '../support/server.ts'
import { makeStaff } from '../support/staff.ts'
import { PAGES, ROLES } from './pages.ts'

describe('isolation: every page, by the role of who asks', () => {
  let server: TestServer
  let app: TestApp
  /** What the path of a page names: things of the agency and of the app. */
  let values: (url: string) => Record<string, string | undefined>
  let visitors: Record<(typeof ROLES)[number], Visitor>

  before(async () => {
    server = await startServer()
    app = await server.newApp()
    const body = JSON.stringify({ Callback: 'https://crm.example/avisos' })
    await app.call('POST', '/v3/appnotificaciones/agencia.registrada', { body })
    const { agencia, mail, account } = await makeAgencia(needsOf(server), app.app)
    const helper = await makeAccount(server, { email: newMail('ayuda') })
    await server.store.query(sql`insert into operadores values (${agencia.id}, ${helper.id}, 'vendedor')`)
    const { sid } = await keepConsulta(server.store, { agencia, fuente: app.app })
    const aviso = await makePublicacion(server.store, app.app, agencia)
    const place = await app.call('POST', `/v3/sucursales/${mail}`, { body: JSON.stringify({ Nombre: 'Centro' }) })
    const developer = await makeDeveloper(server, app)
    const colleague = await makeDeveloper(server, app, { rol: 'desarrollador' })
    const [staff, other] = [await makeStaff(server), await makeStaff(server)]
    const halfway = await makeAccount(server, { email: newMail('medio') })
    await addStaff(server.store, halfway.id)
    const sitio = await server.newSitio()
    const idOf = async (statement: Sql) => String((await server.store.query<{ id: unknown }>(statement))[0]?.id)
    const event = await idOf(sql`select id from events where app_id = ${app.app.id} limit 1`)
    const letter = await idOf(sql`select id from mails order by id limit 1`)
    const secret = await idOf(sql`select id from app_secrets where app_id = ${app.app.id}`)
    await suppress(needsOf(server), { email: 'nadie@correo.test' }, { accountId: null, via: 'comando' })
    const erased = await idOf(sql`select id from suppressions limit 1`)
    const ids: Record<string, string | undefined> = {
      '/consola/agencias/': String(agencia.id),
      '/consola/apps/:appKey/claves/': secret,
      '/consola/apps/:appKey/equipo/': String(colleague.account.id),
      '/consola/correos/': letter,
      '/consola/entregas/': event,
      '/consola/personal/': String(other.account.id),
      '/consola/publicaciones/': String(aviso.id),
      '/consola/sitios/': String(sitio.sitio.id),
      '/consola/supresiones/': erased,
      '/cuenta/sucursales/': place.headers.location?.split('/').at(-1),
      '/cuenta/colaboradores/': String(helper.id),
      '/cuenta/publicaciones/': String(aviso.id),
      '/portal/:appKey/claves/': secret,
      '/portal/:appKey/equipo/': String(colleague.account.id),
      '/portal/:appKey/entregas/': event,
      '/portal/:appKey/eventos/': event,
      '/aviso/': String(aviso.id),
    }
    values = (url) => ({
      appKey: app.app.appKey,
      id: ids[Object.keys(ids).find((prefix) => url.startsWith(`${prefix}:id`)) ?? ''],
      accountId: String(helper.id),
      sid,
      topic: 'agencia.registrada',
      token: 'a'.repeat(43),
      capitulo: 'firmar',
      lenguaje: 'curl',
      archivo: 'rodado.sh',
      nombre: 'no-existe',
    })
    visitors = {
      anonymous: visitor(server),
      agency: await visitor(server).enter(account.email),
      developer: developer.visitor,
      halfway: await visitor(server).enter(halfway.email),
      staff: staff.visitor,
    }
  })
  after(() => server.stop())

  /** What is no page: the APIs, which other tables are about, and what stands in files. */
  const isPage = ({ method, url }: TestServer['routes'][number]) =>
    method === 'GET' && !/^\/(v3|interno|health|assets|\.well-known)(\/|$)/.test(url)

  it('every page has a line, and every line a page', () => {
    const declared = server.routes.filter(isPage).map(({ url }) => url)
    assert.deepEqual(declared.sort(), [...PAGES.keys()].sort())
  })

  for (const [url, expected] of PAGES)
    it(`GET ${url}: what everyone gets`, async () => {
      const at = values(url)
      const path = url.replace(/:(\w+)/g, (_, name: string) => at[name] ?? `missing-${name}`)
      const answers = await Promise.all(ROLES.map(async (role) => [role, told(await visitors[role].get(path))]))
      assert.deepEqual(Object.fromEntries(answers), expected)
    })

  /** A status and where it leads, without what is of this run alone. */
  const told = ({ status, headers: { location } }: Answer) =>
    [status, ...(location ? [location.split('?')[0]?.replace(app.app.appKey, ':appKey')] : [])].join(' ')
})
