import sql, { type Sql } from 'sql-template-tag'
import type { Modo } from '../../apps/app.ts'
import { DAY_MS } from '../../clock.ts'
import type { Country } from '../../config.ts'
import { type IdempotencyKey, notExpired, OWN_FORM_SITIO, type UsedKey } from '../../http/idempotency.ts'
import type { Db } from '../../store/db.ts'
import { opaqueText, opaqueTexts } from '../../store/prepared.ts'
import { firstUlid } from '../../ulid.ts'
import { SHARES } from '../agencias/inbox.ts'
import { agenciaWithMail } from '../agencias/read.ts'
import type { Publicacion } from '../publicaciones/publicacion.ts'
import type { PublishedAuto } from './auto.ts'
import { CATALOGO, type ConsultaCreate } from './consulta.ts'
import { dayOfMonth, monthOf } from './counts.ts'
import { type Interesado, personKeys } from './person.ts'
import type { Sharer } from './rotation.ts'
import { showsSource } from './scope.ts'

const REPEATS_MS = DAY_MS // the same person on the same listing within 24 h

export interface Origin {
  modo: Modo
  /** The marketplace's site that sends it; null: this server's own form. */
  sitioId: number | null
  idempotencyKey?: IdempotencyKey | undefined
  /** The version of the text that the person agreed to. */
  consentimiento?: string
  /** The W3C trace that it belongs to. */
  traceparent?: string | undefined
}

/** What an inquiry is about: a listing by its number or by the partner's id, or a car of the catalogue. */
export type Subject =
  | { aviso: number }
  | { adminMail: string; externalId: string }
  | { adminMail: string; catalogo: NonNullable<ConsultaCreate['Catalogo']> }

export interface Lookup {
  origin: Origin
  subject: Subject
  interesado: Interesado
}

/** An agency, perhaps with a listing, that the subject may mean, with all that storing the inquiry needs. */
export interface AgenciaCandidate extends PublishedAuto {
  agenciaId: number
  adminMail: string
  agencia: string
  /** The mails of those who work there, the administrator first. */
  operadores: string[]
  /** Who shares new inquiries by the agency's rule; null if it has none. */
  sharers: Sharer[] | null
  /** The apps that would see the inquiry, oldest association first. */
  apps: number[]
  /** The first inquiry by the same person about it within a day. */
  repite: string | null
  /** Null if the agency has no such listing, or the subject is a car of the catalogue. */
  publicacionId: number | null
  appId: number | null
  estado: Publicacion['estado'] | null
  operador: string | null
}

interface LookupResult {
  used: UsedKey | undefined
  candidates: AgenciaCandidate[]
}

type Row = AgenciaCandidate & { nth: number; usedSid: string | null; usedDigest: Buffer }

interface LookupOptions {
  /** Says what lies within a day. */
  now: Date
  /** Today in TIME_ZONE. */
  day: string
  country: Country
}

/** Looks several inquiries up in one statement. */
export async function lookUp(db: Db, lookups: Lookup[], { now, day, country }: LookupOptions): Promise<LookupResult[]> {
  const rows = await db.query<Row>(
    sql`/* look up consultas */
      select given.nth::int, used.sid as "usedSid", used.digest as "usedDigest", candidate.*
      from ${tableOf(lookups, country)}
      left join lateral (
        select * from idempotency_keys used
        where given.key is not null and used.sitio_id = given.sitio_id and used.key = given.key and ${notExpired(sql`used`)}
        offset 0 -- so that nothing is read where no key was given
      ) as used on true
      left join lateral (${candidates(now, day)}) as candidate on true`,
    'keep-plan',
  )
  return lookups.map((_, index) => {
    const own = rows.filter(({ nth }) => nth === index + 1)
    const [first] = own
    return {
      used: first?.usedSid ? { sid: first.usedSid, digest: first.usedDigest } : undefined,
      candidates: own.filter(({ agenciaId }) => agenciaId !== null),
    }
  })
}

function tableOf(lookups: Lookup[], country: Country): Sql {
  const subjects = lookups.map(({ subject }) => ({
    aviso: 'aviso' in subject ? subject.aviso : null,
    adminMail: 'aviso' in subject ? null : subject.adminMail,
    externalId: 'externalId' in subject ? subject.externalId : null,
  }))
  const keys = lookups.map(({ interesado }) => personKeys(interesado, country))
  return sql`unnest(
    ${opaqueTexts(lookups.map(({ origin }) => origin.modo))}, ${subjects.map(({ aviso }) => aviso)}::int[],
    ${subjects.map(({ adminMail }) => adminMail?.toLowerCase() ?? null)}::text[],
    ${subjects.map(({ externalId }) => externalId)}::text[], ${keys.map(({ email }) => email)}::text[],
    ${keys.map(({ telefono }) => telefono)}::text[], ${lookups.map(({ origin }) => origin.sitioId ?? OWN_FORM_SITIO)}::int[],
    ${lookups.map(({ origin }) => origin.idempotencyKey?.value ?? null)}::text[]
  ) with ordinality as given (modo, aviso, admin_mail, external_id, email, telefono, sitio_id, key, nth)`
}

const candidates = (now: Date, day: string): Sql => sql`
  select "agenciaId", "adminMail", agencia, recipients.emails as operadores,
    case when recipients.share then (${sharers(day)}) end as sharers, -- most agencies have nobody who takes part
    array(select s.app_id from asociaciones s
          where s.agencia_id = "agenciaId" and s.ended_at is null and ${showsSource(sql`coalesce("appId", ${CATALOGO})`)}
          order by s.id) as apps,
    ${firstByPerson(now)} as repite,
    "publicacionId", "appId", estado, operador, "externalId", "refStock", marca, modelo, version, "versionYear",
    kilometraje, color, carroceria, "precioMoneda", "precioImporte"
  from (${MATCHES}) as match cross join lateral (
    select coalesce(array_agg(c.email order by o.rol, c.email), '{}') as emails, bool_or(${SHARES}) as share
    from operadores o join accounts c on c.id = o.account_id where o.agencia_id = "agenciaId"
  ) as recipients`

/** Whose branch is in the listing's city or region, and how many inquiries each got today. */
const sharers = (day: string): Sql => sql`
  select json_agg(json_build_object(
    'email', c.email,
    'near', case when b.regla <> 'sucursal' then 0 when s.ciudad_id = "ciudadId" then 2 when s.region_id = "regionId" then 1 else 0 end,
    'today', (select coalesce(sum(n.dias[${dayOfMonth(day)}::int]), 0) from consulta_counts n
              where n.agencia_id = b.agencia_id and n.mes = ${opaqueText(monthOf(day))}::date and n.operador = c.email)
    ) order by c.email)
  from inbox_settings b join operadores o on o.agencia_id = b.agencia_id join accounts c on c.id = o.account_id
  left join sucursales s on s.id = o.sucursal_id
  where b.agencia_id = "agenciaId" and b.regla <> 'ninguna' and ${SHARES}`

const AGENCIA = sql`g.id as "agenciaId", g.admin_mail as "adminMail", g.nombre as agencia`

const PUBLICACION = sql`
  p.id as "publicacionId", p.app_id as "appId", p.estado, p.operador, p.external_id as "externalId",
  p.ref_stock as "refStock", p.marca, p.modelo, p.version, p.version_year as "versionYear", p.kilometraje, p.color,
  p.carroceria, p.precio_moneda as "precioMoneda", p.precio_importe::float8 as "precioImporte",
  p.ciudad_id as "ciudadId", p.region_id as "regionId"`

/** The listing by its number; or the agency by its mail, present or former, with the listing that has that ExternalId. */
const MATCHES: Sql = sql`
  select ${AGENCIA}, ${PUBLICACION} from publicaciones p join agencias g on g.id = p.agencia_id
  where p.id = given.aviso and p.modo = given.modo
  union all
  select ${AGENCIA}, listed.*
  from (${agenciaWithMail(sql`given.modo`, sql`given.admin_mail`)}) as g
  left join lateral (
    -- Of each app: the listing that is not archived, or else the last archived one.
    select distinct on (p.app_id) ${PUBLICACION} from publicaciones p
    where p.agencia_id = g.id and lower(p.external_id) = lower(given.external_id)
    order by p.app_id, p.estado = 'Archivada', p.id desc) as listed on true
  where given.admin_mail is not null`

/** The first inquiry by the same person, by mail or telephone, about the listing in the last day. */
const firstByPerson = (now: Date): Sql => {
  const [from, until] = [now.getTime() - REPEATS_MS, now.getTime() + REPEATS_MS].map((ms) => firstUlid(new Date(ms)))
  // Both ends, so that PostgreSQL reads the partitions of this day only; the clocks of nodes differ by less than a day.
  const recent = sql`c.publicacion_id = "publicacionId" and c.sid >= ${opaqueText(from)} and c.sid < ${opaqueText(until)}`
  return sql`least(
    (select c.sid from consultas c where c.email = given.email and ${recent} order by c.sid limit 1),
    (select c.sid from consultas c where c.telefono = given.telefono and ${recent} order by c.sid limit 1))`
}
