import { notFound } from '../../../http/problems.ts'
import type { ReadableContents } from '../../../mail/email.ts'
import { type EmailSummary, readEmail, resendEmail } from '../../../mail/mails.ts'
import { inquiryWriter } from '../../../resources/consultas/emails.ts'
import { CONFIRMATION } from '../../form.ts'
import { Moment } from '../../format.tsx'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { PostButton } from '../../parts.tsx'
import { allowLetterFrame, asLetter } from '../../security.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type ConsoleContext, ConsolePage, type ConsolePages } from '../context.tsx'
import { CORREOS, CORREOS_LIST, formatKind, STATES } from './list.tsx'

type ById = { Params: { id: string } }

/** /consola/correos: what was written to whom, and whether it arrived. */
export function lettersRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const writer = inquiryWriter(store, config)

  serveList(app, '/correos', deps, CORREOS_LIST)

  async function letterAt(id: string) {
    const letter = /^\d{1,15}$/.test(id) ? await readEmail(store, { seal, writer }, Number(id)) : undefined
    if (!letter) throw notFound('No hay un correo así. Los acuses de quien pidió supresión ya no están.')
    return letter
  }

  app.get<ById>('/correos/:id', async (request, reply) => {
    const { ctx } = request
    const letter = await letterAt(request.params.id)
    await ctx.audit('correo.leer', `correo ${letter.id}`, { tipo: letter.kind })
    return page(allowLetterFrame(reply), letterPage({ ctx, letter }))
  })

  app.post<ById>('/correos/:id/reenviar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { id, kind, contents } = await letterAt(request.params.id)
    const sent = await store.transaction(async (tx) => {
      const again = contents !== undefined && (await resendEmail(tx, id))
      if (again) await ctx.audit('correo.reenviar', `correo ${id}`, { tipo: kind }, tx)
      return again
    })
    return redirectWithNotice(reply, sent ? 'correo-otra-vez' : 'correo-no-se-reenvia', `${CORREOS}/${id}`)
  })

  /** The HTML of the e-mail, for the frame on its page: it can neither run nor load anything. */
  app.get<ById>('/correos/:id/html', async (request, reply) => {
    const { ctx } = request
    const { id, kind, contents } = await letterAt(request.params.id)
    if (!contents) throw notFound()
    await ctx.audit('correo.leer', `correo ${id}`, { tipo: kind }) // it can be opened without its page
    return asLetter(reply).type('text/html; charset=utf-8').send(contents.html)
  })
}

interface Props {
  ctx: ConsoleContext
  letter: EmailSummary & { sid: string | null; contents: ReadableContents | undefined }
}

/** One e-mail: its state and its content. The HTML is in a sandboxed frame. */
function letterPage({ ctx, letter }: Props) {
  const { id, kind, contents, estado, resendable } = letter
  return (
    <ConsolePage
      ctx={ctx}
      title={contents?.subject ?? formatKind(kind)}
      section={CORREOS}
      above={{ href: CORREOS, label: 'Correos' }}
      acts={resendable && contents && <PostButton action={`${CORREOS}/${id}/reenviar`}>Enviar otra vez</PostButton>}
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
