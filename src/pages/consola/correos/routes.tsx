import { notFound } from '../../../http/problems.ts'
import type { ReadableContents } from '../../../mail/email.ts'
import { type EmailSummary, readEmail, resendEmail } from '../../../mail/mails.ts'
import { inquiryWriter } from '../../../resources/consultas/emails.ts'
import { CONFIRMATION } from '../../form.ts'
import { Moment } from '../../format.tsx'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import type { Fact } from '../../parts.tsx'
import { Facts, PostButton } from '../../parts.tsx'
import { allowEmailFrame, asFramedEmail } from '../../security.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type ConsoleContext, ConsolePage, type ConsolePages } from '../context.tsx'
import { CORREOS, CORREOS_LIST, formatKind, STATES } from './list.tsx'

type ById = { Params: { id: string } }

/** /consola/correos: what was written to whom, and whether it arrived. */
export function correosRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const writer = inquiryWriter(store, config)

  serveList(app, '/correos', deps, CORREOS_LIST)

  async function emailAt(id: string) {
    const email = /^\d{1,15}$/.test(id) ? await readEmail(store, { seal, writer }, Number(id)) : undefined
    if (!email) throw notFound('No hay un correo así. Los acuses de quien pidió supresión ya no están.')
    return email
  }

  app.get<ById>('/correos/:id', async ({ ctx, params }, reply) => {
    const email = await emailAt(params.id)
    await ctx.audit('correo.leer', `correo ${email.id}`, { tipo: email.kind })
    return page(allowEmailFrame(reply), emailPage({ ctx, email }))
  })

  app.post<ById>('/correos/:id/reenviar', CONFIRMATION, async ({ ctx, params }, reply) => {
    const { id, kind, contents } = await emailAt(params.id)
    const sent = await store.transaction(async (tx) => {
      const again = contents !== undefined && (await resendEmail(tx, id))
      if (again) await ctx.audit('correo.reenviar', `correo ${id}`, { tipo: kind }, tx)
      return again
    })
    return redirectWithNotice(reply, sent ? 'correo-otra-vez' : 'correo-no-se-reenvia', `${CORREOS}/${id}`)
  })

  /** The HTML of the e-mail, for the frame on its page: it can neither run nor load anything. */
  app.get<ById>('/correos/:id/html', async ({ ctx, params }, reply) => {
    const { id, kind, contents } = await emailAt(params.id)
    if (!contents) throw notFound()
    await ctx.audit('correo.leer', `correo ${id}`, { tipo: kind }) // it can be opened without its page
    return asFramedEmail(reply).type('text/html; charset=utf-8').send(contents.html)
  })
}

interface Props {
  ctx: ConsoleContext
  email: EmailSummary & { sid: string | null; contents: ReadableContents | undefined }
}

/** One e-mail: its state and its content. The HTML is in a sandboxed frame. */
function emailPage({ ctx, email }: Props) {
  const { id, kind, contents, estado, resendable } = email
  return (
    <ConsolePage
      ctx={ctx}
      title={contents?.subject ?? formatKind(kind)}
      section={CORREOS}
      above={{ href: CORREOS, label: 'Correos' }}
      acts={resendable && contents && <PostButton action={`${CORREOS}/${id}/reenviar`}>Enviar otra vez</PostButton>}
    >
      <section>
        <Facts rows={factsOf({ ctx, email })} />
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

function factsOf({ ctx, email }: Props): Fact[] {
  const { to, kind, estado, attempts, at, settledAt, dueAt, lastError, sid } = email
  const { label, badge, means } = STATES[estado]
  const consulta = sid && [' (', <a href={`/consola/consultas/${sid}`}>la consulta</a>, ')']
  const tries = attempts === 1 ? '1 intento' : `${attempts} intentos`
  return [
    ['Estado', [<span class={`badge ${badge}`}>{label}</span>, ` ${means}`]],
    ['Para', to],
    ['Tipo', [formatKind(kind), consulta]],
    ['Escrito', <Moment at={at} when={ctx} />],
    ['Terminó', settledAt && [<Moment at={settledAt} when={ctx} />, `, en ${tries}`]],
    ['Próximo intento', !settledAt && [<Moment at={dueAt} when={ctx} />, `, hubo ${attempts}`]],
    ['Último error', lastError],
  ]
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
