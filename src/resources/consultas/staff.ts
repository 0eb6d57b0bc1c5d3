import sql, { empty, type Sql } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import type { Db } from '../../store/db.ts'
import { type Cursor, keysetBy, type ResultPage, resultPage } from '../../store/keyset.ts'
import type { Consulta, EstadoConsulta, OrigenLead, TipoAnuncio } from './consulta.ts'
import { personKeys } from './person.ts'
import { showsSource } from './scope.ts'

/** An inquiry in the list that staff sees: what it is about and whose it is, nothing of who asks. */
interface ListedConsulta {
  sid: string
  modo: Modo
  agencia: { id: number; nombre: string; adminMail: string }
  /** The app whose listing it is about; null for a car of the catalogue. */
  app: string | null
  tipoAnuncio: TipoAnuncio
  origenLead: OrigenLead
  auto: string
  estado: EstadoConsulta
  repite: string | null
  suprimida: boolean
}

interface ConsultasFilters {
  sid?: string | undefined
  /** A mail or a telephone, as a whole: who asked. */
  persona?: string | undefined
  agencias?: readonly number[] | undefined
  /** The first sid, and the first one after the last. */
  from?: string | undefined
  until?: string | undefined
}

/** Inquiries of all agencies, newest first. Each way of looking has an index that gives them in this order. */
export async function listConsultasForStaff(
  db: Db,
  filters: ConsultasFilters,
  turn: Cursor,
): Promise<ResultPage<ListedConsulta>> {
  const { order, limit } = keysetBy(sql`c.sid`, turn)
  const rows = await db.query<ListedConsulta>(sql`
    select c.sid, c.modo, json_build_object('id', g.id, 'nombre', g.nombre, 'adminMail', g.admin_mail) as agencia,
      a.nombre as app, c.tipo_anuncio as "tipoAnuncio", c.origen_lead as "origenLead", c.auto, c.estado, c.repite,
      c.suprimida_at is not null as suprimida
    from (${sidsOf(filters, turn)}) page
    join consultas c on c.sid = page.sid
    join agencias g on g.id = c.agencia_id
    left join apps a on a.id = c.fuente
    order by ${order} limit ${limit}`)
  return resultPage(rows, turn)
}

function sidsOf({ sid, persona, agencias, from, until }: ConsultasFilters, turn: Cursor): Sql {
  const { within, order, limit } = keysetBy(sql`c.sid`, turn)
  const chosen = sql`
    ${within} ${from === undefined ? empty : sql`and c.sid >= ${from}`} ${until === undefined ? empty : sql`and c.sid < ${until}`}
    ${sid === undefined ? empty : sql`and c.sid = ${sid}`}`
  const ends = sql`order by ${order} limit ${limit}`
  if (persona !== undefined) {
    const { email, telefono } = personKeys(
      persona.includes('@') ? { Email: persona, Telefono: null } : { Email: '', Telefono: persona },
    )
    const whose = email === null ? sql`c.telefono = ${telefono}` : sql`c.email = ${email}`
    const ofAgency = agencias === undefined ? empty : sql`and c.agencia_id = any (${agencias}::int[])`
    return sql`select c.sid from consultas c where ${whose} and ${chosen} ${ofAgency} ${ends}`
  }
  if (agencias === undefined || sid !== undefined) {
    const ofAgency = agencias === undefined ? empty : sql`and c.agencia_id = any (${agencias}::int[])`
    return sql`select c.sid from consultas c where ${chosen} ${ofAgency} ${ends}`
  }
  // Of each source that the counters name, the newest are read from its index and merged, as an app's list does.
  return sql`
    select newest.sid
    from (select distinct n.agencia_id, n.fuente from consulta_counts n where n.agencia_id = any (${agencias}::int[])) source
    cross join lateral (
      select c.sid from consultas c where c.agencia_id = source.agencia_id and c.fuente = source.fuente and ${chosen} ${ends}
    ) newest`
}

/** Whom an inquiry was told, and how each of these deliveries stands. */
export interface ConsultaTold {
  app: { appKey: string; nombre: string }
  evento: string
  topic: string
  /** Null where the app had no webhook. */
  estado: 'pendiente' | 'entregada' | 'fallida' | 'descartada' | null
  intentos: number
  status: number | null
  error: string | null
}

/** Every app that was told something of an inquiry, oldest first. */
export const tellingsOf = (db: Db, { sid }: Pick<Consulta, 'sid'>): Promise<ConsultaTold[]> =>
  db.query<ConsultaTold>(sql`
    select json_build_object('appKey', a.app_key, 'nombre', a.nombre) as app, e.id as evento, e.topic, d.estado,
      coalesce(d.attempts + d.carried, 0) as intentos, last.status, d.last_error as error
    from events e join apps a on a.id = e.app_id left join deliveries d on d.id = e.id
    left join lateral (
      select t.status from delivery_attempts t where t.delivery_id = e.id order by t.at desc limit 1) last on true
    where e.sid = ${sid} order by e.id`)

/** What the apps may be sent of it anew: those that see it today, whether or not they were told when it came. */
export const appsThatSee = (db: Db, { agenciaId, fuente }: Consulta): Promise<{ appKey: string; nombre: string }[]> =>
  db.query(sql`
    select a.app_key as "appKey", a.nombre from asociaciones s join apps a on a.id = s.app_id
    where s.agencia_id = ${agenciaId} and s.ended_at is null and a.disabled_at is null and ${showsSource(fuente)}
    order by lower(a.nombre)`)

/** Whom an inquiry was told when it came, and how that went. */
export interface Told {
  app: string
  evento: string
  /** Of the delivery; null where the app had no webhook. */
  estado: string | null
  /** What the receiver last answered. */
  status: number | null
  error: string | null
  /** Until when its webhook is left alone, because it only failed: nothing is tried before. */
  pausada: Date | null
}

/** Every app that was told of an inquiry, for whoever runs the house. */
export const toldOf = (db: Db, sid: string): Promise<Told[]> =>
  db.query<Told>(sql`
    select a.nombre as app, e.id as evento, d.estado, last.status, d.last_error as error,
      w.paused_until as pausada
    from events e join apps a on a.id = e.app_id left join deliveries d on d.id = e.id
    left join webhooks w on w.id = d.webhook_id
    left join lateral (select t.status from delivery_attempts t where t.delivery_id = e.id order by t.at desc limit 1) last on true
    where e.sid = ${sid} and e.topic = 'consulta.recibida' order by e.position`)
