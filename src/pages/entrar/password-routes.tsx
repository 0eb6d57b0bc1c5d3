import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { requestReset, resetPassword } from '../../access/credentials.ts'
import { type Account, isMailAddress } from '../../accounts/account.ts'
import { readLink } from '../../accounts/links.ts'
import { passwordFault } from '../../accounts/password.ts'
import { findAccountById } from '../../accounts/store.ts'
import { withQuery } from '../../http/links.ts'
import type { Errors } from '../../http/problems.ts'
import { rich, t } from '../../i18n/messages.tsx'
import { EMAIL_INPUT, Field, Form, NewPassword } from '../fields.tsx'
import { passwordField, SIGN_IN_FORM, textField } from '../form.ts'
import { homeOf } from '../home-link.tsx'
import { NarrowPage } from '../layout.tsx'
import { HIDDEN, page } from '../page.ts'
import { ButtonLink, SecondaryLink } from '../parts.tsx'
import { type ByToken, type PageDeps, seeOther } from '../signed-in.ts'

/** Every response takes at least this long, so that its time does not disclose accounts. */
const MIN_RESPONSE_MS = 250

/** /clave and /clave/{token} */
export function passwordRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { sessions, attempts, store } = deps

  app.get('/clave', HIDDEN, (_request, reply) => page(reply, resetRequestPage({})))

  app.post('/clave', SIGN_IN_FORM, async (request, reply) => {
    const email = textField(request.form, 'Email')
    if (!isMailAddress(email.toLowerCase())) {
      const errors = { Email: [t('entrar.reset.noEmail')] }
      return page(reply, resetRequestPage({ email, errors }), 400)
    }
    attempts.take({ ip: request.ip, subject: `clave ${email}` })
    await Promise.all([requestReset(deps, email), pause(MIN_RESPONSE_MS)])
    return page(reply, resetSentPage({ email }))
  })

  /** The account of an open link. Reading does not use it up, because mail scanners open links. */
  async function accountOf(token: string) {
    const link = await readLink(store, token, 'clave')
    return link?.state === 'open' ? findAccountById(store, link.accountId) : undefined
  }

  app.get<ByToken>('/clave/:token', HIDDEN, async ({ params: { token } }, reply) => {
    const account = await accountOf(token)
    if (!account) return page(reply, deadResetPage(), 404)
    return page(reply, choosePage({ token, account }))
  })

  app.post<ByToken>('/clave/:token', SIGN_IN_FORM, async (request, reply) => {
    const { token } = request.params
    const attempt = attempts.take({ ip: request.ip })
    const account = await accountOf(token)
    if (!account) return page(reply, deadResetPage(), 404)
    const password = passwordField(request.form)
    const fault = passwordFault(password, account.email)
    if (fault) return page(reply, choosePage({ token, account, errors: { Clave: [fault] } }), 400)
    const changed = await resetPassword(deps, token, password)
    if (!changed) return page(reply, deadResetPage(), 404)
    attempt.refund()
    if (changed.viaOidc) return seeOther(reply, withQuery('/entrar', { empresa: 'si' })) // a password does not let them in
    sessions.open(reply, changed)
    return seeOther(reply, homeOf(changed))
  })
}

const resetRequestPage = ({ email = '', errors }: { email?: string; errors?: Errors }) => (
  <NarrowPage title={t('entrar.forgot')} visitor="signed-out" lead={t('entrar.reset.lead')}>
    <Form action="/clave" class="sheet" button={t('entrar.reset.send')} errors={errors}>
      <Field
        name="Email"
        label={t('entrar.reset.email')}
        value={email}
        more={{ ...EMAIL_INPUT, autocomplete: 'username' }}
      />
    </Form>
  </NarrowPage>
)

/** Does not tell whether there is such an account. */
const resetSentPage = ({ email }: { email: string }) => (
  <NarrowPage title={t('entrar.reset.sent')} visitor="signed-out" lead={rich('entrar.reset.sentLead', { email })}>
    <ul>
      <li>{t('entrar.reset.spam')}</li>
      <li>{t('entrar.reset.otherAddress')}</li>
    </ul>
    <p>
      <a href="/clave">{t('entrar.reset.tryOther')}</a>
    </p>
  </NarrowPage>
)

const choosePage = ({ token, account, errors }: { token: string; account: Account; errors?: Errors }) => (
  <NarrowPage
    title={t('entrar.reset.choose')}
    visitor="signed-out"
    lead={rich('entrar.reset.chooseLead', { modo: account.modo, email: account.email })}
  >
    <Form action={`/clave/${token}`} class="sheet" button={t('entrar.reset.save')} errors={errors}>
      <input type="hidden" name="Email" value={account.email} autocomplete="username" />
      <NewPassword label={t('entrar.reset.newPassword')} />
    </Form>
  </NarrowPage>
)

/** For a link that was used, has expired or never existed. */
const deadResetPage = () => (
  <NarrowPage title={t('entrar.reset.dead')} visitor="signed-out" lead={t('entrar.reset.deadLead')}>
    <p class="row">
      <ButtonLink href="/clave">{t('entrar.reset.another')}</ButtonLink>
      <SecondaryLink href="/entrar">{t('entrar.signIn')}</SecondaryLink>
    </p>
  </NarrowPage>
)
