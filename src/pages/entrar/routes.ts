import type { FastifyInstance } from 'fastify'
import { type Account, MAIL_CHARACTERS } from '../../accounts/account.ts'
import { checkPassword, isPasswordOf, isTooLongPassword, PASSWORD_TOO_LONG } from '../../accounts/password.ts'
import { withQuery } from '../../http/links.ts'
import type { Errors } from '../../http/problems.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import { CONFIRMATION, formOf, line, SIGN_IN_FORM, secret } from '../form.ts'
import { HIDDEN, page } from '../page.ts'
import type { Query } from '../params.ts'
import { homeOf, type PageDeps, safeReturn, seeOther } from '../signed-in.ts'
import { signInPage } from './page.tsx'

const WRONG = 'El correo o la clave no son correctos. Revíselos, o pida una clave nueva con «Olvidé mi clave».'

/** What cannot be an account's, refused before it is counted or hashed. */
function tooLong(email: string, password: string): Errors | undefined {
  if (email.length > MAIL_CHARACTERS) return { Email: [`El correo puede tener hasta ${MAIL_CHARACTERS} caracteres.`] }
  return isTooLongPassword(password) ? { Clave: [PASSWORD_TOO_LONG] } : undefined
}

/** /entrar and /salir */
export function signInRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { sessions, devices, attempts, store, config } = deps
  const support = supportOf(config)

  app.get<{ Querystring: Query }>('/entrar', HIDDEN, async (request, reply) => {
    const { query } = request
    const volver = safeReturn(String(query.volver ?? ''))
    const account = await sessions.signedIn(request)
    if (account) return seeOther(reply, volver ?? homeOf(account))
    if (await sessions.halfway(request)) return seeOther(reply, withQuery('/entrar/codigo', { volver }))
    return page(reply, signInPage({ volver, left: query.salio === 'si', late: query.tarde === 'si', support }))
  })

  /** The budget of a known device is for its own accounts, not for another that has the same e-mail address. */
  async function firstWith(password: string, accounts: Account[] = []): Promise<Account | undefined> {
    for (const account of accounts) if (await isPasswordOf(store, account, password)) return account
    return undefined
  }

  app.post('/entrar', SIGN_IN_FORM, async (request, reply) => {
    const form = formOf(request)
    const [email, volver, modo] = [line(form, 'Email'), safeReturn(form.get('volver')), form.get('modo') ?? undefined]
    const errors = tooLong(email, secret(form))
    if (errors) return page(reply, signInPage({ email, volver, modo, errors, support }), 400)
    const device = await devices.find(request, email)
    const attempt = attempts.take({ ip: request.ip, subject: email, device: device?.id })
    const account = attempt.byDevice
      ? await firstWith(secret(form), device?.accounts)
      : await checkPassword(store, email, secret(form), modo === 'prueba' ? 'prueba' : 'produccion')
    if (!account) return page(reply, signInPage({ email, volver, modo, errors: { _: [WRONG] }, support }), 400)
    attempt.giveBack()
    sessions.open(reply, account)
    if (account.staff) return seeOther(reply, withQuery('/entrar/codigo', { volver }))
    return seeOther(reply, volver ?? homeOf(account))
  })

  app.post('/salir', CONFIRMATION, async (request, reply) => {
    await sessions.close(request, reply)
    return seeOther(reply, '/entrar?salio=si')
  })
}
