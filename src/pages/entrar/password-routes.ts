import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { isMailAddress } from '../../accounts/account.ts'
import { readLink } from '../../accounts/links.ts'
import { passwordFault } from '../../accounts/password.ts'
import { findAccountById } from '../../accounts/store.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import { formOf, line, SIGN_IN_FORM, secret } from '../form.ts'
import { HIDDEN, page } from '../page.ts'
import { type ByToken, homeOf, type PageDeps, seeOther } from '../signed-in.ts'
import { askedPage, askPage, choosePage, deadResetPage } from './password-page.tsx'
import { askReset, resetPassword } from './reset.ts'

/** Every answer takes at least this long, so that its time does not tell whether there was somebody to write to. */
const LEAST_MS = 250

/** /clave and /clave/{token} */
export function passwordRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { sessions, attempts, store, config } = deps
  const support = supportOf(config)

  app.get('/clave', HIDDEN, (_request, reply) => page(reply, askPage({ support })))

  app.post('/clave', SIGN_IN_FORM, async (request, reply) => {
    const email = line(formOf(request), 'Email')
    if (!isMailAddress(email.toLowerCase())) {
      const errors = { Email: ['Escriba el correo de su cuenta, por ejemplo nombre@agencia.com.'] }
      return page(reply, askPage({ email, errors, support }), 400)
    }
    attempts.take({ ip: request.ip, subject: `clave ${email}` })
    await Promise.all([askReset(deps, email), pause(LEAST_MS)])
    return page(reply, askedPage({ email, support }))
  })

  /** The account of a link that can still be used. Reading uses nothing up: mail scanners open links. */
  async function accountOf(token: string) {
    const link = await readLink(store, token, 'clave')
    return link?.state === 'open' ? findAccountById(store, link.accountId) : undefined
  }

  app.get<ByToken>('/clave/:token', HIDDEN, async ({ params: { token } }, reply) => {
    const account = await accountOf(token)
    if (!account) return page(reply, deadResetPage({ support }), 404)
    return page(reply, choosePage({ token, account, support }))
  })

  app.post<ByToken>('/clave/:token', SIGN_IN_FORM, async (request, reply) => {
    const { token } = request.params
    const attempt = attempts.take({ ip: request.ip })
    const account = await accountOf(token)
    if (!account) return page(reply, deadResetPage({ support }), 404)
    const password = secret(formOf(request))
    const fault = passwordFault(password, account.email)
    if (fault) return page(reply, choosePage({ token, account, errors: { Clave: [fault] }, support }), 400)
    const changed = await resetPassword(deps, token, password)
    if (!changed) return page(reply, deadResetPage({ support }), 404)
    attempt.giveBack()
    sessions.open(reply, changed)
    return seeOther(reply, homeOf(changed))
  })
}
