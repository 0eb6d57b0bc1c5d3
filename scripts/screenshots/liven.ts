import sql from 'sql-template-tag'
import { callerFor } from '../../tests/support/caller.ts'
import { openReceiver } from '../../tests/support/receiver.ts'
import { until } from '../../tests/support/until.ts'
import type { Stage } from './stage.ts'

const TOPIC = '/v3/appnotificaciones/consulta.recibida'
const PATIENCE_MS = 120_000
const CALLBACK = 'https://webhooks.gestion-automotor.example/rodado'

/** Fills an app with some days of history: calls, a webhook with real deliveries, past counts. */
export async function liven({ url, demo, withStore }: Stage): Promise<void> {
  const app = callerFor(url, demo.AppKey, demo.AppSecret)
  const receiver = await openReceiver()
  const body = JSON.stringify({ Callback: receiver.url, Description: 'Consultas al CRM' })
  await app.call('POST', TOPIC, { body })
  await app.call('POST', '/v3/appnotificaciones/agencia.modificada', { body })
  let told = 0
  receiver.answer((_, turn) => (turn === 1 && ++told % 9 === 0 ? 503 : { status: 200, body: '{"recibido":true}' }))
  const desde = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
  await app.call('POST', `${TOPIC}/entregas/reenviar?desde=${desde}`)
  const { headers } = await app.get('/v3/colores')
  await app.get('/v3/colores', { 'if-none-match': headers.etag ?? '' })
  await app.get('/v3/eventos')
  await withStore(async ({ store }) => {
    await until(async () => {
      const [waiting] = await store.query(sql`
        select from deliveries where estado = 'pendiente' and attempts + carried < 2 limit 1`)
      return waiting === undefined
    }, PATIENCE_MS)
    // Milestones are stored some seconds later; the checklist depends on them.
    await until(async () => {
      const [retried] = await store.query(sql`select from app_firsts where hecho = 'reintento'`)
      return retried !== undefined
    }, PATIENCE_MS)
    await store.query(sql`update webhooks set callback = ${CALLBACK}`)
    await store.query(PAST)
  })
  await receiver.close()
}

/** A month of daily patterns: quiet nights, quieter Sundays. */
const PAST = sql`
  insert into app_usage (app_id, hora, solicitudes, sin_cambios, errores, limitadas, entregadas, intentos_fallidos)
  select a.id, hora, asked, asked * 2 / 5, asked / 40, case when asked > 700 then asked / 60 else 0 end, told, told / 12
  from apps a, generate_series(date_trunc('hour', now()) - interval '30 days', date_trunc('hour', now()), interval '1 hour') hora,
    lateral (select extract(hour from hora at time zone 'America/Argentina/Buenos_Aires') as h,
                    extract(isodow from hora) as day) at,
    lateral (select ((120 + 640 * greatest(0, sin((h - 7) * pi() / 14))) * case day when 7 then 0.3 else 1 end
                     * (0.8 + 0.4 * (hashtext(hora::text) & 255) / 255.0))::int as asked) asked,
    lateral (select asked / 9 as told) told
  on conflict do nothing`
