import type { ComponentChildren } from 'preact'
import { rich, t } from '../../i18n/messages.tsx'
import { momentOf } from '../../ulid.ts'
import type { Attempt } from '../../webhooks/delivery-log.ts'
import type { AppDelivery, AppEvent } from '../../webhooks/event-deliveries.ts'
import { pastHeaders } from '../../webhooks/headers.ts'
import { translateAnswer, translateError } from '../../webhooks/send/explain.ts'
import { formatDuration, type TimeContext, Timestamp } from '../format.tsx'
import { Code, Copyable, CopyCode, FoldingJson, Section, Status } from '../parts.tsx'
import { DeliveryEstadoBadge } from './list.tsx'

interface EventFactsProps {
  event: Pick<AppEvent, 'id' | 'agencia'>
  when: TimeContext
  children?: ComponentChildren
}

export const EventFacts = ({ event: { id, agencia }, when, children }: EventFactsProps) => (
  <p class="facts">
    <Timestamp at={momentOf(id)} when={when} />
    {agencia && <span>{agencia.title}</span>}
    <Copyable id="id-evento" what={t('entregas.theId')}>
      {id}
    </Copyable>
    {children}
  </p>
)

/** The payload of an event, indented and as it is sent. */
export const EventContent = ({ payload }: Pick<AppEvent, 'payload'>) => (
  <Section title={t('entregas.content')}>
    <CopyCode id="contenido-json" label={t('entregas.indented')} what={t('entregas.theContent')} tall>
      <FoldingJson value={JSON.parse(payload)} />
    </CopyCode>
    <details>
      <summary>{t('entregas.raw')}</summary>
      <Code label={t('entregas.signedBytes')}>{payload}</Code>
    </details>
  </Section>
)

interface Props {
  event: Pick<AppEvent, 'id' | 'topic'>
  delivery: AppDelivery
  when: TimeContext
}

export const Attempts = ({ event, delivery, when }: Props) => (
  <>
    <p class="facts">
      <DeliveryEstadoBadge estado={delivery.estado} failing={delivery.attempts.at(-1)?.error != null} />
      <span>{t('entregas.attemptCount', { count: delivery.attempts.length })}</span>
      <Next delivery={delivery} when={when} />
    </p>
    {delivery.attempts.length > 0 && (
      <ol class="attempts" reversed>
        {delivery.attempts.toReversed().map((attempt, index) => (
          <AttemptItem
            key={attempt.at.toISOString()}
            event={event}
            attempt={attempt}
            number={delivery.attempts.length - index}
            when={when}
          />
        ))}
      </ol>
    )}
  </>
)

function Next({ delivery: { estado, isLeased, dueAt }, when }: Omit<Props, 'event'>) {
  if (estado !== 'pendiente') return <span>{t(`entregas.next.${estado}`)}</span>
  if (isLeased) return <span>{t('entregas.next.sending')}</span>
  if (dueAt === null) return <span>{t('entregas.next.waits')}</span>
  if (dueAt <= when.now) return <span>{t('entregas.next.soon')}</span>
  return <span>{rich('entregas.next.at', { moment: <Timestamp at={dueAt} when={when} /> })}</span>
}

type AttemptProps = Omit<Props, 'delivery'> & { attempt: Attempt; number: number }

function AttemptItem({ event, attempt, number, when }: AttemptProps) {
  const { at, ms, status, error, address, answer } = attempt
  return (
    <li value={number} class={error === null ? 'ok' : 'failed'}>
      <p class="facts">
        <strong>{t('entregas.attempt', { number })}</strong>
        {status !== null ? <Status code={status} /> : <span class="badge error">{t('entregas.noResponse')}</span>}
        <Timestamp at={at} when={when} />
        <span>{formatDuration(ms)}</span>
        {address && <span>{rich('entregas.sentTo', { address: <code>{address}</code> })}</span>}
      </p>
      {error && <p class="fault">{translateError(error)}</p>}
      <details>
        <summary>{t('entregas.sentHeaders')}</summary>
        <HeaderList headers={pastHeaders(event, number, at)} />
        <p class="hint">{t('entregas.sentHeadersHint')}</p>
      </details>
      {answer && (
        <details open={error !== null}>
          <summary>{t('entregas.answer')}</summary>
          <pre tabindex={0}>
            <code>{translateAnswer(answer)}</code>
          </pre>
        </details>
      )}
    </li>
  )
}

export const HeaderList = ({ headers }: { headers: readonly [name: string, value: string][] }) => (
  <dl class="data">
    {headers.map(([name, value]) => (
      <div key={name}>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>
          <code>{value}</code>
        </dd>
      </div>
    ))}
  </dl>
)
