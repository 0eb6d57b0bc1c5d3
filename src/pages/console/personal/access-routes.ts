import type { FastifyInstance, FastifyReply } from 'fastify'
import {
  renewRecoveryCodes,
  resetSecondFactor,
  secondFactorOf,
  showCode,
  useRecoveryCode,
} from '../../../accounts/second-factor.ts'
import { findAccountById } from '../../../accounts/store.ts'
import { notFound } from '../../../http/problems.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { HIDDEN, type People, seeOther } from '../../people.ts'
import { recoveryPage } from '../../sign-in/code-page.tsx'
import { tellOwner, wrongCode } from '../../sign-in/owner.ts'
import { type Visit, visitBy } from '../visit.tsx'
import { accessPage } from './access-page.tsx'
import { OWN_ACCESS } from './list-page.tsx'

const WRONG = 'El código no es correcto, o ya se usó. Espere a que su app muestre el siguiente y escriba ese.'

/** /consola/personal/acceso: one's own second factor. */
export function ownAccessRoutes(app: FastifyInstance, people: People): void {
  const { store, seal, clock, sessions, attempts } = people

  /** The page again, after a code that was wrong. */
  async function refuse(reply: FastifyReply, visit: Visit, form: 'codigos' | 'telefono', left: number) {
    await wrongCode(people, visit.account, left)
    return show(reply, visit, form)
  }

  async function show(reply: FastifyReply, visit: Visit, refused?: 'codigos' | 'telefono') {
    const factor = await secondFactorOf(store, visit.account.id)
    if (!factor) throw notFound()
    const field = refused === 'codigos' ? 'Codigo' : 'CodigoActual'
    const again = refused && { form: refused, errors: { [field]: [WRONG] } }
    return page(reply, accessPage({ visit, factor, ...(again && { refused: again }) }), refused ? 400 : 200)
  }

  app.get(OWN_ACCESS, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    return visit ? show(reply, visit) : reply
  })

  app.post(`${OWN_ACCESS}/codigos`, CONFIRMATION, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { account, support } = visit
    const attempt = attempts.takeOwn(attemptKey(visit))
    if (!(await showCode(store, seal, account.id, line(formOf(request), 'Codigo'), clock())))
      return refuse(reply, visit, 'codigos', attempt.left)
    attempt.giveBack()
    const codes = await store.transaction(async (tx) => {
      await tellOwner(tx, people, account, { hecho: 'codigos' })
      return renewRecoveryCodes(tx, seal, account.id)
    })
    await visit.note('codigos-de-recuperacion.renovar', `cuenta ${account.id}`)
    return page(reply, recoveryPage({ account, codes, next: OWN_ACCESS, support }))
  })

  app.post(`${OWN_ACCESS}/telefono`, CONFIRMATION, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { account } = visit
    const code = line(formOf(request), 'CodigoActual')
    const attempt = attempts.takeOwn(attemptKey(visit))
    const right =
      (await showCode(store, seal, account.id, code, clock())) || (await useRecoveryCode(store, seal, account.id, code))
    if (!right) return refuse(reply, visit, 'telefono', attempt.left)
    attempt.giveBack()
    await store.transaction(async (tx) => {
      if (await resetSecondFactor(tx, account.id)) await tellOwner(tx, people, account, { hecho: 'telefono' })
    })
    await visit.note('segundo-paso.cambiar', `cuenta ${account.id}`)
    const changed = await findAccountById(store, account.id)
    if (changed) sessions.open(reply, changed) // half-way: what follows sets the new telephone up
    return seeOther(reply, '/entrar/codigo')
  })
}

/** What attempts at the code are counted by. */
const attemptKey = ({ account }: Visit) => `codigo ${account.id}`
