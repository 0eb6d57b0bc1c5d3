import type { FastifyReply } from 'fastify'
import {
  renewRecoveryCodes,
  resetSecondFactor,
  secondFactorOf,
  showCode,
  useRecoveryCode,
} from '../../../accounts/second-factor.ts'
import { findAccountById } from '../../../accounts/store.ts'
import { notFound } from '../../../http/problems.ts'
import { recoveryPage } from '../../entrar/code-routes.tsx'
import { notifyOwner, wrongCode } from '../../entrar/owner.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { type PageDeps, seeOther } from '../../signed-in.ts'
import type { ConsoleContext, ConsolePages } from '../context.tsx'
import { accessPage } from './access-page.tsx'
import { OWN_ACCESS } from './list.tsx'

const WRONG = 'El código no es correcto, o ya se usó. Espere a que su app muestre el siguiente y escriba ese.'

/** /consola/personal/acceso: one's own second factor. */
export function ownAccessRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, clock, sessions, attempts } = deps

  /** The page again, after a code that was wrong. */
  async function refuse(reply: FastifyReply, ctx: ConsoleContext, form: 'codigos' | 'telefono', left: number) {
    await wrongCode(deps, ctx.account, left)
    return show(reply, ctx, form)
  }

  async function show(reply: FastifyReply, ctx: ConsoleContext, refused?: 'codigos' | 'telefono') {
    const factor = await secondFactorOf(store, ctx.account.id)
    if (!factor) throw notFound()
    const field = refused === 'codigos' ? 'Codigo' : 'CodigoActual'
    const again = refused && { form: refused, errors: { [field]: [WRONG] } }
    return page(reply, accessPage({ ctx, factor, ...(again && { refused: again }) }), refused ? 400 : 200)
  }

  app.get('/personal/acceso', async (request, reply) => {
    const { ctx } = request
    return show(reply, ctx)
  })

  app.post('/personal/acceso/codigos', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { account, support } = ctx
    const attempt = attempts.takeOwn(attemptKey(ctx))
    if (!(await showCode(store, seal, account.id, line(formOf(request), 'Codigo'), clock())))
      return refuse(reply, ctx, 'codigos', attempt.left)
    attempt.giveBack()
    const codes = await store.transaction(async (tx) => {
      await notifyOwner(tx, deps, account, { hecho: 'codigos' })
      return renewRecoveryCodes(tx, seal, account.id)
    })
    await ctx.audit('codigos-de-recuperacion.renovar', `cuenta ${account.id}`)
    return page(reply, recoveryPage({ account, codes, next: OWN_ACCESS, support }))
  })

  app.post('/personal/acceso/telefono', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const { account } = ctx
    const code = line(formOf(request), 'CodigoActual')
    const attempt = attempts.takeOwn(attemptKey(ctx))
    const right =
      (await showCode(store, seal, account.id, code, clock())) || (await useRecoveryCode(store, seal, account.id, code))
    if (!right) return refuse(reply, ctx, 'telefono', attempt.left)
    attempt.giveBack()
    await store.transaction(async (tx) => {
      if (await resetSecondFactor(tx, account.id)) await notifyOwner(tx, deps, account, { hecho: 'telefono' })
    })
    await ctx.audit('segundo-paso.cambiar', `cuenta ${account.id}`)
    const changed = await findAccountById(store, account.id)
    if (changed) sessions.open(reply, changed) // half-way: what follows sets the new telephone up
    return seeOther(reply, '/entrar/codigo')
  })
}

/** What attempts at the code are counted by. */
const attemptKey = ({ account }: ConsoleContext) => `codigo ${account.id}`
