import sql, { raw } from 'sql-template-tag'
import { openStore, type Store } from '../../src/store/db.ts'
import { makeDeveloper } from '../../tests/support/developer.ts'
import { startServer } from '../../tests/support/server.ts'
import { makeStaff } from '../../tests/support/staff.ts'
import { openClient } from '../database.ts'
import { needRoomFor } from '../inquiries/load.ts'
import type { Dealer } from '../inquiries/rows.ts'
import type { Installation } from '../installation.ts'
import { withoutIndexes } from '../without-indexes.ts'
import type { Who } from './pages.ts'

const LOADED = ['events', 'deliveries', 'delivery_attempts']

/** In parts, each within the time that one statement has. */
const PART = 25_000

const DAYS = 90
const TOPICS = ['consulta.recibida', 'consulta.modificada', 'agencia.modificada']
/** Of a thousand deliveries: what was given up, discarded, or still waits; the rest arrived. */
const [FAILED, DISCARDED, WAITING] = [10, 5, 2]

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID of that millisecond, with chance in hexadecimal digits, which are a ULID's too. */
const ulidAt = (ms: string) => {
  const digit = (place: number) => `substr('${DIGITS}', (${ms} >> ${place * 5} & 31)::int + 1, 1)`
  const time = Array.from({ length: 10 }, (_, at) => digit(9 - at)).join(' || ')
  return `${time} || upper(substr(md5(turn::text), 1, 16))`
}

/** A log to look at: whose it is, and how the people who look at it are signed in. */
export interface Log {
  appKey: string
  cookies: Record<Who, string>
  /** One of the staff, for whoever signs cookies in another way. */
  staff: { accountId: number; version: number }
}

/** An app with so many deliveries in its log that tell of those agencies, a developer of it, and one of the staff. */
export async function openLog(
  installation: Installation,
  dealers: Dealer[],
  count: number,
  progress: (line: string) => void,
): Promise<Log> {
  await needRoomFor(count, installation.folder)
  progress(`loading ${count.toLocaleString('en')} deliveries`)
  const began = performance.now()
  const { connection, masterKey } = installation
  const server = await startServer({ connection, masterKey })
  const client = await openClient(connection)
  const store = openStore({ connection, max: 1 })
  try {
    const { app, ...calls } = await server.newApp({ nombre: 'Con registro' })
    const { visitor } = await makeDeveloper(server, { app, ...calls })
    const staff = await makeStaff(server)
    await associate(store, app.id, dealers)
    await withoutIndexes(client, LOADED, () => loadDeliveries(store, app.id, dealers, count))
    await client.query('vacuum analyze app_usage, asociaciones, webhooks')
    progress(`deliveries loaded in ${Math.round((performance.now() - began) / 1000)} s`)
    const cookies = { developer: visitor.cookie(), staff: staff.visitor.cookie() }
    const { id: accountId, version } = staff.account
    return { appKey: app.appKey, cookies, staff: { accountId, version } }
  } finally {
    await store.close()
    await client.end()
    await server.stop()
  }
}

/** An app's log of that many events in 90 days with their deliveries and attempts, made by PostgreSQL itself. */
export async function loadDeliveries(store: Store, appId: number, dealers: Dealer[], count: number): Promise<void> {
  await store.query(sql`
    insert into webhooks (app_id, topic, callback, last_delivery_at)
    select ${appId}::int, topic, 'https://avisos.example/rodado', now() from unnest(${TOPICS}::text[]) topic`)
  const every = (DAYS * 86_400) / count
  const ids = dealers.map(({ id }) => id)
  for (let from = 0; from < count; from += PART)
    await store.query(sql`
      with moment as materialized (
        select turn, at, floor(extract(epoch from at) * 1000)::bigint as ms
        from generate_series(${from + 1}::int, ${Math.min(from + PART, count)}::int) turn,
          lateral (select now() - make_interval(secs => (${count}::int - turn) * ${every}::float8) as at) moment
      ), made as materialized (
        select ${raw(ulidAt('ms'))} as id, turn, at, (${TOPICS}::text[])[turn % 3 + 1] as topic, agencia.*,
          case when turn % 1000 < ${FAILED} then 'fallida' when turn % 1000 < ${FAILED + DISCARDED} then 'descartada'
            when turn > ${count - (count / 1000) * WAITING} then 'pendiente' else 'entregada' end as estado
        from moment
        join lateral (
          select id as agencia_id, admin_mail, nombre from agencias
          where id = (${ids}::int[])[(hashint4(turn) & 1048575) % ${ids.length}::int + 1]
        ) agencia on true
      ), told as (
        insert into events (id, app_id, agencia_id, topic, sid, payload, created_at)
        select id, ${appId}, agencia_id, topic, case when topic <> 'agencia.modificada' then id end,
          json_build_object('Id', id, 'Topic', topic, 'Version', 1, 'Agencia',
            json_build_object('href', '/v3/agencias/' || admin_mail, 'title', nombre || ' (' || admin_mail || ')'),
            'AdminMail', admin_mail, 'Mensaje', repeat('¿Sigue disponible? ', 40)), at
        from made
      ), attempted as (
        insert into delivery_attempts (delivery_id, at, ms, address, status, answer, error)
        select id, at + nth * interval '5 seconds', 40 + turn % 90, '203.0.113.7',
          case when estado = 'fallida' then 500 else 200 end, '{"recibido":true}',
          case when estado = 'fallida' then 'El receptor respondió 500.' end
        from made, generate_series(1, case estado when 'fallida' then 10 when 'entregada' then 1 else 0 end) nth
      )
      insert into deliveries (id, app_id, webhook_id, estado, attempts, due_at, created_at, settled_at)
      select made.id, ${appId}, w.id, estado, case estado when 'fallida' then 10 when 'entregada' then 1 else 0 end,
        case when estado = 'pendiente' then now() + interval '1 hour' else at end, at,
        case when estado <> 'pendiente' then at end
      from made join webhooks w on w.app_id = ${appId} and w.topic = made.topic`)
  await store.query(sql`
    insert into app_usage (app_id, hora, solicitudes, entregadas)
    select ${appId}::int, hora, 500, 460
    from generate_series(date_trunc('hour', now()) - interval '90 days', now(), interval '1 hour') hora
    on conflict do nothing -- of this hour, a server that runs may have counted already`)
}

const associate = (store: Store, appId: number, dealers: Dealer[]): Promise<unknown> =>
  store.query(sql`
    insert into asociaciones (app_id, agencia_id)
    select ${appId}::int, id from unnest(${dealers.map(({ id }) => id)}::int[]) id`)
