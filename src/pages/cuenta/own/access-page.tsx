import type { Errors } from '../../../http/problems.ts'
import { FaultList, Field } from '../../fields.tsx'
import { type AccountContext, OwnPage } from '../context.tsx'

interface Props {
  ctx: AccountContext
  /** What was typed as a name, and what is wrong with it. */
  named?: { nombre: string; apellido: string; errors: Errors }
}

/** How the person is called, signs in, and where they are signed in. */
export function accessPage({ ctx, named }: Props) {
  const { account } = ctx
  const { nombre, apellido, errors } = named ?? { ...account, errors: undefined }
  return (
    <OwnPage
      ctx={ctx}
      section="/cuenta/acceso"
      title="Mi acceso"
      faulty={Boolean(errors)}
      lead={<p>Entra con {account.email}.</p>}
    >
      <div class="measure">
        <form method="post" action="/cuenta/nombre" class="sheet" novalidate>
          <FaultList errors={errors} />
          <fieldset>
            <legend>Su nombre</legend>
            <Field
              name="Nombre"
              label="Nombre"
              value={nombre}
              errors={errors}
              more={{ autocomplete: 'given-name', maxlength: 50 }}
            />
            <Field
              name="Apellido"
              label="Apellido"
              value={apellido}
              errors={errors}
              more={{ autocomplete: 'family-name', maxlength: 50 }}
            />
          </fieldset>
          <button type="submit">Guardar</button>
        </form>
        <section>
          <h2>Clave</h2>
          <p>Al cambiarla se cierran las sesiones abiertas en otros dispositivos.</p>
          <a class="button secondary" href="/cuenta/clave">
            Cambiar la clave
          </a>
        </section>
        <section>
          <h2>Sesiones</h2>
          <p>Si perdió un teléfono, o entró en una computadora que no es suya, ciérrelas. Esta queda abierta.</p>
          <form method="post" action="/cuenta/sesiones">
            <button type="submit" class="secondary">
              Cerrar todas las sesiones
            </button>
          </form>
        </section>
      </div>
    </OwnPage>
  )
}
