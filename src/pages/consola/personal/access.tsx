import type { FastifyReply } from 'fastify'
import {
  renewRecoveryCodes,
  resetSecondFactor,
  type SecondFactor,
  secondFactorOf,
  showCode,
  useRecoveryCode,
} from '../../../accounts/second-factor.ts'
import { findAccountById } from '../../../accounts/store.ts'
import { type Errors, notFound } from '../../../http/problems.ts'
import { recoveryPage } from '../../entrar/code-routes.tsx'
import { notifyOwner, wrongCode } from '../../entrar/owner.ts'
import { FaultList, Field } from '../../fields.tsx'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { type PageDeps, seeOther } from '../../signed-in.ts'
import { type ConsoleContext, ConsolePage, type ConsolePages } from '../context.tsx'
import { OWN_ACCESS, PERSONAL } from './list.tsx'

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

  app.get('/personal/acceso', async ({ ctx }, reply) => {
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

/** Fewer than these are worth a word. */
const FEW_CODES = 3

interface Props {
  ctx: ConsoleContext
  factor: SecondFactor
  /** Which of the two forms was refused. */
  refused?: { form: 'codigos' | 'telefono'; errors: Errors }
}

/** One's own second factor: new recovery codes, another telephone. */
const accessPage = ({ ctx, factor, refused }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Mi segundo paso"
    section={PERSONAL}
    above={{ href: PERSONAL, label: 'Personal' }}
    faulty={Boolean(refused)}
    lead={
      <p>
        {ctx.account.email}: la clave se cambia en <a href="/cuenta/clave">su cuenta</a>.
      </p>
    }
  >
    <section>
      <h2>Códigos de recuperación</h2>
      <p>
        {factor.recovery === 1 ? 'Le queda 1 código' : `Le quedan ${factor.recovery} códigos`} para entrar sin su
        teléfono{factor.recovery < FEW_CODES && <strong>: haga otros antes de que se terminen</strong>}.
      </p>
      <Proof
        form="codigos"
        button="Hacer diez códigos nuevos"
        hint="De su app de códigos. Los códigos de recuperación anteriores dejan de servir."
        errors={refused?.form === 'codigos' ? refused.errors : undefined}
      />
    </section>
    <section>
      <h2>Otro teléfono</h2>
      <p>El teléfono de ahora y sus códigos de recuperación dejan de servir, y sus otras sesiones se cierran.</p>
      <Proof
        form="telefono"
        button="Configurar otro teléfono"
        hint="De su app de códigos, o uno de recuperación."
        errors={refused?.form === 'telefono' ? refused.errors : undefined}
      />
    </section>
  </ConsolePage>
)

interface ProofProps {
  form: 'codigos' | 'telefono'
  button: string
  hint: string
  errors: Errors | undefined
}

/** Somebody with a stolen session does not have the telephone. */
const Proof = ({ form, button, hint, errors }: ProofProps) => (
  <form method="post" action={`${OWN_ACCESS}/${form}`} class="sheet" novalidate>
    <FaultList errors={errors} />
    <Field
      name={form === 'codigos' ? 'Codigo' : 'CodigoActual'}
      label={form === 'codigos' ? 'Código' : 'Código de ahora'}
      hint={hint}
      errors={errors}
      more={{ autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: false, maxlength: 40 }}
    />
    <button type="submit" class="secondary">
      {button}
    </button>
  </form>
)
