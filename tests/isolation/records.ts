import sql from 'sql-template-tag'
import { setPaquete } from '../../src/resources/agencias/paquetes.ts'
import { ulid } from '../../src/ulid.ts'
import { depsOf, makeAgencia, newMail } from '../support/agencia.ts'
import { insertConsulta } from '../support/consulta.ts'
import { LARGE_PAQUETE } from '../support/listing.ts'
import { makePublicacion } from '../support/publicacion.ts'
import type { TestApp, TestServer } from '../support/server.ts'
import { makeAccount } from '../support/visitor.ts'

/** Every identifier of an agency's records. */
export interface Records {
  id: number
  mail: string
  /** A seller of the agency, by address and by account. */
  helper: string
  person: string
  sid: string
  /** The listing, by the app's own id and by its public number. */
  ext: string
  aviso: string
  /** A branch. */
  place: string
  /** An event, and so a delivery, about the agency. */
  event: string
  /** A call of the app, and one that it saved. */
  call: string
  saved: string
}

/** Identifiers that do not exist, in the same format and length. */
export const ABSENT: Records = {
  id: 0,
  mail: 'zzz1@agencia.test',
  helper: 'zzzzz1@agencia.test',
  person: '999999',
  sid: '01JNG3Y4Z5A6B7C8D9E0F1G2H3',
  ext: 'NO-1',
  aviso: '999999',
  place: '999999',
  event: '01JNG3Y4Z5A6B7C8D9E0F1G2H3',
  call: '01JNG3Y4Z5A6B7C8D9E0F1G2H3',
  saved: '999999',
}

/** Absent too, for bodies: an address in a body may be invited and then exists. */
export const ABSENT_SO_FAR: Records = {
  ...ABSENT,
  mail: 'zzz3@agencia.test',
  helper: 'zzzzz3@agencia.test',
  ext: 'NO-3',
}

/** Creates an agency with a seller, package, listing, inquiry, branch and event. `mark` is part of all its texts. */
export async function createRecords(server: TestServer, app: TestApp, mark = ''): Promise<Records> {
  const { store } = server
  const { agencia, mail } = await makeAgencia(depsOf(server), app.app, mark ? { Nombre: mark } : {})
  const named = mark && { nombre: mark }
  const helper = await makeAccount(server, { email: newMail('ayuda'), modo: app.app.modo, ...named })
  await store.query(sql`insert into operadores values (${agencia.id}, ${helper.id}, 'vendedor')`)
  await setPaquete(store, agencia.id, { ...LARGE_PAQUETE, ...named })
  const operador = helper.email
  const aviso = await makePublicacion(store, app.app, agencia, { operador, ...(mark && { descripcion: mark }) })
  const { externalId } = aviso
  // Another person than that of other agencies: staff may erase a person everywhere.
  const interesado = mark ? { Comentario: mark, Nombre: mark, Email: 'zorzal@correo.test' } : {}
  const { sid } = await insertConsulta(store, { agencia, fuente: app.app, externalId, interesado, operador })
  const body = JSON.stringify({ Nombre: mark || 'Casa central' })
  const place = await app.call('POST', `/v3/sucursales/${mail}`, { body })
  const [event] = await store.query<{ id: string }>(sql`select id from events where agencia_id = ${agencia.id} limit 1`)
  const call = ulid(Date.now())
  await store.query(sql`
    insert into app_calls (dia, id, app_id, agencia_id, metodo, ruta, portal, estado, ms)
    values (call_day(now()), ${call}, ${app.app.id}, ${agencia.id}, 'GET', ${`/v3/consultas/{agencia}/${sid}`}, true, 200, 1)`)
  const [saved] = await store.query<{ id: number }>(sql`
    insert into app_saved_calls (app_id, nombre, metodo, ruta, cuerpo, accept, etag)
    values (${app.app.id}, ${`${mark} ${sid}`}, 'GET', '/v3/colores', '', '', '') returning id`)
  return {
    call,
    saved: String(saved?.id),
    id: agencia.id,
    mail,
    helper: helper.email,
    person: String(helper.id),
    sid,
    ext: externalId,
    aviso: String(aviso.id),
    place: place.headers.location?.split('/').at(-1) ?? '',
    event: event?.id ?? '',
  }
}
