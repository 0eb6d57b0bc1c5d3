import type { ReadableContents } from '../../../mail/email.ts'
import type { EmailSummary } from '../../../mail/mails.ts'
import { Moment } from '../../format.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { formatKind, STATES } from './labels.ts'
import { CORREOS } from './list.tsx'

interface Props {
  ctx: ConsoleContext
  letter: EmailSummary & { sid: string | null; contents: ReadableContents | undefined }
}

/** One e-mail: its state and its content. The HTML is in a sandboxed frame. */
export function letterPage({ ctx, letter }: Props) {
  const { id, kind, contents, estado, resendable } = letter
  return (
    <ConsolePage
      ctx={ctx}
      title={contents?.subject ?? formatKind(kind)}
      section={CORREOS}
      above={{ href: CORREOS, label: 'Correos' }}
      acts={
        resendable &&
        contents && (
          <form method="post" action={`${CORREOS}/${id}/reenviar`}>
            <button type="submit">Enviar otra vez</button>
          </form>
        )
      }
    >
      <section>
        <Facts ctx={ctx} letter={letter} />
        {estado === 'fallida' && !resendable && (
          <p class="hint">
            Llevaba un enlace que vale una sola vez, y nuestra copia ya no lo tiene: para que le llegue hay que enviar
            uno nuevo, desde donde salió este.
          </p>
        )}
      </section>
      {estado === 'guardada' && contents?.oneTimeUrls && <Links urls={contents.oneTimeUrls} />}
      {contents ? (
        <>
          <section>
            <h2>Como se ve</h2>
            <iframe class="letter" src={`${CORREOS}/${id}/html`} title={`Correo: ${contents.subject}`} sandbox="" />
          </section>
          <details>
            <summary>Como texto</summary>
            <pre class="letter-text" tabindex={0}>
              {contents.text}
            </pre>
          </details>
        </>
      ) : (
        <div class="empty">
          <p>Lo que contaba se suprimió a pedido de la persona: el correo ya no dice nada.</p>
        </div>
      )}
    </ConsolePage>
  )
}

function Facts({ ctx, letter: { to, kind, estado, attempts, at, settledAt, dueAt, lastError, sid } }: Props) {
  const { label, badge, means } = STATES[estado]
  return (
    <dl class="data">
      <div>
        <dt>Estado</dt>
        <dd>
          <span class={`badge ${badge}`}>{label}</span> {means}
        </dd>
      </div>
      <div>
        <dt>Para</dt>
        <dd>{to}</dd>
      </div>
      <div>
        <dt>Tipo</dt>
        <dd>
          {formatKind(kind)}
          {sid && (
            <>
              {' '}
              (<a href={`/consola/consultas/${sid}`}>la consulta</a>)
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Escrito</dt>
        <dd>
          <Moment at={at} when={ctx} />
        </dd>
      </div>
      {settledAt ? (
        <div>
          <dt>Terminó</dt>
          <dd>
            <Moment at={settledAt} when={ctx} />, {attempts === 1 ? 'en 1 intento' : `en ${attempts} intentos`}
          </dd>
        </div>
      ) : (
        <div>
          <dt>Próximo intento</dt>
          <dd>
            <Moment at={dueAt} when={ctx} />, {attempts === 1 ? 'hubo 1' : `hubo ${attempts}`}
          </dd>
        </div>
      )}
      {lastError && (
        <div>
          <dt>Último error</dt>
          <dd>{lastError}</dd>
        </div>
      )}
    </dl>
  )
}

/** The links of an e-mail, for people who try the server without a mail server. */
const Links = ({ urls }: { urls: string[] }) => (
  <section>
    <h2>Sus enlaces</h2>
    <ul>
      {urls.map((url) => (
        <li key={url}>
          <a class="wrap-anywhere" href={url} rel="noreferrer">
            {url}
          </a>
        </li>
      ))}
    </ul>
  </section>
)
