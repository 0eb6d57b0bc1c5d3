import type { FailingWebhook } from '../../../webhooks/status.ts'
import { inFigures, Moment } from '../../format.tsx'
import { type Column, Table } from '../../table.tsx'
import type { ConsoleContext } from '../context.tsx'
import { FAILED_DAYS, type Figures } from './figures.ts'

/** What needs somebody, and the way there; where nothing does, that it does not. */
export function Attention({
  ctx,
  figures: { ailing, failedLetters, mails },
}: {
  ctx: ConsoleContext
  figures: Figures
}) {
  const quiet = ailing.length === 0 && failedLetters === 0 && mails
  return (
    <section aria-label="Lo que necesita atención">
      <h2>Lo que necesita atención</h2>
      {quiet && <p class="all-well">Nada: los webhooks reciben y los correos salen.</p>}
      {!mails && (
        <p>
          <span class="badge status-4">correo</span> No hay servidor de correo (<code>SMTP_URL</code>): los correos no
          salen, se guardan y <a href="/consola/correos">se leen aquí</a>.
        </p>
      )}
      {failedLetters > 0 && (
        <p>
          <span class="badge status-5">correo</span>{' '}
          <a href="/consola/correos?estado=fallida">
            {failedLetters === 1 ? '1 correo no llegó' : `${inFigures(failedLetters)} correos no llegaron`}
          </a>{' '}
          en los últimos {FAILED_DAYS} días.
        </p>
      )}
      {ailing.length > 0 && (
        <Table
          caption="Webhooks que fallan o se deshabilitaron"
          columns={columns(ctx)}
          rows={ailing}
          keyOf={({ id }) => id}
          empty={<p>Ninguno.</p>}
        />
      )}
    </section>
  )
}

const columns = (ctx: ConsoleContext): Column<FailingWebhook>[] => [
  {
    head: 'Webhook',
    cell: ({ app, topic }) => (
      <div>
        <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
        <div class="hint">
          <code>{topic}</code>
          {app.modo === 'prueba' && ' · prueba'}
        </div>
      </div>
    ),
  },
  {
    head: 'Estado',
    cell: ({ disabledAt }) =>
      disabledAt ? <span class="badge status-5">deshabilitado</span> : <span class="badge status-4">fallando</span>,
  },
  {
    head: 'Desde',
    cell: ({ since, disabledAt }) => {
      const at = disabledAt ?? since
      return at && <Moment at={at} when={ctx} />
    },
  },
  { head: 'Último error', cell: ({ lastError }) => <span class="hint">{lastError ?? '–'}</span> },
  {
    head: 'Entregas',
    cell: ({ app, topic }) => (
      <a href={`/consola/entregas?app=${app.appKey}&topic=${topic}`}>
        Ver
        <span class="visually-hidden">
          {' '}
          las entregas de {topic} a {app.nombre}
        </span>
      </a>
    ),
  },
]
