import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../store/db.ts'
import { unseen, unseenList } from '../../store/unseen.ts'
import { firstUlid } from '../../webhooks/ulid.ts'
import { agenciaIdOf } from '../agencias/store.ts'
import type { Publicacion } from '../publicaciones/publicacion.ts'
import type { About } from './about.ts'
import type { Listing } from './auto.ts'
import { CATALOGO, type Interesado } from './consulta.ts'
import { FRESH, OWN_FORM, type Used } from './idempotency.ts'
import type { Origin } from './keep.ts'
import { keysOf } from './person.ts'
import { showsSource } from './sight.ts'

const REPEATS_MS = 24 * 3_600_000 // the same person on the same listing within 24 h

/** What has to be known before an inquiry is kept. */
export interface Question {
  origin: Origin
  about: About
  interesado: Interesado
}

/** One thing that may be meant, with all that receiving an inquiry about it has to know. */
export interface Candidate extends Listing {
  agenciaId: number
  adminMail: string
  agencia: string
  /** Who works there, the administrator first. */
  operadores: string[]
  /** The apps that would see it, in the order they came. */
  apps: number[]
  /** The first inquiry by the same person about it within a day. */
  repite: string | null
  /** Null where the agency is known and the listing is not, or where none was asked for. */
  publicacionId: number | null
  appId: number | null
  estado: Publicacion['estado'] | null
  operador: string | null
}

export interface Answer {
  /** What was received before under the same key. */
  used: Used | undefined
  candidates: Candidate[]
}

type Row = Candidate & { at: number; usedSid: string | null; usedDigest: Buffer }

/** Answers several questions in one statement; `now` says what lies within a day. */
export async function lookUp(db: Db, questions: Question[], now: Date): Promise<Answer[]> {
  const rows = await db.query<Row>(
    sql`
      select asked.at::int, used.sid as "usedSid", used.digest as "usedDigest", candidate.*
      from ${asked(questions)}
      left join idempotency_keys used on used.sitio_id = asked.sitio_id and used.key = asked.key and ${FRESH(sql`used`)}
      left join lateral (${candidates(now)}) as candidate on true`,
    'keep-plan',
  )
  return questions.map((_, index) => {
    const own = rows.filter(({ at }) => at === index + 1)
    const [first] = own
    return {
      used: first?.usedSid ? { sid: first.usedSid, digest: first.usedDigest } : undefined,
      candidates: own.filter(({ agenciaId }) => agenciaId !== null),
    }
  })
}

function asked(questions: Question[]): Sql {
  const about = questions.map(({ about }) => ({
    aviso: 'aviso' in about ? about.aviso : null,
    adminMail: 'aviso' in about ? null : about.adminMail,
    externalId: 'externalId' in about ? about.externalId : null,
  }))
  const keys = questions.map(({ interesado }) => keysOf(interesado))
  return sql`unnest(
    ${unseenList(questions.map(({ origin }) => origin.modo))}, ${about.map(({ aviso }) => aviso)}::int[],
    ${about.map(({ adminMail }) => adminMail?.toLowerCase() ?? null)}::text[],
    ${about.map(({ externalId }) => externalId)}::text[], ${keys.map(({ email }) => email)}::text[],
    ${keys.map(({ telefono }) => telefono)}::text[], ${questions.map(({ origin }) => origin.sitioId ?? OWN_FORM)}::int[],
    ${questions.map(({ origin }) => origin.once?.key ?? null)}::text[]
  ) with ordinality as asked (modo, aviso, admin_mail, external_id, email, telefono, sitio_id, key, at)`
}

const candidates = (now: Date): Sql => sql`
  select g.id as "agenciaId", g.admin_mail as "adminMail", g.nombre as agencia,
    array(select c.email from operadores o join accounts c on c.id = o.account_id
          where o.agencia_id = g.id order by o.rol, c.email) as operadores,
    array(select s.app_id from asociaciones s
          where s.agencia_id = g.id and s.ended_at is null and ${showsSource(sql`coalesce(p.app_id, ${CATALOGO})`)}
          order by s.id) as apps,
    ${firstByPerson(now)} as repite,
    p.id as "publicacionId", p.app_id as "appId", p.estado, p.operador, p.external_id as "externalId",
    p.ref_stock as "refStock", p.marca, p.modelo, p.version, p.version_year as "versionYear", p.kilometraje, p.color,
    p.carroceria, p.precio_moneda as "precioMoneda", p.precio_importe::float8 as "precioImporte"
  from (${meant}) as meant
  join agencias g on g.id = meant.agencia_id
  left join publicaciones p on p.id = meant.publicacion_id`

/** The listing by its number; or the agency by its mail, with the listing that has that ExternalId. */
const meant: Sql = sql`
  select p.agencia_id, p.id as publicacion_id from publicaciones p where p.id = asked.aviso and p.modo = asked.modo
  union all
  select named.agencia_id, known.id
  from (select ${agenciaIdOf(sql`asked.modo`, sql`asked.admin_mail`)} as agencia_id) as named
  left join lateral (
    -- Each app's: the one that lives, or else the last that was archived.
    select distinct on (x.app_id) x.id from publicaciones x
    where x.agencia_id = named.agencia_id and lower(x.external_id) = lower(asked.external_id)
    order by x.app_id, x.estado = 'Archivada', x.id desc) as known on true
  where named.agencia_id is not null`

/** The first inquiry by the same person, by mail or telephone, about the listing in the last day. */
const firstByPerson = (now: Date): Sql => {
  const recent = sql`c.publicacion_id = p.id and c.sid >= ${unseen(firstUlid(new Date(now.getTime() - REPEATS_MS)))}`
  return sql`least(
    (select c.sid from consultas c where c.email = asked.email and ${recent} order by c.sid limit 1),
    (select c.sid from consultas c where c.telefono = asked.telefono and ${recent} order by c.sid limit 1))`
}
