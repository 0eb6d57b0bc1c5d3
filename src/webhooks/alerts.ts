import sql from 'sql-template-tag'
import type { App } from '../apps/app.ts'
import type { Config } from '../config.ts'
import { formatMinutes } from '../i18n/format.ts'
import { currentLocale, inLocale, isLocale } from '../i18n/locale.ts'
import { t } from '../i18n/messages.tsx'
import { inSpanish } from '../i18n/stored.ts'
import { orUndefined } from '../memoize.ts'
import type { Handler } from '../outbox/handler.ts'
import type { Claimed } from '../outbox/outbox.ts'
import type { Db, Store } from '../store/db.ts'
import type { Seal, SealedColumn } from '../store/sealed.ts'
import type { CallbackConfig } from './callback-rules.ts'
import { FIRST_DESTINO, webhookSubpath } from './delivery-ids.ts'
import { userAgentOf } from './headers.ts'
import { translateError } from './send/explain.ts'
import { openSender, outcomeOf, type SenderOptions } from './send/send.ts'
import { IS_ENABLED } from './store.ts'

const purpose = (appId: number | string) => `app-alerts:${appId}`

export const SEALED_ALERTS: SealedColumn[] = [
  { table: 'app_alerts', id: 'app_id', idType: 'int', column: 'sealed_url', owner: 'app_id', purpose },
]

/** Minutes of failure after which the channel is alerted. */
export const ALERT_MINUTES = [5, 15, 60, 360] as const
export const MAX_ALERT_URL = 500 // characters
const HINT_CHARACTERS = 4

/** Where an app's alerts go, as its team sees it: the address itself is a secret. */
export interface AlertSettings {
  urlHint: string
  afterMinutes: number
}

export const alertSettings = (db: Db, appId: number): Promise<AlertSettings | undefined> =>
  db.first<AlertSettings>(sql`
    select url_hint as "urlHint", after_minutes as "afterMinutes" from app_alerts where app_id = ${appId}`)

/** Messages are in the language of the person who saves this. */
export async function saveAlerts(
  db: Db,
  seal: Seal,
  appId: number,
  { url, afterMinutes }: { url: URL; afterMinutes: number },
): Promise<void> {
  const hint = `${url.host}/…${url.href.slice(-HINT_CHARACTERS)}`
  await db.query(sql`
    insert into app_alerts (app_id, sealed_url, url_hint, after_minutes, idioma)
    values (${appId}, ${seal.seal(url.href, purpose(appId))}, ${hint}, ${afterMinutes}, ${currentLocale()})
    on conflict (app_id) do update set sealed_url = excluded.sealed_url, url_hint = excluded.url_hint,
      after_minutes = excluded.after_minutes, idioma = excluded.idioma`)
}

/** False if no address is set. */
export const setAlertMinutes = (db: Db, appId: number, afterMinutes: number): Promise<boolean> =>
  db.changes(sql`
    update app_alerts set after_minutes = ${afterMinutes}, idioma = ${currentLocale()} where app_id = ${appId} returning 1`)

export const removeAlerts = (db: Db, appId: number) => db.query(sql`delete from app_alerts where app_id = ${appId}`)

const MAX_PENDING = 50
const MAX_TESTS = 5

/** False if no address is set, or there were many messages in the last minute. */
export async function sendTestAlert(db: Db, app: App): Promise<boolean> {
  const sent = await db.query(sql`
    insert into alerts (app_id, texto)
    select app_id, ${t('portal.alert.test', { app: app.nombre })} from app_alerts
    where app_id = ${app.id} and (
      select count(*) from (
        select from alerts where app_id = ${app.id} and created_at > now() - interval '1 minute' order by id desc
        limit ${MAX_TESTS}) recent
    ) < ${MAX_TESTS}
    returning 1`)
  if (sent.length > 0) db.notify(ALERTS.table)
  return sent.length > 0
}

export interface SentAlert {
  id: number
  texto: string
  estado: 'pendiente' | 'entregada' | 'fallida' | 'descartada'
  error: string | null
  at: Date
}

const MAX_LISTED = 10

export const latestAlerts = (db: Db, appId: number): Promise<SentAlert[]> =>
  db.query<SentAlert>(sql`
    select id, texto, estado, last_error as error, created_at as at from alerts where app_id = ${appId}
    order by id desc limit ${MAX_LISTED}`)

/** A webhook as messages name it, and its app. */
export interface NamedWebhook {
  appId: number
  appKey: string
  app: string
  topic: string
  destino: number
  description: string | null
}

/** The topic, and which of its webhooks where that is not clear. */
export function webhookText({ topic, destino, description }: NamedWebhook): string {
  if (description) return t('correo.webhook.named', { topic, name: description })
  return destino === FIRST_DESTINO ? topic : t('correo.webhook.numbered', { topic, destino })
}

/** Its page in the portal. */
export const webhookUrl = (webhook: NamedWebhook, publicUrl: string): string =>
  `${publicUrl}/portal/${webhook.appKey}/webhooks/${webhookSubpath(webhook)}`

interface AlertedWebhook extends NamedWebhook {
  lastError: string | null
  minutes: number
  hasRecovered: boolean
  idioma: string
}

const SLACK_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Otherwise `<!channel>` in a webhook's description would notify everybody in the channel. */
const slackText = (text: string): string => text.replace(/[&<>]/g, (found) => SLACK_ENTITIES[found] ?? found)

const BATCH = 50

/** Alerts the channels of apps once when a webhook begins to fail, and once when it works again. */
export async function alertFailing(store: Store, { config }: { config: Pick<Config, 'publicUrl'> }): Promise<void> {
  let found = BATCH
  while (found === BATCH)
    found = await store.transaction(async (tx) => {
      const changed = await lockChanged(tx)
      for (const webhook of changed) await insertAlert(tx, webhook.appId, alertText(webhook, config.publicUrl))
      await tx.query(sql`
        update webhooks set alerted_since = failing_since where id = any (${changed.map(({ id }) => id)}::int[])`)
      return changed.length
    })
}

/** A webhook that was enabled again, or got another address, works once something was delivered. */
const lockChanged = (tx: Db) =>
  tx.query<AlertedWebhook & { id: number }>(sql`
    select w.id, w.app_id as "appId", a.app_key as "appKey", a.nombre as app, w.topic, w.destino, w.description,
      w.last_error as "lastError", s.idioma,
      coalesce(floor(extract(epoch from now() - w.failing_since) / 60), 0)::int as minutes,
      w.failing_since is null as "hasRecovered"
    from webhooks w join app_alerts s on s.app_id = w.app_id join apps a on a.id = w.app_id
    where ${IS_ENABLED} and (
      w.failing_since is null and w.last_delivery_at > w.alerted_since
      or w.failing_since is distinct from w.alerted_since
        and w.failing_since <= now() - make_interval(mins => s.after_minutes))
    order by w.id limit ${BATCH} for no key update of w skip locked`)

/** The message that a webhook fails, or works again. */
export function alertText(webhook: AlertedWebhook, publicUrl: string): string {
  const { app, lastError, minutes, hasRecovered, idioma } = webhook
  const write = () => {
    const about = { app, webhook: webhookText(webhook), url: webhookUrl(webhook, publicUrl) }
    if (hasRecovered) return t('portal.alert.recovered', about)
    const error = lastError ? translateError(lastError) : ''
    return t('portal.alert.failing', { ...about, time: formatMinutes(minutes), error })
  }
  return inLocale(isLocale(idioma) ? idioma : currentLocale(), write)
}

/** Warns of a webhook that this transaction has disabled. */
export async function alertDisabled(tx: Db, webhook: NamedWebhook, publicUrl: string) {
  const { appId, app } = webhook
  const [row] = await tx.query<{ idioma: string }>(sql`select idioma from app_alerts where app_id = ${appId}`)
  if (!row) return
  const text = inLocale(isLocale(row.idioma) ? row.idioma : currentLocale(), () =>
    t('portal.alert.disabled', { app, webhook: webhookText(webhook), url: webhookUrl(webhook, publicUrl) }),
  )
  await insertAlert(tx, appId, text)
}

/** Channels that do not answer get no more than this many. */
async function insertAlert(tx: Db, appId: number, text: string): Promise<void> {
  await tx.query(sql`
    insert into alerts (app_id, texto)
    select ${appId}::int, ${text}
    where (select count(*) from alerts where app_id = ${appId} and estado = 'pendiente') < ${MAX_PENDING}`)
  tx.notify(ALERTS.table)
}

/** The emails of members who want those about failing webhooks. */
export const ALERTED_MEMBERS = sql`
  array(select m_account.email from app_members m join accounts m_account on m_account.id = m.account_id
        where m.app_id = w.app_id and m.avisos order by m_account.email limit 20)`

export async function wantsEmails(db: Db, appId: number, accountId: number): Promise<boolean> {
  const [row] = await db.query<{ avisos: boolean }>(sql`
    select avisos from app_members where app_id = ${appId} and account_id = ${accountId}`)
  return row?.avisos ?? false
}

export const setWantsEmails = (db: Db, appId: number, accountId: number, wanted: boolean) =>
  db.query(sql`update app_members set avisos = ${wanted} where app_id = ${appId} and account_id = ${accountId}`)

export const ALERTS = { table: 'alerts', id: 'bigint', queueColumn: 'app_id' } as const

interface AlertRow extends Claimed {
  texto: string
  sealed: Buffer | null
  appRanges: string[]
}

interface AlertHandlerOptions {
  seal: Seal
  config: CallbackConfig & Pick<Config, 'publicUrl'>
  clock: () => Date
  sending?: Pick<SenderOptions, 'ca' | 'times'>
}

const MINUTE = 60
const SCHEDULE = [10, MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE]
const IN_FLIGHT = 8
const IN_FLIGHT_PER_APP = 1
/** The channel was closed, or the address is wrong: another attempt cannot succeed. */
const FINAL = [400, 401, 403, 404, 410]

/** Sends alerts, to the addresses that callbacks may reach. */
export function alertHandler({ seal, config, clock, sending }: AlertHandlerOptions): Handler<AlertRow> {
  const sender = openSender({ config, clock, ...sending })
  const headers = ['Content-Type', 'application/json', 'User-Agent', userAgentOf(config.publicUrl)]
  return {
    ...ALERTS,
    columns: sql`row.texto,
      (select sealed_url from app_alerts where app_alerts.app_id = row.app_id) as sealed,
      (select private_callbacks from apps where apps.id = row.app_id) as "appRanges"`,
    inFlight: IN_FLIGHT,
    queues: { inFlight: IN_FLIGHT_PER_APP, prefetch: { queue: IN_FLIGHT_PER_APP, all: IN_FLIGHT } },
    schedule: SCHEDULE,

    async deliver({ queue, texto, sealed, appRanges }, signal) {
      if (sealed === null) return { kind: 'discarded', reason: inSpanish('portal.alert.removed') }
      const href = orUndefined(() => seal.open(sealed, purpose(queue)))
      if (href === undefined)
        return { kind: 'failed', reason: inSpanish('portal.alert.unreadable'), code: 'unreadable-secret' }
      const { origin, pathname, search } = new URL(href)
      // A connection to a former address, or one opened under wider ranges, must not be used again.
      const key = `alerts ${queue} ${origin} ${appRanges.join()}`
      const endpoint = { key, origin, path: pathname + search, headers, appRanges }
      return outcomeOf(await sender.send(endpoint, [], JSON.stringify({ text: slackText(texto) }), signal), FINAL)
    },

    describe: ({ queue }) => ({ app: queue }),
    close: () => sender.close(),
  }
}

/** A webhook that fails or was disabled, as the bell of the portal shows it. */
export interface FailingOfApp {
  topic: string
  destino: number
  description: string | null
  since: Date
  error: string | null
  isDisabled: boolean
}

export const failingOfApp = (db: Db, appId: number): Promise<FailingOfApp[]> =>
  db.query<FailingOfApp>(sql`
    select topic, destino, description, coalesce(disabled_at, failing_since) as since, last_error as error,
      disabled_at is not null as "isDisabled"
    from webhooks where app_id = ${appId} and activo and (failing_since is not null or disabled_at is not null)
    order by topic, destino`)
