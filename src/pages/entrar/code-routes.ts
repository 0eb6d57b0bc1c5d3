import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../../accounts/account.ts'
import { audit } from '../../accounts/audit.ts'
import {
  offerSetup,
  type SecondFactor,
  secondFactorOf,
  setUp,
  showCode,
  useRecoveryCode,
} from '../../accounts/second-factor.ts'
import { CODE_ATTEMPTS, createAttemptLimiter } from '../../auth/attempt-limiter.ts'
import { withQuery } from '../../http/links.ts'
import { supportOf } from '../../resources/agencias/context.ts'
import type { Db } from '../../store/db.ts'
import { formOf, line, SIGN_IN_FORM } from '../form.ts'
import { HIDDEN, page } from '../page.ts'
import { homeOf, type PageDeps, redirectWithNotice, safeReturn, seeOther } from '../signed-in.ts'
import { codePage, recoveryPage, setUpPage } from './code-page.tsx'
import { tellOwner, wrongCode } from './owner.ts'

const WRONG = 'El código no es correcto, o ya se usó. Espere a que su app muestre el siguiente y escriba ese.'
const WRONG_SETUP =
  'El código no coincide. Revise que la hora del teléfono sea automática, y escriba el que muestra ahora.'

/** /entrar/codigo: the second factor of the staff, shown or set up. */
export function codeRoutes(app: FastifyInstance, deps: PageDeps): void {
  const { sessions, devices, store, seal, clock, config } = deps
  const attempts = createAttemptLimiter(deps.nowMs, CODE_ATTEMPTS)
  const support = supportOf(config)

  /** A person who gave the password and still needs the second factor; others are redirected. */
  async function expected(request: FastifyRequest, reply: FastifyReply, volver: string | undefined) {
    const half = await sessions.halfway(request)
    const factor = half && (await secondFactorOf(store, half.account.id))
    if (factor) return { ...half, factor }
    const inside = await sessions.signedIn(request)
    seeOther(reply, inside ? (volver ?? homeOf(inside)) : withQuery('/entrar', { volver }))
    return undefined
  }

  const note = (db: Db, { id }: Account, act: string) =>
    audit(db, { accountId: id, via: 'consola', act, subject: `cuenta ${id}` })

  /** Sets it up and notifies the owner by e-mail: somebody else may have used the password first. */
  const secure = (account: Account, session: string, code: string) =>
    store.transaction(async (tx) => {
      const codes = await setUp(tx, seal, { ...account, session }, code, clock())
      if (!codes) return undefined
      await note(tx, account, 'segundo-paso.configurar')
      await tellOwner(tx, deps, account, { hecho: 'configurado' })
      return codes
    })

  /** Takes a recovery code; the owner hears of it: the telephone may not be all that is lost. */
  const recover = (account: Account, code: string) =>
    store.transaction(async (tx) => {
      if (!(await useRecoveryCode(tx, seal, account.id, code))) return false
      await note(tx, account, 'codigo-de-recuperacion.usar')
      await tellOwner(tx, deps, account, { hecho: 'recuperacion' })
      return true
    })

  function show(
    reply: FastifyReply,
    { account, session, factor }: { account: Account; session: string; factor: SecondFactor },
    volver: string | undefined,
    wrong = false,
  ): FastifyReply {
    const status = wrong ? 400 : 200
    const about = { account, volver, support }
    if (factor.secured)
      return page(reply, codePage({ ...about, ...(wrong && { errors: { Codigo: [WRONG] } }) }), status)
    const setup = offerSetup(seal, { ...account, session })
    return page(reply, setUpPage({ ...about, setup, ...(wrong && { errors: { Codigo: [WRONG_SETUP] } }) }), status)
  }

  app.get<{ Querystring: { volver?: string } }>('/entrar/codigo', HIDDEN, async (request, reply) => {
    const volver = safeReturn(String(request.query.volver ?? ''))
    const who = await expected(request, reply, volver)
    return who ? show(reply, who, volver) : reply
  })

  app.post('/entrar/codigo', SIGN_IN_FORM, async (request, reply) => {
    const form = formOf(request)
    const volver = safeReturn(form.get('volver'))
    const who = await expected(request, reply, volver)
    if (!who) return reply
    const { account, session, factor } = who
    const device = devices.idFor(request, account)
    const attempt = attempts.take({ ip: request.ip, subject: `codigo ${account.id}`, device })
    const code = line(form, 'Codigo')
    const enter = () => {
      attempt.giveBack()
      sessions.open(reply, account, true)
    }

    if (!factor.secured) {
      const codes = await secure(account, session, code)
      if (!codes) return show(reply, who, volver, true)
      enter()
      return page(reply, recoveryPage({ account, codes, next: volver ?? homeOf(account), support }))
    }
    if (await showCode(store, seal, account.id, code, clock())) {
      await note(store, account, 'sesion.abrir')
      enter()
      return seeOther(reply, volver ?? homeOf(account))
    }
    if (await recover(account, code)) {
      enter()
      return redirectWithNotice(reply, 'recuperacion', '/consola/personal/acceso')
    }
    await wrongCode(deps, account, attempt.left)
    return show(reply, who, volver, true)
  })
}
