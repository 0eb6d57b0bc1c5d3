import { withQuery } from '../../../http/links.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import { estadoOf, masked, type SaludEstado } from '../../../resources/appnotificaciones/represent.ts'
import { MAX_DESTINOS } from '../../../webhooks/delivery-ids.ts'
import type { LoggedEvent } from '../../../webhooks/delivery-log.ts'
import { translateError } from '../../../webhooks/send/explain.ts'
import { MAX_COUNTED, type WebhookStatus } from '../../../webhooks/status-queries.ts'
import { isAvailable, isEnabled, type Webhook } from '../../../webhooks/store.ts'
import { isTopic, TOPICS } from '../../../webhooks/topics.ts'
import { logFilters, webhookName } from '../../entregas/destino.ts'
import { deliveryColumns } from '../../entregas/list.tsx'
import { Moment, type TimeContext, Timestamp } from '../../format.tsx'
import { Facts, PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { Table } from '../../table.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { addPath, logPath, webhookPath, webhookTitle } from './destino.ts'
import { Sample } from './form-pages.tsx'

interface Props extends StateProps {
  /** All of its topic. */
  all: Webhook[]
  /** The agencies of its filter; null: all. */
  mails: string[] | null
  recent: LoggedEvent[]
}

export function webhookPage({ ctx, webhook, all, mails, available, status, recent }: Props) {
  const { topic } = webhook
  const href = webhookPath(ctx.basePath, webhook)
  const title = webhookTitle(webhook, all)
  return (
    <PortalPage
      ctx={ctx}
      title={title}
      parentLink={{ href: `${ctx.basePath}/webhooks`, label: t('portal.nav.webhooks') }}
      intro={isTopic(topic) && t(`entregas.topic.${topic}`)}
      actions={
        available &&
        !ctx.app.disabled &&
        isEnabled(webhook) && <PostButton action={`${href}/prueba`}>{t('portal.webhooks.sendTest')}</PostButton>
      }
    >
      <State ctx={ctx} webhook={webhook} available={available} status={status} />
      <Section title={t('portal.webhooks.configuration')}>
        <Configuration ctx={ctx} webhook={webhook} status={status} mails={mails} />
        <div class="row">
          {available && (
            <>
              <SecondaryLink href={`${href}/editar`}>{t('portal.webhooks.edit')}</SecondaryLink>
              <SecondaryLink href={`${href}/secret`}>
                {webhook.secretHint === null ? t('portal.webhooks.sign') : t('portal.webhooks.changeSecret')}
              </SecondaryLink>
              {isEnabled(webhook) && (
                <PostButton action={`${href}/suspender`} class="secondary">
                  {t('portal.webhooks.suspend')}
                </PostButton>
              )}
            </>
          )}
          <a class="danger" href={`${href}/eliminar`}>
            {t('portal.webhooks.delete')}
          </a>
        </div>
      </Section>
      <Section title={t('portal.webhooks.recent')}>
        <Table
          caption={t('portal.webhooks.recentOf', { topic: title })}
          columns={deliveryColumns(`${ctx.basePath}/entregas`, ctx).filter(({ head }) => head !== t('entregas.topic'))}
          rows={recent}
          empty={<p>{t('portal.webhooks.noneSent')}</p>}
        />
        {recent.length > 0 && (
          <p>
            <a href={logPath(ctx.basePath, webhook)}>{t('portal.destino.log')}</a>
          </p>
        )}
      </Section>
      {available && <Siblings ctx={ctx} webhook={webhook} all={all} />}
      <details>
        <summary>{t('portal.webhooks.what')}</summary>
        <Sample topic={topic} />
      </details>
    </PortalPage>
  )
}

/** The other webhooks of the topic, and the way to one more. */
const Siblings = ({ ctx, webhook: { id, topic }, all }: Pick<Props, 'ctx' | 'webhook' | 'all'>) => (
  <Section title={t('portal.destino.several')}>
    <p>{t('portal.destino.severalHelp', { max: MAX_DESTINOS })}</p>
    {all.length > 1 && <WebhookRows ctx={ctx} webhooks={all.filter((other) => other.id !== id)} />}
    <p>
      {all.length < MAX_DESTINOS ? (
        <SecondaryLink href={addPath(ctx.basePath, topic)}>{t('portal.destino.add')}</SecondaryLink>
      ) : (
        t('portal.destino.full', { max: MAX_DESTINOS })
      )}
    </p>
  </Section>
)

const WebhookRows = ({ ctx, webhooks }: { ctx: PortalContext; webhooks: Webhook[] }) => (
  <ul class="rows">
    {webhooks.map((webhook) => (
      <li key={webhook.id}>
        <span>
          <a href={webhookPath(ctx.basePath, webhook)}>{webhookName(webhook)}</a>
          <span class="hint">{new URL(webhook.callback).host}</span>
        </span>
        <HealthBadge webhook={webhook} />
      </li>
    ))}
  </ul>
)

/** In place of the form of another webhook, where the topic has all that it may have. */
export const fullTopicPage = ({ ctx, topic, all }: Pick<Props, 'ctx' | 'all'> & { topic: string }) => (
  <PortalPage
    ctx={ctx}
    title={t('portal.destino.addTitle', { topic })}
    parentLink={{ href: `${ctx.basePath}/webhooks`, label: t('portal.nav.webhooks') }}
    intro={t('portal.destino.full', { max: MAX_DESTINOS })}
  >
    <WebhookRows ctx={ctx} webhooks={all} />
  </PortalPage>
)

interface StateProps {
  ctx: PortalContext
  webhook: Webhook
  /** False if the marketplace withdrew the topic. */
  available: boolean
  status: WebhookStatus
}

function State({ ctx, webhook, available, status }: StateProps) {
  const { lastError, disabledAt, activo } = webhook
  const resume = (
    <PostButton action={`${webhookPath(ctx.basePath, webhook)}/reanudar`}>{t('portal.webhooks.resume')}</PostButton>
  )
  if (!available)
    return (
      <div class="faults" role="note">
        <h2>{t('portal.webhooks.withdrawn')}</h2>
        <p>{t('portal.webhooks.withdrawnHelp')}</p>
      </div>
    )
  if (disabledAt)
    return (
      <div class="faults" role="note">
        <h2>{t('portal.webhooks.isDisabled')}</h2>
        <p>
          {status.disabledBy === '410'
            ? t('portal.webhooks.disabled410')
            : t('portal.webhooks.disabledFailed', { error: translateError(lastError ?? '') })}
        </p>
        {resume}
      </div>
    )
  if (!activo)
    return (
      <div class="notice">
        <p>
          {rich('portal.webhooks.isSuspended', {
            link: (text) => <a href={withQuery(`${ctx.basePath}/entregas/reenviar`, logFilters(webhook))}>{text}</a>,
          })}
        </p>
        {resume}
      </div>
    )
  return (
    <p class="facts state">
      <HealthBadge webhook={webhook} />
      <HealthFacts webhook={webhook} when={ctx} />
      <Waiting ctx={ctx} webhook={webhook} status={status} />
    </p>
  )
}

function Waiting({ ctx, webhook, status: { waiting, pausedUntil } }: Omit<StateProps, 'available'>) {
  if (waiting === 0 && !pausedUntil) return null
  return (
    <>
      {waiting > 0 && (
        <a href={logPath(ctx.basePath, webhook, 'pendiente')}>
          {waiting >= MAX_COUNTED
            ? t('portal.webhooks.waitingMore', { count: MAX_COUNTED })
            : t('portal.webhooks.waiting', { count: waiting })}
        </a>
      )}
      {pausedUntil && (
        <span>{rich('portal.webhooks.pausedUntil', { moment: <Timestamp at={pausedUntil} when={ctx} /> })}</span>
      )}
    </>
  )
}

const Configuration = ({ ctx, webhook, status, mails }: Omit<StateProps, 'available'> & Pick<Props, 'mails'>) => (
  <Facts
    rows={[
      [t('portal.webhooks.address'), <code>{webhook.callback}</code>],
      [t('portal.destino.name'), webhook.description],
      [t('portal.destino.agencies'), mails && <Agencies mails={mails} />],
      [t('portal.destino.order'), webhook.enOrden && t('portal.destino.isOrdered')],
      [t('portal.destino.version'), String(webhook.payloadVersion)],
      [
        t('portal.webhooks.secret'),
        webhook.secretHint === null ? (
          <>
            <span class="badge attention">{t('portal.webhooks.unsigned')}</span> {t('portal.webhooks.unsignedHelp')}
          </>
        ) : (
          <>
            <code>{masked(webhook)}</code>
            {status.formerSecretUntil && (
              <>
                {' '}
                {rich('portal.webhooks.formerUntil', {
                  moment: <Moment at={status.formerSecretUntil} when={ctx} />,
                })}
              </>
            )}
          </>
        ),
      ],
      [
        t('portal.webhooks.headers'),
        webhook.headers.some((header) => header !== null) &&
          webhook.headers.map(
            (header) =>
              header && (
                <span key={header.Name}>
                  <code>{header.Name}</code>{' '}
                </span>
              ),
          ),
      ],
    ]}
  />
)

const MAX_NAMED = 10

const Agencies = ({ mails }: { mails: readonly string[] }) => (
  <span class="anywhere">
    {mails.length === 0 || mails.length > MAX_NAMED
      ? t('portal.destino.agencyCount', { count: mails.length })
      : mails.join(', ')}
  </span>
)

export function webhooksPage({ ctx, webhooks }: { ctx: PortalContext; webhooks: Webhook[] }) {
  const unconfigured = TOPICS.filter(
    (topic) => isAvailable(ctx.app, topic) && !webhooks.some((webhook) => webhook.topic === topic),
  )
  return (
    <PortalPage
      ctx={ctx}
      title={t('portal.nav.webhooks')}
      intro={
        <p>
          {rich('portal.webhooks.intro', {
            modo: ctx.app.modo,
            link: (text) => <a href={`${ctx.basePath}/eventos`}>{text}</a>,
          })}
        </p>
      }
    >
      {webhooks.length > 0 && (
        <Section title={t('portal.webhooks.configured')}>
          <ul class="cards">
            {webhooks.map((webhook) => (
              <Configured key={webhook.id} ctx={ctx} webhook={webhook} all={webhooks} />
            ))}
          </ul>
        </Section>
      )}
      {unconfigured.length > 0 && (
        <Section title={webhooks.length > 0 ? t('portal.webhooks.without') : t('portal.webhooks.chooseFirst')}>
          {webhooks.length === 0 && <p>{rich('portal.webhooks.firstHint')}</p>}
          <ul class="rows">
            {unconfigured.map((topic) => (
              <li key={topic}>
                <span>
                  <code>{topic}</code>
                  <span class="hint">{t(`entregas.topic.${topic}`)}</span>
                </span>
                <a class="button secondary" href={`${ctx.basePath}/webhooks/${topic}`}>
                  {rich('portal.webhooks.configureOne', { topic })}
                </a>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </PortalPage>
  )
}

function Configured({ ctx, webhook, all }: { ctx: PortalContext; webhook: Webhook; all: readonly Webhook[] }) {
  const { topic, callback, secretHint, description, agencias, enOrden } = webhook
  return (
    <li class="card">
      <h3>
        <a href={webhookPath(ctx.basePath, webhook)}>{webhookTitle(webhook, all)}</a> <HealthBadge webhook={webhook} />
      </h3>
      <p class="hint">{isTopic(topic) ? t(`entregas.topic.${topic}`) : t('portal.webhooks.unknownTopic')}</p>
      <p class="address">
        <code>{callback}</code>
        {description && ` · ${description}`}
      </p>
      <p class="facts">
        <HealthFacts webhook={webhook} when={ctx} />
        {secretHint === null && <span class="badge attention">{t('portal.webhooks.unsigned')}</span>}
        {enOrden && <span class="badge">{t('portal.destino.ordered')}</span>}
        {agencias && <span>{t('portal.destino.agencyCount', { count: agencias.length })}</span>}
        {!isAvailable(ctx.app, topic) && <span class="badge error">{t('portal.webhooks.withdrawnBadge')}</span>}
      </p>
    </li>
  )
}

const HEALTH_TONES: Record<SaludEstado, string> = {
  'sin-entregas': '',
  bien: 'ok',
  fallando: 'attention',
  deshabilitado: 'error',
}

/** The health of a webhook as in the API, or that the app suspended it. */
export function HealthBadge({ webhook }: { webhook: Webhook }) {
  if (!webhook.activo && webhook.disabledAt === null)
    return <span class="badge">{t('portal.webhooks.health.suspendido')}</span>
  const estado = estadoOf(webhook)
  return <span class={`badge ${HEALTH_TONES[estado]}`}>{t(`portal.webhooks.health.${estado}`)}</span>
}

const HealthFacts = ({
  webhook: { lastDeliveryAt, failures, lastError },
  when,
}: {
  webhook: Webhook
  when: TimeContext
}) => (
  <>
    <span>
      {lastDeliveryAt
        ? rich('portal.webhooks.lastDelivery', { moment: <Moment at={lastDeliveryAt} when={when} /> })
        : t('portal.webhooks.nothingReceived')}
    </span>
    {failures > 0 && (
      <span class="fault">{t('portal.webhooks.failures', { failures, error: translateError(lastError ?? '') })}</span>
    )}
  </>
)
