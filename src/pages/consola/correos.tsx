import { MAIL_CHARACTERS } from '../../accounts/account.ts'
import { notFound } from '../../http/problems.ts'
import { message, rich, t, textOrElse } from '../../i18n/messages.tsx'
import { EMAIL_KINDS, type ReadableContents, redact } from '../../mail/email.ts'
import {
  type EmailSummary,
  listEmails,
  MAIL_STATES,
  type MailState,
  readEmail,
  resendEmail,
} from '../../mail/mail-log.ts'
import { consultaWriter } from '../../resources/consultas/emails.ts'
import { capitalize } from '../../text.ts'
import { translateError } from '../../webhooks/send/explain.ts'
import { selectFilter, textFilter } from '../filter.tsx'
import { CONFIRMATION_FORM } from '../form.ts'
import { Moment } from '../format.tsx'
import { defineList, numberedPage, serveList, timeOrders } from '../list.tsx'
import { page } from '../page.ts'
import { requireFound } from '../params.ts'
import { type Fact, Facts, PostButton, Section } from '../parts.tsx'
import { allowEmailFrame, asFramedEmail } from '../security.ts'
import { type ById, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { badgeColumn, momentColumn, RowLink } from '../table.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages } from './context.tsx'

const formatKind = (kind: string): string => textOrElse(`consola.mail.kind.${kind}`, kind)

/** The text of a stored code; what a mail server answered stays as it is. */
const explainError = (error: string | null): string | null =>
  textOrElse(`consola.mail.error.${error}`, error && translateError(error))

const BADGES: Record<MailState, string> = {
  pendiente: 'info',
  entregada: 'ok',
  fallida: 'error',
  guardada: 'attention',
}

const StateBadge = ({ estado }: { estado: MailState }) => (
  <span class={`badge ${BADGES[estado]}`}>{t(`consola.mail.state.${estado}`)}</span>
)

const CORREOS = '/consola/correos'

const CORREOS_LIST = defineList(() => ({
  audience: CONSOLE,
  section: CORREOS,
  title: t('consola.mail.title'),
  filters: {
    para: textFilter(t('consola.mail.toExact'), { type: 'email', maxlength: MAIL_CHARACTERS }),
    tipo: selectFilter(
      t('consola.mail.type'),
      t('consola.filter.all.m'),
      EMAIL_KINDS.map((kind) => [kind, formatKind(kind)] as const),
    ),
    estado: selectFilter(
      t('consola.head.state'),
      t('consola.filter.all.m'),
      MAIL_STATES.map((estado) => [estado, capitalize(t(`consola.mail.state.${estado}`))] as const),
    ),
  },
  orders: timeOrders(),
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
    found.hasMailServer ? <p>{t('consola.mail.intro')}</p> : <p>{rich('consola.mail.intro.noServer')}</p>,
  columns: (ctx) => [
    {
      head: t('consola.head.email'),
      cell: ({ id, kind, to }) => (
        <span class="named">
          <RowLink href={`${CORREOS}/${id}`}>{formatKind(kind)}</RowLink>
          <span class="hint below wrap-anywhere">{to}</span>
        </span>
      ),
      text: ({ kind }) => formatKind(kind),
    },
    { head: t('consola.mail.to'), text: ({ to }) => to },
    badgeColumn(t('consola.head.state'), ({ estado }) => [BADGES[estado], t(`consola.mail.state.${estado}`)]),
    { ...momentColumn(t('consola.mail.written'), ctx, ({ at }) => at), sort: 'fecha' },
    { head: t('consola.head.attempts'), number: true, value: ({ attempts }) => attempts },
    {
      head: t('consola.mail.error'),
      cell: ({ lastError }) => <span class="hint">{explainError(lastError)}</span>,
      text: ({ lastError }) => explainError(lastError),
    },
  ],
  empty: {
    none: t('consola.mail.none'),
    noMatch: t('consola.mail.noMatch'),
    all: t('consola.filter.seeAll.m'),
  },
}))

/** /consola/correos: what was written to whom, and whether it arrived. */
export function correosRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const writer = consultaWriter(store, config)

  serveList(app, '/correos', deps, CORREOS_LIST)

  /** Without its one-time links for people who may only read: a link to the team makes an account that may do everything. */
  async function emailAt({ account }: ConsoleContext, id: string) {
    const found = /^\d{1,15}$/.test(id) ? await readEmail(store, { seal, writer }, Number(id)) : undefined
    const email = requireFound(found, message('consola.mail.noSuch'))
    return account.readOnly && email.contents ? { ...email, contents: redact(email.contents) } : email
  }

  app.get<ById>('/correos/:id', async ({ ctx, params }, reply) => {
    const email = await emailAt(ctx, params.id)
    await ctx.audit('correo.leer', `correo ${email.id}`, { tipo: email.kind })
    return page(allowEmailFrame(reply), emailPage(ctx, email))
  })

  app.post<ById>('/correos/:id/reenviar', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    const { id, kind, contents } = await emailAt(ctx, params.id)
    const audited = { act: 'correo.reenviar', subject: `correo ${id}`, detail: { tipo: kind } }
    const sent = await ctx.change(
      (resent) => (resent ? audited : undefined),
      async (tx) => contents !== undefined && resendEmail(tx, id),
    )
    return redirectWithNotice(reply, sent ? 'correo-otra-vez' : 'correo-no-se-reenvia', `${CORREOS}/${id}`)
  })

  /** The HTML of the email, for the frame on its page: it can neither run nor load anything. */
  app.get<ById>('/correos/:id/html', async ({ ctx, params }, reply) => {
    const { id, kind, contents } = await emailAt(ctx, params.id)
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
      parentLink={{ href: CORREOS, label: t('consola.nav.correos') }}
      actions={
        resendable &&
        contents && <PostButton action={`${CORREOS}/${id}/reenviar`}>{t('consola.mail.again')}</PostButton>
      }
    >
      <section>
        <Facts rows={factsOf(ctx, email)} />
        {estado === 'fallida' && !resendable && <p class="hint">{t('consola.mail.oneTime')}</p>}
      </section>
      {estado === 'guardada' && contents?.oneTimeUrls && <Links urls={contents.oneTimeUrls} />}
      {contents ? (
        <>
          <Section title={t('consola.mail.shown')}>
            <iframe
              class="email"
              src={`${CORREOS}/${id}/html`}
              title={t('consola.mail.frame', { subject: contents.subject })}
              sandbox=""
            />
          </Section>
          <details>
            <summary>{t('consola.mail.asText')}</summary>
            <pre class="email-text" tabindex={0}>
              {contents.text}
            </pre>
          </details>
        </>
      ) : (
        <div class="empty">
          <p>{t('consola.mail.erased')}</p>
        </div>
      )}
    </ConsolePage>
  )
}

function factsOf(ctx: ConsoleContext, email: Email): Fact[] {
  const { to, kind, estado, attempts, at, settledAt, dueAt, lastError, sid } = email
  const consulta = sid && [' (', <a href={`/consola/consultas/${sid}`}>{t('consola.mail.theInquiry')}</a>, ')']
  return [
    [t('consola.head.state'), [<StateBadge estado={estado} />, ' ', t(`consola.mail.means.${estado}`)]],
    [t('consola.mail.to'), to],
    [t('consola.mail.type'), [formatKind(kind), consulta]],
    [t('consola.mail.written'), <Moment at={at} when={ctx} />],
    [
      t('consola.mail.settled'),
      settledAt &&
        (attempts > 0 ? (
          rich('consola.mail.inAttempts', { moment: <Moment at={settledAt} when={ctx} />, count: attempts })
        ) : (
          <Moment at={settledAt} when={ctx} />
        )),
    ],
    [
      t('consola.mail.next'),
      !settledAt && rich('consola.mail.afterAttempts', { moment: <Moment at={dueAt} when={ctx} />, count: attempts }),
    ],
    [t('consola.head.lastError'), explainError(lastError)],
  ]
}

/** The links of an email, for people who try the server without a mail server. */
const Links = ({ urls }: { urls: string[] }) => (
  <Section title={t('consola.mail.links')}>
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
