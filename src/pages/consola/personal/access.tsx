import type { FastifyReply } from 'fastify'
import type { ComponentChildren } from 'preact'
import {
  renewRecoveryCodes,
  resetSecondFactor,
  type SecondFactor,
  secondFactorOf,
  showCode,
  useRecoveryCode,
} from '../../../accounts/second-factor.ts'
import { findAccountById } from '../../../accounts/store.ts'
import { notFound } from '../../../http/problems.ts'
import { notifyOwner, wrongCode } from '../../entrar/access.ts'
import { recoveryPage } from '../../entrar/code-routes.tsx'
import { Form } from '../../fields.tsx'
import { CONFIRMATION_FORM, textField } from '../../form.ts'
import { Fields } from '../../form-fields.tsx'
import { page } from '../../page.ts'
import { Section } from '../../parts.tsx'
import { type PageDeps, seeOther } from '../../signed-in.ts'
import { type ConsoleContext, ConsolePage, type ConsolePages } from '../context.tsx'
import { OWN_ACCESS, PERSONAL } from './routes.tsx'

const WRONG = 'El código no es correcto, o ya se usó. Espere a que su app muestre el siguiente y escriba ese.'

/** The two forms that ask for a code: somebody with a stolen session does not have the telephone. */
const PROOFS = {
  codigos: {
    name: 'Codigo',
    label: 'Código',
    hint: 'De su app de códigos. Los códigos de recuperación anteriores dejan de servir.',
    button: 'Hacer diez códigos nuevos',
  },
  telefono: {
    name: 'CodigoActual',
    label: 'Código de ahora',
    hint: 'De su app de códigos, o uno de recuperación.',
    button: 'Configurar otro teléfono',
  },
}
type Proof = keyof typeof PROOFS

/** /consola/personal/acceso: one's own second factor. */
export function ownAccessRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, clock, sessions, attempts } = deps

  async function show(reply: FastifyReply, ctx: ConsoleContext, refused?: Proof) {
    const factor = await secondFactorOf(store, ctx.account.id)
    if (!factor) throw notFound()
    return page(reply, accessPage(ctx, factor, refused), refused ? 400 : 200)
  }

  app.get('/personal/acceso', ({ ctx }, reply) => show(reply, ctx))

  const isOwnCode = ({ account }: ConsoleContext, code: string) => showCode(store, seal, account.id, code, clock())

  /** Serves an act after the right code; wrong ones are counted. */
  const serveProof = (
    proof: Proof,
    isRight: (ctx: ConsoleContext, code: string) => Promise<boolean>,
    act: (reply: FastifyReply, ctx: ConsoleContext) => Promise<FastifyReply>,
  ) =>
    app.post(`/personal/acceso/${proof}`, CONFIRMATION_FORM, async ({ ctx, form }, reply) => {
      const attempt = attempts.takeOwn(`codigo ${ctx.account.id}`)
      if (!(await isRight(ctx, textField(form, PROOFS[proof].name)))) {
        await wrongCode(deps, ctx.account, attempt.left)
        return show(reply, ctx, proof)
      }
      attempt.refund()
      return act(reply, ctx)
    })

  serveProof('codigos', isOwnCode, async (reply, { account, audit }) => {
    const codes = await store.transaction(async (tx) => {
      await notifyOwner(tx, deps, account, { hecho: 'codigos' })
      return renewRecoveryCodes(tx, seal, account.id)
    })
    await audit('codigos-de-recuperacion.renovar', `cuenta ${account.id}`)
    return page(reply, recoveryPage({ account, codes, next: OWN_ACCESS }))
  })

  serveProof(
    'telefono',
    async (ctx, code) => (await isOwnCode(ctx, code)) || useRecoveryCode(store, seal, ctx.account.id, code),
    async (reply, { account, audit }) => {
      await store.transaction(async (tx) => {
        if (await resetSecondFactor(tx, account.id)) await notifyOwner(tx, deps, account, { hecho: 'telefono' })
      })
      await audit('segundo-paso.cambiar', `cuenta ${account.id}`)
      const changed = await findAccountById(store, account.id)
      if (changed) sessions.open(reply, changed) // without the second factor: the next page sets the new telephone up
      return seeOther(reply, '/entrar/codigo')
    },
  )
}

/** Below this number the page suggests new codes. */
const FEW_CODES = 3

const accessPage = (ctx: ConsoleContext, { recovery }: SecondFactor, refused: Proof | undefined) => (
  <ConsolePage
    ctx={ctx}
    title="Mi segundo paso"
    section={PERSONAL}
    parentLink={{ href: PERSONAL, label: 'Personal' }}
    faulty={Boolean(refused)}
    intro={
      <p>
        {ctx.account.email}: la clave se cambia en <a href="/cuenta/clave">su cuenta</a>.
      </p>
    }
  >
    <ProofSection title="Códigos de recuperación" proof="codigos" refused={refused}>
      {recovery === 1 ? 'Le queda 1 código' : `Le quedan ${recovery} códigos`} para entrar sin su teléfono
      {recovery < FEW_CODES && <strong>: haga otros antes de que se terminen</strong>}.
    </ProofSection>
    <ProofSection title="Otro teléfono" proof="telefono" refused={refused}>
      El teléfono de ahora y sus códigos de recuperación dejan de servir, y sus otras sesiones se cierran.
    </ProofSection>
  </ConsolePage>
)

interface ProofProps {
  title: string
  proof: Proof
  refused: Proof | undefined
  children: ComponentChildren
}

function ProofSection({ title, proof, refused, children }: ProofProps) {
  const { name, button, ...field } = PROOFS[proof]
  const errors = refused === proof ? { [name]: [WRONG] } : undefined
  return (
    <Section title={title}>
      <p>{children}</p>
      <Form action={`${OWN_ACCESS}/${proof}`} errors={errors} button={button} class="sheet" buttonClass="secondary">
        <Fields fields={{ [name]: { ...field, more: CODE_INPUT } }} errors={errors} />
      </Form>
    </Section>
  )
}

const CODE_INPUT = { autocomplete: 'one-time-code', autocapitalize: 'none', spellcheck: false, maxlength: 40 } as const
