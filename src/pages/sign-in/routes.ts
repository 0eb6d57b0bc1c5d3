import type { FastifyInstance } from 'fastify'
import { checkPassword } from '../../accounts/password.ts'
import { withQuery } from '../../http/links.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import type { Query } from '../asked.ts'
import { formOf, line, secret } from '../form.ts'
import { page } from '../page.ts'
import { HIDDEN, homeOf, type People, safeReturn, seeOther } from '../people.ts'
import { signInPage } from './page.tsx'

const WRONG = 'El correo o la clave no son correctos. Revíselos, o pida una clave nueva con «Olvidé mi clave».'

/** /entrar and /salir */
export function signInRoutes(app: FastifyInstance, people: People): void {
  const { sessions, guesses, store, config } = people
  const support = supportOf(config)

  app.get<{ Querystring: Query }>('/entrar', HIDDEN, async (request, reply) => {
    const { query } = request
    const volver = safeReturn(String(query.volver ?? ''))
    const account = await sessions.signedIn(request)
    if (account) return seeOther(reply, volver ?? homeOf(account))
    if (await sessions.halfway(request)) return seeOther(reply, withQuery('/entrar/codigo', { volver }))
    return page(reply, signInPage({ volver, left: query.salio === 'si', late: query.tarde === 'si', support }))
  })

  app.post('/entrar', HIDDEN, async (request, reply) => {
    const form = formOf(request)
    const [email, volver, modo] = [line(form, 'Email'), safeReturn(form.get('volver')), form.get('modo') ?? undefined]
    guesses.spend(request.ip, email)
    const account = await checkPassword(store, email, secret(form), modo === 'prueba' ? 'prueba' : 'produccion')
    if (!account) return page(reply, signInPage({ email, volver, modo, errors: { _: [WRONG] }, support }), 400)
    guesses.giveBack(request.ip, email)
    sessions.open(reply, account)
    if (account.staff) return seeOther(reply, withQuery('/entrar/codigo', { volver }))
    return seeOther(reply, volver ?? homeOf(account))
  })

  app.post('/salir', HIDDEN, async (request, reply) => {
    await sessions.close(request, reply)
    return seeOther(reply, '/entrar?salio=si')
  })
}
