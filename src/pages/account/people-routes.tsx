import type { FastifyInstance } from 'fastify'
import { fullName } from '../../accounts/account.ts'
import { isPasswordOf } from '../../accounts/password.ts'
import { type Errors, notFound } from '../../http/problems.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { inviteOperator, removeOperator } from '../../resources/agencias/operators.ts'
import { pendingOperadores } from '../../resources/agencias/store.ts'
import { supportOf } from '../../resources/agencias/support.ts'
import { formOf, line, secret } from '../form.ts'
import { page } from '../page.ts'
import { done, HIDDEN, type People } from '../people.ts'
import { administers } from './administers.ts'
import { administratorPage } from './administrator-page.tsx'
import { confirmPage } from './confirm.tsx'
import { showAccount } from './routes.ts'

type ById = { Params: { id: string } }
type Refused = Exclude<Awaited<ReturnType<typeof inviteOperator>>['kind'], 'asked'>

const REFUSALS: Record<Refused, string> = {
  invalid: 'Escriba un correo de hasta 50 caracteres, por ejemplo nombre@agencia.com.',
  already: 'Esa persona ya trabaja en la agencia.',
  'too-many': 'Ya le enviamos varios correos hoy. Espere hasta mañana, o pídale que busque el último.',
}

/** /cuenta/colaboradores and /cuenta/administrador: who works at the agency, decided by its administrator. */
export function accountPeopleRoutes(app: FastifyInstance, people: People): void {
  const { store, config, guesses } = people
  const support = supportOf(config)

  app.post('/cuenta/colaboradores', HIDDEN, async (request, reply) => {
    const who = await administers(people, request, reply)
    if (!who) return reply
    const email = line(formOf(request), 'Email')
    const { kind } = await inviteOperator(people, { agencia: who.agencia, email, rol: 'vendedor', by: who.account })
    if (kind === 'asked') return done(reply, 'invitado')
    const invited = { email, errors: { Email: [REFUSALS[kind]] } }
    return showAccount(people, reply, who.account, { invited }, 400)
  })

  /** Somebody whom the administrator may remove: who works there, or was asked and has not come. */
  async function removable(agencia: Agencia, id: string) {
    const there = agencia.operadores.find((each) => String(each.accountId) === id && each.rol === 'vendedor')
    if (there) return { accountId: there.accountId, name: fullName(there), came: true }
    const asked = (await pendingOperadores(store, agencia.id)).find((each) => String(each.accountId) === id)
    if (!asked) throw notFound()
    return { accountId: asked.accountId, name: asked.email, came: false }
  }

  app.get<ById>('/cuenta/colaboradores/:id/quitar', HIDDEN, async (request, reply) => {
    const action = `/cuenta/colaboradores/${request.params.id}/quitar`
    const who = await administers(people, request, reply, action)
    if (!who) return reply
    const { name, came } = await removable(who.agencia, request.params.id)
    const title = came ? `¿Quitar a ${name}?` : `¿Retirar la invitación a ${name}?`
    const text = came
      ? `Deja de ver ${who.agencia.nombre} y se cierran sus sesiones. Puede volver a invitarle cuando quiera.`
      : 'El enlace que recibió deja de servir.'
    const button = came ? 'Sí, quitar' : 'Sí, retirar'
    return page(reply, confirmPage({ account: who.account, support, title, action, button, children: <p>{text}</p> }))
  })

  app.post<ById>('/cuenta/colaboradores/:id/quitar', HIDDEN, async (request, reply) => {
    const who = await administers(people, request, reply)
    if (!who) return reply
    const { accountId, came } = await removable(who.agencia, request.params.id)
    await removeOperator(people, who.agencia, accountId, who.account)
    return done(reply, came ? 'quitado' : 'retirada')
  })

  app.get('/cuenta/administrador', HIDDEN, async (request, reply) => {
    const who = await administers(people, request, reply, '/cuenta/administrador')
    return who ? page(reply, administratorPage({ ...who, support })) : reply
  })

  app.post('/cuenta/administrador', HIDDEN, async (request, reply) => {
    const who = await administers(people, request, reply, '/cuenta/administrador')
    if (!who) return reply
    const { account, agencia } = who
    const form = formOf(request)
    const email = line(form, 'Email')
    const errors: Errors = {}
    // An agency is not given away by whoever found a session open.
    guesses.spend(request.ip, account.email)
    if (await isPasswordOf(store, account, secret(form))) guesses.giveBack(request.ip, account.email)
    else errors.Clave = ['No es su clave. Escríbala otra vez.']
    const asked = errors.Clave
      ? undefined
      : await inviteOperator(people, { agencia, email, rol: 'administrador', by: account })
    if (asked?.kind === 'asked') return done(reply, 'reemplazo')
    if (asked) errors.Email = [asked.kind === 'already' ? 'Usted ya administra la agencia.' : REFUSALS[asked.kind]]
    return page(reply, administratorPage({ account, agencia, support, email, errors }), 400)
  })
}
