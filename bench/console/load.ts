import sql, { raw } from 'sql-template-tag'
import type { Store } from '../../src/store/db.ts'

const DAYS = 90
const TOPICS = ['consulta.recibida', 'consulta.modificada', 'agencia.modificada']
/** Of a thousand deliveries: what was given up, discarded, or still waits; the rest arrived. */
const [FAILED, DISCARDED, WAITING] = [10, 5, 2]

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A ULID of that moment, with chance in hexadecimal digits, which are a ULID's too. */
const ulidAt = (at: string) => {
  const digit = (place: number) =>
    `substr('${DIGITS}', (floor(extract(epoch from ${at}) * 1000)::bigint >> ${place * 5} & 31)::int + 1, 1)`
  const time = Array.from({ length: 10 }, (_, at) => digit(9 - at)).join(' || ')
  return `${time} || upper(substr(md5(turn::text), 1, 16))`
}

/** An app's log of that many events in 90 days with their deliveries and attempts, made by PostgreSQL itself. */
export async function loadDeliveries(store: Store, appId: number, count: number): Promise<void> {
  await store.query(sql`
    insert into webhooks (app_id, topic, callback, last_delivery_at)
    select ${appId}::int, topic, 'https://avisos.example/rodado', now() from unnest(${TOPICS}::text[]) topic`)
  const every = (DAYS * 86_400) / count
  // In parts, each within the time that one statement has.
  const PART = 50_000
  for (let from = 0; from < count; from += PART)
    await store.query(sql`
      with moment as materialized (
        select turn, now() - make_interval(secs => (${count}::int - turn) * ${every}::float8) as at
        from generate_series(${from + 1}::int, ${from + PART}::int) turn
      ), made as materialized (
        select ${raw(ulidAt('at'))} as id, turn, at, (${TOPICS}::text[])[turn % 3 + 1] as topic, agencia.*,
          case when turn % 1000 < ${FAILED} then 'fallida' when turn % 1000 < ${FAILED + DISCARDED} then 'descartada'
            when turn > ${count - (count / 1000) * WAITING} then 'pendiente' else 'entregada' end as estado
        from moment
        join lateral (
          select id as agencia_id, admin_mail, nombre from agencias
          where id = (select min(id) from agencias) + (hashint4(turn) & 1023) % (select count(*) from agencias)
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
    from generate_series(date_trunc('hour', now()) - interval '90 days', now(), interval '1 hour') hora`)
}

/** Agencies for them to tell of. */
export const loadAgencies = (store: Store, appId: number, count: number): Promise<unknown> =>
  store.query(sql`
    with made as (
      insert into agencias (modo, admin_mail, nombre)
      select 'produccion', 'agencia' || turn || '@agencias.example', 'Agencia ' || turn
      from generate_series(1, ${count}::int) turn returning id
    )
    insert into asociaciones (app_id, agencia_id) select ${appId}::int, id from made`)
