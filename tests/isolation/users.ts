import sql, { type Sql } from 'sql-template-tag'
import { addStaff } from '../../src/accounts/staff.ts'
import { erasePerson } from '../../src/resources/consultas/erase-person.ts'
import { ulid } from '../../src/ulid.ts'
import { depsOf, makeAgencia, newMail } from '../support/agencia.ts'
import type { Answer } from '../support/caller.ts'
import { insertConsulta } from '../support/consulta.ts'
import { makeDeveloper } from '../support/developer.ts'
import { makePublicacion } from '../support/publicacion.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { makeStaff } from '../support/staff.ts'
import { makeAccount, type Visitor, visitor } from '../support/visitor.ts'
import type { ROLES } from './pages.ts'

/** A user of every role, and the records that pages show. */
export interface Users {
  visitors: Record<(typeof ROLES)[number], Visitor>
  /** The path of a page for these records. */
  pathOf(url: string): string
  /** The path of a page for absent records. */
  absentOf(url: string): string
  /** Status and redirect target, without identifiers of this run. */
  summaryOf(answer: Answer): string
}

/** An absent identifier in the same format. */
const absentLike = (value: string): string =>
  /^\d+$/.test(value) ? '999999' : value.length === 32 ? 'f'.repeat(32) : '01JNG3Y4Z5A6B7C8D9E0F1G2H3'
/** Path parameters that belong to an owner. */
const BELONGING = ['appKey', 'id', 'accountId', 'sid']

/** Creates an app with its team, an agency with its members, staff with and without a second factor, and their records. */
export async function createUsers(server: TestServer, app: TestApp): Promise<Users> {
  const body = JSON.stringify({ Callback: 'https://crm.example/avisos' })
  await app.call('POST', '/v3/appnotificaciones/agencia.registrada', { body })
  const { agencia, mail, account } = await makeAgencia(depsOf(server), app.app)
  const helper = await makeAccount(server, { email: newMail('ayuda') })
  await server.store.query(sql`insert into operadores values (${agencia.id}, ${helper.id}, 'vendedor')`)
  const { sid } = await insertConsulta(server.store, { agencia, fuente: app.app })
  const aviso = await makePublicacion(server.store, app.app, agencia)
  const place = await app.call('POST', `/v3/sucursales/${mail}`, { body: JSON.stringify({ Nombre: 'Centro' }) })
  const developer = await makeDeveloper(server, app)
  const colleague = await makeDeveloper(server, app, { rol: 'desarrollador' })
  const [staff, other] = [await makeStaff(server), await makeStaff(server)]
  const passwordOnly = await makeAccount(server, { email: newMail('medio') })
  await addStaff(server.store, passwordOnly.id)
  const sitio = await server.newSitio()
  const idOf = async (statement: Sql) => String((await server.store.query<{ id: unknown }>(statement))[0]?.id)
  const event = await idOf(sql`select id from events where app_id = ${app.app.id} limit 1`)
  const email = await idOf(sql`select id from mails order by id limit 1`)
  const secret = await idOf(sql`select id from app_secrets where app_id = ${app.app.id}`)
  await erasePerson(depsOf(server), { email: 'nadie@correo.test' }, { accountId: null, via: 'comando' })
  const erased = await idOf(sql`select id from suppressions limit 1`)
  const passkey = await idOf(sql`
    insert into passkeys (account_id, credential_id, public_key, counter, nombre)
    values (${staff.account.id}, gen_random_uuid()::text, '', 0, 'Notebook') returning id`)
  const incident = await idOf(sql`
    with made as (insert into incidents (titulo, impacto) values ('Demoras', 'menor') returning id)
    insert into incident_updates (incident_id, estado, texto) select id, 'investigando', 'Hay demoras.' from made
    returning incident_id as id`)
  const session = await idOf(sql`
    insert into sessions (id, account_id, version, user_agent, opened_at, last_seen_at)
    values (gen_random_uuid(), ${account.id}, ${account.version}, '', now(), now()) returning id`)
  const call = ulid(Date.now())
  await server.store.query(sql`
    insert into app_calls (dia, id, app_id, metodo, ruta, portal, estado, ms)
    values (call_day(now()), ${call}, ${app.app.id}, 'GET', '/v3/colores', false, 200, 1)`)
  const saved = await idOf(sql`
    insert into app_saved_calls (app_id, nombre, metodo, ruta, cuerpo, accept, etag)
    values (${app.app.id}, 'isolation', 'GET', '/v3/colores', '', '', '') returning id`)
  const ids: Record<string, string | undefined> = {
    '/consola/agencias/': String(agencia.id),
    '/consola/apps/:appKey/claves/': secret,
    '/consola/apps/:appKey/equipo/': String(colleague.account.id),
    '/consola/correos/': email,
    '/consola/entregas/': event,
    '/consola/incidentes/': incident,
    '/consola/personal/': String(other.account.id),
    '/consola/publicaciones/': String(aviso.id),
    '/consola/sitios/': String(sitio.sitio.id),
    '/consola/supresiones/': erased,
    '/cuenta/llaves/': passkey,
    '/cuenta/sesiones/': session,
    '/cuenta/sucursales/': place.headers.location?.split('/').at(-1),
    '/cuenta/colaboradores/': String(helper.id),
    '/cuenta/publicaciones/': String(aviso.id),
    '/portal/:appKey/claves/': secret,
    '/portal/:appKey/equipo/': String(colleague.account.id),
    '/portal/:appKey/entregas/': event,
    '/portal/:appKey/eventos/': event,
    '/portal/:appKey/llamadas/': call,
    '/portal/:appKey/probar/guardadas/': saved,
    '/aviso/': String(aviso.id),
  }
  const values = (url: string): Record<string, string | undefined> => ({
    appKey: app.app.appKey,
    id: ids[Object.keys(ids).find((prefix) => url.startsWith(`${prefix}:id`)) ?? ''],
    accountId: String(helper.id),
    sid,
    topic: 'agencia.registrada',
    destino: '1',
    token: 'a'.repeat(43),
    capitulo: 'firmar',
    lenguaje: 'curl',
    archivo: 'rodado.sh',
    nombre: 'no-existe',
    codigo: 'muy-corto',
    dibujo: 'sedan-ffffff-1.svg',
  })
  const visitors = {
    anonymous: visitor(server),
    agency: await visitor(server).enter(account.email),
    vendedor: await visitor(server).enter(helper.email),
    developer: developer.visitor,
    desarrollador: colleague.visitor,
    passwordOnly: await visitor(server).enter(passwordOnly.email),
    staff: staff.visitor,
  }
  function pathWith(url: string, change: (name: string, value: string) => string): string {
    const at = values(url)
    return url.replace(/:(\w+)/g, (_, name: string) => change(name, at[name] ?? `missing-${name}`))
  }
  return {
    visitors,
    pathOf: (url) => pathWith(url, (_, value) => value),
    absentOf: (url) => pathWith(url, (name, value) => (BELONGING.includes(name) ? absentLike(value) : value)),
    summaryOf: ({ status, headers: { location } }) =>
      [status, ...(location ? [location.split('?')[0]?.replace(app.app.appKey, ':appKey')] : [])].join(' '),
  }
}
