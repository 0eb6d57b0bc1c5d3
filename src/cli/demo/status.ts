import sql from 'sql-template-tag'
import { DAY_MS, MINUTE_MS } from '../../clock.ts'
import { LATENCY_LIMITS, PARTS, type Part } from '../../status/heartbeat.ts'
import { addUpdate, createIncident, type Impacto, type NewUpdate, newestIncident } from '../../status/incidents.ts'
import type { Db, Store } from '../../store/db.ts'
import { THREE_MONTHS } from './consultas.ts'

interface PastIncident {
  titulo: string
  impacto: Impacto
  daysAgo: number
  /** The part that did not work meanwhile, for so many minutes. */
  down?: { part: Part; minutes: number }
  updates: [PastUpdate, ...PastUpdate[]]
}

type PastUpdate = NewUpdate & { afterMinutes: number }

/** The last one ended recently. */
const INCIDENTS: PastIncident[] = [
  {
    titulo: 'La API no respondía (demo)',
    impacto: 'mayor',
    daysAgo: 61.4,
    down: { part: 'api', minutes: 13 },
    updates: [
      { afterMinutes: 3, estado: 'investigando', texto: 'La API no responde. Estamos viendo por qué.' },
      { afterMinutes: 9, estado: 'identificado', texto: 'Un disco se llenó. Lo estamos ampliando.' },
      {
        afterMinutes: 21,
        estado: 'resuelto',
        texto:
          'La API responde con normalidad. No se perdió ninguna consulta; las notificaciones pendientes ya salieron.',
      },
    ],
  },
  {
    titulo: 'Demoras en las notificaciones (demo)',
    impacto: 'menor',
    daysAgo: 33.2,
    down: { part: 'entregas', minutes: 34 },
    updates: [
      { afterMinutes: 8, estado: 'investigando', texto: 'Las notificaciones salen con demora. La API funciona.' },
      { afterMinutes: 26, estado: 'identificado', texto: 'Un proceso se detuvo y no se reinició.' },
      { afterMinutes: 38, estado: 'observando', texto: 'Volvió a funcionar. Se están enviando las pendientes.' },
      { afterMinutes: 65, estado: 'resuelto', texto: 'Ya no hay notificaciones pendientes.' },
    ],
  },
  {
    titulo: 'Actualización de la base de datos (demo)',
    impacto: 'mantenimiento',
    daysAgo: 16.1,
    down: { part: 'api', minutes: 4 },
    updates: [
      { afterMinutes: 0, estado: 'observando', texto: 'Actualizamos la base de datos. Puede haber cortes breves.' },
      { afterMinutes: 22, estado: 'resuelto', texto: 'La actualización terminó.' },
    ],
  },
  {
    titulo: 'Fotos que tardaban en aparecer (demo)',
    impacto: 'menor',
    daysAgo: 2.6,
    updates: [
      { afterMinutes: 0, estado: 'investigando', texto: 'Las fotos nuevas tardan en verse en los avisos.' },
      { afterMinutes: 41, estado: 'identificado', texto: 'Un asociado cargó miles de fotos a la vez.' },
      { afterMinutes: 95, estado: 'resuelto', texto: 'Se copiaron todas. Las nuevas se ven en menos de un minuto.' },
    ],
  },
]

/** An incident that was published. */
export interface PublishedIncident {
  id: number
  titulo: string
  daysAgo: number
}

interface PastStatus {
  incidents: PublishedIncident[]
  /** Heartbeats and latencies before this are invented; undefined if none are. */
  until: Date | undefined
}

/**
 * Three months of the status page: incidents, uptime, latency of the apps' deliveries. Nothing where it has a history
 * already, or belongs to a market with agencies of its own.
 */
export async function loadStatus(
  store: Store,
  { apps, agencias, now }: { apps: readonly number[]; agencias: readonly number[]; now: Date },
): Promise<PastStatus> {
  const [found] = await store.query<{ firstAt: Date | null; isUsed: boolean }>(sql`
    select (select min(first_at) from heartbeats) as "firstAt", exists (select from incidents)
      or exists (select from agencias where modo = 'produccion' and id <> all (${agencias}::int[])) as "isUsed"`)
  const until = found?.firstAt ?? now
  if (found?.isUsed || now.getTime() - until.getTime() > DAY_MS) return { incidents: [], until: undefined }
  await loadHeartbeats(store, until, now)
  await loadLatencies(store, apps, until)
  const incidents: PublishedIncident[] = []
  for (const incident of INCIDENTS) incidents.push(await publish(store, incident, now))
  return { incidents, until }
}

const startOf = ({ daysAgo }: PastIncident, now: Date): Date => new Date(now.getTime() - daysAgo * DAY_MS)

/** Every minute of both parts until a server ran here, except those of the incidents. */
async function loadHeartbeats(db: Db, until: Date, now: Date): Promise<void> {
  const outages = INCIDENTS.flatMap((incident) => {
    const from = startOf(incident, now)
    return incident.down
      ? { ...incident.down, from, until: new Date(from.getTime() + incident.down.minutes * MINUTE_MS) }
      : []
  })
  await db.query(sql`
    insert into heartbeats as h (part, hora, minutes, first_at, last_at)
    select part, date_trunc('hour', minute, 'UTC'), bit_or(1::bigint << extract(minute from minute)::int), min(minute), max(minute)
    from unnest(${PARTS}::text[]) as part cross join generate_series(
      date_trunc('hour', ${until}::timestamptz - make_interval(days => ${THREE_MONTHS}), 'UTC'),
      date_trunc('minute', ${until}::timestamptz) - interval '1 minute', interval '1 minute') as minute
    where not exists (
      select from unnest(${outages.map(({ part }) => part)}::text[], ${outages.map(({ from }) => from)}::timestamptz[],
                         ${outages.map((outage) => outage.until)}::timestamptz[]) as outage (of, begins, ends)
      where of = part and minute >= begins and minute < ends)
    group by 1, 2
    on conflict (part, hora) do update set minutes = h.minutes | excluded.minutes`)
}

/** As the worker counts them: deliveries that arrived at the first attempt. */
const loadLatencies = (db: Db, apps: readonly number[], until: Date) =>
  db.query(sql`
    insert into delivery_latency (hora, up_to_ms, deliveries)
    select date_trunc('hour', settled_at, 'UTC'),
      (select min(up_to) from unnest(${LATENCY_LIMITS}::int[]) as up_to
       where extract(epoch from settled_at - created_at) * 1000 <= up_to) as up_to_ms, count(*)
    from deliveries
    where app_id = any (${apps}::int[]) and estado = 'entregada' and attempts = 1
      and settled_at < date_trunc('hour', ${until}::timestamptz, 'UTC')
    group by 1, 2
    on conflict do nothing`)

async function publish(store: Store, incident: PastIncident, now: Date): Promise<PublishedIncident> {
  const { titulo, impacto, daysAgo, updates } = incident
  const [{ estado, texto }, ...later] = updates
  const id = (await createIncident(store, { titulo, impacto, estado, texto }, await newestIncident(store))) as number
  for (const update of later) await addUpdate(store, id, update)
  await store.query(sql`
    with dated as (
      update incident_updates u set created_at = ${startOf(incident, now)}::timestamptz + make_interval(mins => given.minutes)
      from (select id, row_number() over (order by id) as nth from incident_updates where incident_id = ${id}) as published
      join unnest(${updates.map(({ afterMinutes }) => afterMinutes)}::int[]) with ordinality as given (minutes, nth) using (nth)
      where u.id = published.id returning u.created_at)
    update incidents set created_at = (select min(created_at) from dated), ended_at = (select max(created_at) from dated)
    where id = ${id}`)
  return { id, titulo, daysAgo }
}

/** Removes what `loadStatus` stored about the time before `until`. */
export async function removeStatus(tx: Db, until: string): Promise<void> {
  await tx.query(sql`delete from heartbeats where hora < date_trunc('hour', ${until}::timestamptz, 'UTC')`)
  await tx.query(sql`
    update heartbeats set first_at = greatest(first_at, ${until}::timestamptz),
      minutes = minutes & (-1::bigint << extract(minute from ${until}::timestamptz)::int)
    where hora = date_trunc('hour', ${until}::timestamptz, 'UTC')`)
  await tx.query(sql`delete from heartbeats where minutes = 0`)
  await tx.query(sql`delete from delivery_latency where hora < date_trunc('hour', ${until}::timestamptz, 'UTC')`)
}
