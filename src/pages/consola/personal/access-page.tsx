import type { SecondFactor } from '../../../accounts/second-factor.ts'
import type { Errors } from '../../../http/problems.ts'
import { FaultList, Field } from '../../fields.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { OWN_ACCESS, PERSONAL } from './list.tsx'

/** Fewer than these are worth a word. */
const FEW_CODES = 3

interface Props {
  ctx: ConsoleContext
  factor: SecondFactor
  /** Which of the two forms was refused. */
  refused?: { form: 'codigos' | 'telefono'; errors: Errors }
}

/** One's own second factor: new recovery codes, another telephone. */
export const accessPage = ({ ctx, factor, refused }: Props) => (
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
