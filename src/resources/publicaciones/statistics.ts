import sql from 'sql-template-tag'
import Type, { type Static } from 'typebox'
import { daysBetween, type Period, startOfDay } from '../../http/dates.ts'
import { type IdempotencyKey, keyReused, notExpired, sameBody, type UsedKey } from '../../http/idempotency.ts'
import { link, withQuery } from '../../http/links.ts'
import { Count, PERIOD } from '../../http/schemas.ts'
import { message } from '../../i18n/messages.tsx'
import type { Sitio } from '../../sitios/store.ts'
import type { Db } from '../../store/db.ts'
import { firstUlid, ulidRange } from '../../ulid.ts'
import { type Publicacion, publicacionHref } from './publicacion.ts'
import { keyOf } from './read.ts'

const Day = Type.String({ format: 'date', examples: ['2026-03-04'] })

export const EstadisticasQuery = Type.Object(PERIOD)
export type EstadisticasQuery = Static<typeof EstadisticasQuery>

export const PublicacionEstadisticas = Type.Object(
  {
    Desde: Day,
    Hasta: Day,
    Visitas: Count,
    Consultas: Count,
    Dias: Type.Array(Type.Object({ Dia: Day, Visitas: Count, Consultas: Count })),
    _links: Type.Ref('Links'),
  },
  { $id: 'PublicacionEstadisticas' },
)

export function estadisticasEntry(
  row: Publicacion,
  adminMail: string,
  query: EstadisticasQuery,
  days: DayOfPublicacion[],
) {
  const self = publicacionHref(adminMail, row.externalId)
  const sum = (of: 'visitas' | 'consultas') => days.reduce((total, day) => total + day[of], 0)
  return {
    Desde: days[0]?.dia ?? null,
    Hasta: days.at(-1)?.dia ?? null,
    Visitas: sum('visitas'),
    Consultas: sum('consultas'),
    Dias: days.map(({ dia, visitas, consultas }) => ({ Dia: dia, Visitas: visitas, Consultas: consultas })),
    _links: {
      self: link(withQuery(`${self}/estadisticas`, query)),
      buscar: link(`${self}/estadisticas?desde={desde}&hasta={hasta}`),
      publicacion: link(self),
    },
  }
}

interface DayOfPublicacion {
  dia: string
  visitas: number
  consultas: number
}

export async function statisticsOf(
  db: Db,
  { id, agenciaId, appId, externalId }: Publicacion,
  period: Period,
  timeZone: string,
): Promise<DayOfPublicacion[]> {
  const { fromSid, untilSid } = ulidRange(period)
  const days = daysBetween(period.desde, period.hasta)
  const starts = days.map((day) => firstUlid(startOfDay(day, timeZone)))
  return db.query<DayOfPublicacion>(sql`
    select days.dia, coalesce(v.cantidad, 0)::int8 as visitas, coalesce(received.count, 0)::int8 as consultas
    from unnest(${days}::text[]) with ordinality as days (dia, number)
    left join visitas v on v.publicacion_id = ${id} and v.dia = days.dia::date
    left join (
      select width_bucket(sid, ${starts}::text[] collate "C") as number, count(*)
      from consultas
      where agencia_id = ${agenciaId} and external_key = ${keyOf(externalId)} and fuente = ${appId}
        and sid >= ${fromSid} and sid < ${untilSid} and publicacion_id = ${id}
      group by 1
    ) received on received.number = days.number
    order by days.number`)
}

interface Visits {
  aviso: number
  /** In TIME_ZONE. */
  dia: string
  cantidad: number
}

/** The site that reports visits, and its idempotency key. */
interface VisitsOrigin {
  sitio: Pick<Sitio, 'id' | 'modo'>
  key: IdempotencyKey | undefined
}

/** Keys of inquiries have no space, so the two never collide. */
const visitsKey = ({ value }: IdempotencyKey): string => `visitas ${value}`

/** Counts visits of listings, once per idempotency key; returns the numbers of unknown listings. */
export async function countVisits(db: Db, { sitio, key }: VisitsOrigin, visits: Visits[]): Promise<number[]> {
  const claimed = key
    ? sql`insert into idempotency_keys (sitio_id, key, digest, sid)
          values (${sitio.id}, ${visitsKey(key)}, ${key.digest}, '')
          on conflict (sitio_id, key) do update
            set digest = excluded.digest, created_at = now() where not (${notExpired(sql`idempotency_keys`)})
          returning true`
    : sql`select true`
  const [result] = await db.query<{ known: number[]; claimed: boolean }>(sql`
    with claimed as (${claimed}),
    known as materialized (
      select p.id, v.dia, sum(v.cantidad) as cantidad
      from json_to_recordset(${JSON.stringify(visits)}) as v (aviso int, dia date, cantidad bigint)
      join publicaciones p on p.id = v.aviso and p.modo = ${sitio.modo}
      group by p.id, v.dia
    ), counted as (
      insert into visitas (publicacion_id, dia, cantidad)
      select id, dia, cantidad from known where exists (select from claimed)
      order by id, dia -- the same order everywhere prevents deadlocks
      on conflict (publicacion_id, dia) do update set cantidad = visitas.cantidad + excluded.cantidad
    )
    select array(select distinct id from known) as known, exists (select from claimed) as claimed`)
  if (key && !result?.claimed) await refuseOther(db, sitio, key)
  const known = new Set(result?.known)
  return [...new Set(visits.map(({ aviso }) => aviso))].filter((aviso) => !known.has(aviso))
}

async function refuseOther(db: Db, sitio: VisitsOrigin['sitio'], key: IdempotencyKey): Promise<void> {
  const [used] = await db.query<UsedKey>(sql`
    select sid, digest from idempotency_keys where sitio_id = ${sitio.id} and key = ${visitsKey(key)}`)
  if (used && !sameBody(key, used)) throw keyReused(message('problema.keyReusedVisits'))
}
