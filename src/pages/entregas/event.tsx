import type { ComponentChildren } from 'preact'
import { withQuery } from '../../http/links.ts'
import { momentOf } from '../../ulid.ts'
import type { AppDelivery, AppEvent, Attempt } from '../../webhooks/delivery-log.ts'
import { pastHeaders } from '../../webhooks/headers.ts'
import { formatDuration, type TimeContext, Timestamp } from '../format.tsx'
import { livePart } from '../page.ts'
import { Code, Copyable, CopyCode, Json, Section, Status } from '../parts.tsx'
import { EstadoBadge } from './list.tsx'

const LIVE_SECONDS = 2

interface EventAttemptsProps {
  href: string
  event: AppEvent
  when: TimeContext
  version: string
}

/** The attempts at an event; they refresh themselves while the delivery is pending. */
export const EventAttempts = ({ href, event, when, version }: EventAttemptsProps) => (
  <div
    id="intentos"
    {...(event.delivery?.estado === 'pendiente' && livePart(withQuery(href, { visto: version }), LIVE_SECONDS))}
  >
    {event.delivery ? (
      <Attempts event={event} delivery={event.delivery} when={when} />
    ) : (
      <p class="empty">Nunca se envió: cuando ocurrió, el topic no tenía webhook.</p>
    )}
  </div>
)

interface EventFactsProps {
  event: Pick<AppEvent, 'id' | 'agencia'>
  when: TimeContext
  children?: ComponentChildren
}

export const EventFacts = ({ event: { id, agencia }, when, children }: EventFactsProps) => (
  <p class="facts">
    <Timestamp at={momentOf(id)} when={when} />
    {agencia && <span>{agencia.title}</span>}
    <Copyable id="id-evento" what="el Id">
      {id}
    </Copyable>
    {children}
  </p>
)

/** The payload of an event, indented and as it is sent. */
export const EventContent = ({ payload }: Pick<AppEvent, 'payload'>) => (
  <Section title="Contenido">
    <CopyCode id="contenido-json" label="application/json, con sangría para leerlo" what="el contenido" tall>
      <Json value={JSON.parse(payload)} />
    </CopyCode>
    <details>
      <summary>Tal como se envía, byte por byte</summary>
      <Code label="Sobre estos bytes se calcula la firma">{payload}</Code>
    </details>
  </Section>
)

interface Props {
  event: Pick<AppEvent, 'id' | 'topic'>
  delivery: AppDelivery
  when: TimeContext
}

const Attempts = ({ event, delivery, when }: Props) => (
  <>
    <p class="facts">
      <EstadoBadge estado={delivery.estado} failing={delivery.attempts.at(-1)?.error != null} />
      <span>{tries(delivery.attempts.length)}</span>
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

const tries = (count: number): string => (count === 1 ? '1 intento' : `${count} intentos`)

function Next({ delivery: { estado, isLeased, dueAt }, when }: Omit<Props, 'event'>) {
  if (estado === 'entregada') return <span>El receptor la aceptó.</span>
  if (estado === 'fallida') return <span>Se agotaron los intentos. Puede reenviarla cuando el receptor funcione.</span>
  if (estado === 'descartada') return <span>No se envió: el webhook no estaba activo. Puede reenviarla.</span>
  if (isLeased) return <span>Se está enviando…</span>
  if (dueAt === null) return <span>Espera a que termine una anterior de la misma agencia.</span>
  if (dueAt <= when.now) return <span>Sale en un momento.</span>
  return (
    <span>
      Próximo intento: <Timestamp at={dueAt} when={when} />
    </span>
  )
}

type AttemptProps = Omit<Props, 'delivery'> & { attempt: Attempt; number: number }

function AttemptItem({ event, attempt, number, when }: AttemptProps) {
  const { at, ms, status, error, address, answer } = attempt
  return (
    <li value={number} class={error === null ? 'ok' : 'failed'}>
      <p class="facts">
        <strong>Intento {number}</strong>
        {status !== null ? <Status code={status} /> : <span class="badge error">sin respuesta</span>}
        <Timestamp at={at} when={when} />
        <span>{formatDuration(ms)}</span>
        {address && (
          <span>
            a <code>{address}</code>
          </span>
        )}
      </p>
      {error && <p class="fault">{error}</p>}
      <details>
        <summary>Los encabezados que llevó</summary>
        <HeaderList headers={pastHeaders(event, number, at)} />
        <p class="hint">
          Se deducen del registro; el momento puede diferir en un segundo del que viajó. La firma y los encabezados
          propios del webhook no se guardan.
        </p>
      </details>
      {answer && (
        <details open={error !== null}>
          <summary>Lo que contestó</summary>
          <pre tabindex={0}>
            <code>{answer}</code>
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
