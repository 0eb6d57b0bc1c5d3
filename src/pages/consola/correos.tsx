import { MAIL_CHARACTERS } from '../../accounts/account.ts'
import { notFound } from '../../http/problems.ts'
import { EMAIL_KINDS, type EmailKind, type ReadableContents } from '../../mail/email.ts'
import {
  type EmailSummary,
  listEmails,
  MAIL_STATES,
  type MailState,
  readEmail,
  resendEmail,
} from '../../mail/mail-log.ts'
import { consultaWriter } from '../../resources/consultas/emails.ts'
import { selectFilter, textFilter } from '../filter.tsx'
import { CONFIRMATION_FORM } from '../form.ts'
import { Moment } from '../format.tsx'
import { defineList, numberedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { type Fact, Facts, PostButton, Section } from '../parts.tsx'
import { allowEmailFrame, asFramedEmail } from '../security.ts'
import { type ById, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { column, momentColumn } from '../table.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages } from './context.tsx'

const formatKind = (kind: string): string => (Object.hasOwn(EMAIL_KINDS, kind) ? EMAIL_KINDS[kind as EmailKind] : kind)

const STATES: Record<MailState, { label: string; badge: string; means: string }> = {
  pendiente: { label: 'en camino', badge: 'info', means: 'Espera su turno, o el próximo intento.' },
  entregada: { label: 'entregado', badge: 'ok', means: 'El servidor de correo lo aceptó.' },
  fallida: { label: 'no llegó', badge: 'error', means: 'El servidor de correo lo rechazó, o se dejó de intentar.' },
  guardada: { label: 'guardado', badge: 'attention', means: 'No hay servidor de correo: se lee aquí.' },
}

const CORREOS = '/consola/correos'

const CORREOS_LIST = defineList({
  audience: CONSOLE,
  section: CORREOS,
  title: 'Correos',
  filters: {
    para: textFilter('Para (correo exacto)', { type: 'email', maxlength: MAIL_CHARACTERS }),
    tipo: selectFilter('Tipo', 'Todos', Object.entries(EMAIL_KINDS)),
    estado: selectFilter(
      'Estado',
      'Todos',
      MAIL_STATES.map((estado) => [estado, STATES[estado].label] as const),
    ),
  },
  load: async ({ store, config }, request) => {
    const { para: to, tipo: kind, estado } = request.filters
    const found = await numberedPage(request, (cursor) => listEmails(store, { to, kind, estado }, cursor))
    return { ...found, hasMailServer: config.smtpUrl !== undefined }
  },
  // Without the address: the log is no second place for it.
  audit: ({ csv, filters: { para, tipo, estado } }) => ({
    act: csv ? 'correos.bajar' : 'correos.listar',
    detail: { tipo, estado, porCorreo: para !== undefined },
  }),
  intro: ({ found }) =>
    found.hasMailServer ? (
      <p>Lo que se envió, lo que espera y lo que no llegó.</p>
    ) : (
      <p>
        No hay servidor de correo (<code>SMTP_URL</code>): los correos se guardan aquí, y sus enlaces sirven.
      </p>
    ),
  columns: (ctx) => [
    {
      head: 'Correo',
      cell: ({ id, kind }) => <a href={`${CORREOS}/${id}`}>{formatKind(kind)}</a>,
      text: ({ kind }) => formatKind(kind),
    },
    column('Para', 'to', (to) => <span class="wrap-anywhere">{to}</span>),
    {
      head: 'Estado',
      cell: ({ estado }) => <span class={`badge ${STATES[estado].badge}`}>{STATES[estado].label}</span>,
      text: ({ estado }) => STATES[estado].label,
    },
    momentColumn('Escrito', ctx, ({ at }) => at),
    { head: 'Intentos', number: true, value: ({ attempts }) => attempts },
    column('Error', 'lastError', (error) => <span class="hint">{error}</span>),
  ],
  empty: {
    none: 'Todavía no se escribió ningún correo. El primero sale cuando una app invita a una agencia.',
    noMatch: 'Ningún correo es así.',
    all: 'Ver todos',
  },
})

/** /consola/correos: what was written to whom, and whether it arrived. */
export function correosRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const writer = consultaWriter(store, config)

  serveList(app, '/correos', deps, CORREOS_LIST)

  async function emailAt(id: string) {
    const email = /^\d{1,15}$/.test(id) ? await readEmail(store, { seal, writer }, Number(id)) : undefined
    if (!email) throw notFound('No hay un correo así. Los acuses de quien pidió supresión ya no están.')
    return email
  }

  app.get<ById>('/correos/:id', async ({ ctx, params }, reply) => {
    const email = await emailAt(params.id)
    await ctx.audit('correo.leer', `correo ${email.id}`, { tipo: email.kind })
    return page(allowEmailFrame(reply), emailPage(ctx, email))
  })

  app.post<ById>('/correos/:id/reenviar', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    const { id, kind, contents } = await emailAt(params.id)
    const sent = await store.transaction(async (tx) => {
      const resent = contents !== undefined && (await resendEmail(tx, id))
      if (resent) await ctx.audit('correo.reenviar', `correo ${id}`, { tipo: kind }, tx)
      return resent
    })
    return redirectWithNotice(reply, sent ? 'correo-otra-vez' : 'correo-no-se-reenvia', `${CORREOS}/${id}`)
  })

  /** The HTML of the email, for the frame on its page: it can neither run nor load anything. */
  app.get<ById>('/correos/:id/html', async ({ ctx, params }, reply) => {
    const { id, kind, contents } = await emailAt(params.id)
    if (!contents) throw notFound()
    await ctx.audit('correo.leer', `correo ${id}`, { tipo: kind }) // it can be opened without its page
    return asFramedEmail(reply).type('text/html; charset=utf-8').send(contents.html)
  })
}

type Email = EmailSummary & { sid: string | null; contents: ReadableContents | undefined }

/** One email: its state and its content. The HTML is in a sandboxed frame. */
function emailPage(ctx: ConsoleContext, email: Email) {
  const { id, kind, contents, estado, resendable } = email
  return (
    <ConsolePage
      ctx={ctx}
      title={contents?.subject ?? formatKind(kind)}
      section={CORREOS}
      parentLink={{ href: CORREOS, label: 'Correos' }}
      actions={resendable && contents && <PostButton action={`${CORREOS}/${id}/reenviar`}>Enviar otra vez</PostButton>}
    >
      <section>
        <Facts rows={factsOf(ctx, email)} />
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
          <Section title="Como se ve">
            <iframe class="email" src={`${CORREOS}/${id}/html`} title={`Correo: ${contents.subject}`} sandbox="" />
          </Section>
          <details>
            <summary>Como texto</summary>
            <pre class="email-text" tabindex={0}>
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

function factsOf(ctx: ConsoleContext, email: Email): Fact[] {
  const { to, kind, estado, attempts, at, settledAt, dueAt, lastError, sid } = email
  const { label, badge, means } = STATES[estado]
  const consulta = sid && [' (', <a href={`/consola/consultas/${sid}`}>la consulta</a>, ')']
  const tries = attempts === 1 ? '1 intento' : `${attempts} intentos`
  return [
    ['Estado', [<span class={`badge ${badge}`}>{label}</span>, ` ${means}`]],
    ['Para', to],
    ['Tipo', [formatKind(kind), consulta]],
    ['Escrito', <Moment at={at} when={ctx} />],
    ['Terminó', settledAt && [<Moment at={settledAt} when={ctx} />, attempts > 0 && `, en ${tries}`]],
    ['Próximo intento', !settledAt && [<Moment at={dueAt} when={ctx} />, `, hubo ${attempts}`]],
    ['Último error', lastError],
  ]
}

/** The links of an email, for people who try the server without a mail server. */
const Links = ({ urls }: { urls: string[] }) => (
  <Section title="Sus enlaces">
    <ul>
      {urls.map((url) => (
        <li key={url}>
          <a class="wrap-anywhere" href={url} rel="noreferrer">
            {url}
          </a>
        </li>
      ))}
    </ul>
  </Section>
)
