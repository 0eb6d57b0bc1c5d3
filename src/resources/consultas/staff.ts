import sql, { empty, type Sql } from 'sql-template-tag'
import type { Country } from '../../config.ts'
import type { Db } from '../../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../../store/keyset.ts'
import { deliveryIdsSql } from '../../webhooks/delivery-ids.ts'
import type { Consulta } from './consulta.ts'
import { storedPersonKeys } from './person.ts'
import { showsSource } from './scope.ts'

/** An inquiry in the staff's list, without personal data. */
interface ListedConsulta
  extends Pick<Consulta, 'sid' | 'modo' | 'tipoAnuncio' | 'origenLead' | 'auto' | 'estado' | 'repite'> {
  agencia: { id: number; nombre: string; adminMail: string }
  /** The app whose listing it is about; null for a car of the catalogue. */
  app: string | null
  suprimida: boolean
}

interface ConsultasFilters {
  sid?: string | undefined
  /** The mail or telephone of the person. */
  persona?: string | undefined
  /** Of the market, by which a telephone is understood. */
  country: Country
  agencias?: readonly number[] | undefined
  /** The first sid, and the first one after the last. */
  from?: string | undefined
  until?: string | undefined
}

/** Inquiries of all agencies, newest first. Every filter has an index in this order. */
export async function listConsultasForStaff(
  db: Db,
  filters: ConsultasFilters,
  cursor: Cursor,
): Promise<ResultPage<ListedConsulta>> {
  const { order, limit } = keysetBy(sql`c.sid`, cursor)
  const rows = await db.query<ListedConsulta>(sql`
    select c.sid, c.modo, json_build_object('id', g.id, 'nombre', g.nombre, 'adminMail', g.admin_mail) as agencia,
      a.nombre as app, c.tipo_anuncio as "tipoAnuncio", c.origen_lead as "origenLead", c.auto, c.estado, c.repite,
      c.suprimida_at is not null as suprimida
    from (${sidsOf(filters, cursor)}) page
    join consultas c on c.sid = page.sid
    join agencias g on g.id = c.agencia_id
    left join apps a on a.id = c.fuente
    order by ${order} limit ${limit}`)
  return resultPage(rows, cursor)
}

function sidsOf({ sid, persona, country, agencias, from, until }: ConsultasFilters, cursor: Cursor): Sql {
  const { within, order, limit } = keysetBy(sql`c.sid`, cursor)
  const chosen = sql`
    ${within} ${from === undefined ? empty : sql`and c.sid >= ${from}`} ${until === undefined ? empty : sql`and c.sid < ${until}`}
    ${sid === undefined ? empty : sql`and c.sid = ${sid}`}`
  const ends = sql`order by ${order} limit ${limit}`
  const ofAgencias = agencias === undefined ? empty : sql`and c.agencia_id = any (${agencias}::int[])`
  if (persona !== undefined) {
    const isMail = persona.includes('@')
    const { email, telefonos } = storedPersonKeys(isMail ? { email: persona } : { telefono: persona }, country)
    const whose = isMail ? sql`c.email = ${email}` : sql`c.telefono = any (${telefonos}::text[])`
    return sql`select c.sid from consultas c where ${whose} and ${chosen} ${ofAgencias} ${ends}`
  }
  if (agencias === undefined || sid !== undefined)
    return sql`select c.sid from consultas c where ${chosen} ${ofAgencias} ${ends}`
  // As in an app's list: the newest of each source are read from its index and merged.
  return sql`
    select newest.sid
    from (select distinct n.agencia_id, n.fuente from consulta_counts n where n.agencia_id = any (${agencias}::int[])) source
    cross join lateral (
      select c.sid from consultas c where c.agencia_id = source.agencia_id and c.fuente = source.fuente and ${chosen} ${ends}
    ) newest`
}

/** An event of an inquiry, and the state of its delivery to one webhook. */
export interface Notification {
  app: { appKey: string; nombre: string }
  evento: string
  topic: string
  /** Null if the app had no webhook. */
  estado: 'pendiente' | 'entregada' | 'fallida' | 'descartada' | null
  intentos: number
  /** When it arrived or was given up. */
  terminada: Date | null
  /** The receiver's last response. */
  status: number | null
  error: string | null
  /** Until when the circuit breaker pauses the webhook. */
  pausada: Date | null
}

/** The newest notifications of an inquiry that are shown. An app may change the state of one without end. */
export const MAX_NOTIFICATIONS = 200

export interface Notifications {
  /** Oldest first. */
  notifications: Notification[]
  /** There are older ones. */
  more: boolean
}

export async function newestNotifications(db: Db, { sid }: Pick<Consulta, 'sid'>): Promise<Notifications> {
  const limit = MAX_NOTIFICATIONS + 1
  // Materialized, so that PostgreSQL reads the index by sid, and not the primary key backwards until it has found enough.
  const found = await db.query<Notification>(sql`
    with about as materialized (select id, app_id, topic from events where sid = ${sid})
    select json_build_object('appKey', a.app_key, 'nombre', a.nombre) as app, e.id as evento, e.topic, d.estado,
      coalesce(d.attempts + d.carried, 0) as intentos, d.settled_at as terminada, last.status, d.last_error as error, w.paused_until as pausada
    from (select * from about order by id desc limit ${limit}) e
    join apps a on a.id = e.app_id
    left join deliveries d on d.id = any (${deliveryIdsSql(sql`e.id`)})
    left join webhooks w on w.id = d.webhook_id
    left join lateral (
      select t.status from delivery_attempts t where t.delivery_id = d.id order by t.at desc limit 1) last on true
    order by e.id desc, d.id desc limit ${limit}`)
  return { notifications: found.slice(0, MAX_NOTIFICATIONS).reverse(), more: found.length === limit }
}

/** An app that sees the inquiry today, to which it may be sent again. */
export interface Reader {
  appKey: string
  nombre: string
  /** An event about the inquiry is stored for it. */
  notified: boolean
}

export const appsThatSee = (db: Db, { sid, agenciaId, fuente }: Consulta): Promise<Reader[]> =>
  db.query(sql`
    select a.app_key as "appKey", a.nombre, a.id in (select e.app_id from events e where e.sid = ${sid}) as notified
    from asociaciones s join apps a on a.id = s.app_id
    where s.agencia_id = ${agenciaId} and s.ended_at is null and a.disabled_at is null and ${showsSource(fuente)}
    order by lower(a.nombre)`)
