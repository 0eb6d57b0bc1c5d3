import sql from 'sql-template-tag'
import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import { MINUTE_MS } from '../../clock.ts'
import { currentLocale } from '../../i18n/locale.ts'
import { TEST_DOMAIN } from '../../mail/email.ts'
import type { Db } from '../../store/db.ts'
import type { Seal } from '../../store/sealed.ts'
import { alertText, saveAlerts, setWantsEmails } from '../../webhooks/alerts.ts'
import { FIRST_DESTINO } from '../../webhooks/delivery-ids.ts'
import { errorOf, type Outage } from './deliveries.ts'

const CHANNEL = new URL(`https://chat.gestion-automotor.${TEST_DOMAIN}/hooks/T024/B7K3/avisos`)
const AFTER_MINUTES = 15
/** How long a message took. */
const SENT_AFTER = '1 second'

interface Alerted {
  app: App
  developer: Account
  webhook: { topic: string; description: string }
  outages: readonly Outage[]
  publicUrl: string
}

/** The developer gets emails and the team's channel messages; those about past outages were sent. */
export async function loadAlerts(tx: Db, seal: Seal, { app, developer, webhook, outages, publicUrl }: Alerted) {
  await setWantsEmails(tx, app.id, developer.id, true)
  await saveAlerts(tx, seal, app.id, { url: CHANNEL, afterMinutes: AFTER_MINUTES })
  const named = { appId: app.id, appKey: app.appKey, app: app.nombre, ...webhook, destino: FIRST_DESTINO }
  const about = { ...named, minutes: AFTER_MINUTES, idioma: currentLocale() }
  const sent = outages.flatMap(({ from, until, how }) => [
    {
      at: new Date(from.getTime() + AFTER_MINUTES * MINUTE_MS),
      texto: alertText({ ...about, lastError: errorOf(how), hasRecovered: false }, publicUrl),
    },
    { at: until, texto: alertText({ ...about, lastError: null, hasRecovered: true }, publicUrl) },
  ])
  await tx.query(sql`
    insert into alerts (app_id, texto, estado, attempts, due_at, created_at, settled_at)
    select ${app.id}::int, texto, 'entregada', 1, at, at, at + ${SENT_AFTER}::interval
    from unnest(${sent.map(({ texto }) => texto)}::text[], ${sent.map(({ at }) => at)}::timestamptz[]) as given (texto, at)
    order by at`)
}
