import { hashPassword, isPasswordOf, MAX_PASSWORD, passwordFault } from '../../../accounts/password.ts'
import { endSessions } from '../../../accounts/store.ts'
import type { Errors } from '../../../http/problems.ts'
import { renameOperator } from '../../../resources/agencias/operators.ts'
import { changePassword } from '../../entrar/reset.ts'
import { FaultList, Field, FullName, NewPassword } from '../../fields.tsx'
import { CONFIRMATION, formOf, formRoute, line, secret } from '../../form.ts'
import { page } from '../../page.ts'
import { PostButton, SecondaryLink } from '../../parts.tsx'
import { type PageDeps, redirectWithNotice, requireSignedIn } from '../../signed-in.ts'
import { type AccountContext, type AccountPages, OwnPage } from '../context.tsx'

const ACCESS = '/cuenta/acceso'
const LONGEST_NAME = 50 // characters, as in AgenciaCreate

/** /cuenta/acceso, /cuenta/nombre, /cuenta/clave and /cuenta/sesiones: what a person does with their own account. */
export function ownRoutes(app: AccountPages, deps: PageDeps): void {
  const { sessions, attempts, store } = deps

  app.get('/acceso', async ({ ctx }, reply) => {
    return page(reply, accessPage({ ctx }))
  })

  app.post('/nombre', formRoute(2 * LONGEST_NAME), async (request, reply) => {
    const { ctx } = request
    const form = formOf(request)
    const [nombre, apellido] = [line(form, 'Nombre'), line(form, 'Apellido')]
    const errors = { ...nameFault('Nombre', nombre), ...nameFault('Apellido', apellido) }
    if (Object.keys(errors).length > 0)
      return page(reply, accessPage({ ctx, named: { nombre, apellido, errors } }), 400)
    await renameOperator(deps, ctx.account, { nombre, apellido })
    return redirectWithNotice(reply, 'nombre', ACCESS)
  })

  app.get('/clave', async ({ ctx }, reply) => {
    return page(reply, changePasswordPage({ ctx }))
  })

  app.post('/clave', formRoute(2 * MAX_PASSWORD), async (request, reply) => {
    const { ctx } = request
    const { account } = ctx
    const form = formOf(request)
    const [present, next] = [secret(form, 'ClaveActual'), secret(form)]
    // Somebody with a stolen session must not be able to guess it.
    const attempt = attempts.takeOwn(`cuenta ${account.id}`)
    const errors: Errors = {}
    if (await isPasswordOf(store, account, present)) attempt.giveBack()
    else errors.ClaveActual = ['No es su clave actual. Si la olvidó, salga y use «Olvidé mi clave».']
    const fault = passwordFault(next, account.email)
    if (fault) errors.Clave = [fault]
    if (Object.keys(errors).length > 0) return page(reply, changePasswordPage({ ctx, errors }), 400)

    const hash = await hashPassword(next)
    sessions.renew(request, reply, await store.transaction((tx) => changePassword(tx, deps, account.id, hash)))
    return redirectWithNotice(reply, 'clave', ACCESS)
  })

  app.post('/sesiones', CONFIRMATION, async (request, reply) => {
    const account = await requireSignedIn(deps, request, reply, ACCESS)
    if (!account) return reply
    sessions.renew(request, reply, await endSessions(store, account.id)) // all but the one that asks
    return redirectWithNotice(reply, 'sesiones', ACCESS)
  })
}

function nameFault(field: string, value: string): Errors {
  if (!value) return { [field]: ['Falta este dato.'] }
  return [...value].length > LONGEST_NAME ? { [field]: [`Puede tener hasta ${LONGEST_NAME} caracteres.`] } : {}
}

interface AccessProps {
  ctx: AccountContext
  /** A refused name and its errors. */
  named?: { nombre: string; apellido: string; errors: Errors }
}

/** The person's name, password and sessions. */
export function accessPage({ ctx, named }: AccessProps) {
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
            <FullName nombre={nombre} apellido={apellido} errors={errors} />
          </fieldset>
          <button type="submit">Guardar</button>
        </form>
        <section>
          <h2>Clave</h2>
          <p>Al cambiarla se cierran las sesiones abiertas en otros dispositivos.</p>
          <SecondaryLink href="/cuenta/clave">Cambiar la clave</SecondaryLink>
        </section>
        <section>
          <h2>Sesiones</h2>
          <p>Si perdió un teléfono, o entró en una computadora que no es suya, ciérrelas. Esta queda abierta.</p>
          <PostButton action="/cuenta/sesiones" class="secondary">
            Cerrar todas las sesiones
          </PostButton>
        </section>
      </div>
    </OwnPage>
  )
}

const changePasswordPage = ({ ctx, errors }: { ctx: AccountContext; errors?: Errors }) => (
  <OwnPage
    ctx={ctx}
    section="/cuenta/acceso"
    above={{ href: '/cuenta/acceso', label: 'Mi acceso' }}
    title="Cambiar la clave"
    faulty={Boolean(errors)}
    lead={<p>Se cierran las sesiones abiertas en otros dispositivos.</p>}
  >
    <form method="post" action="/cuenta/clave" class="sheet measure" novalidate>
      <FaultList errors={errors} />
      <input type="hidden" name="Email" value={ctx.account.email} autocomplete="username" />
      <Field
        name="ClaveActual"
        label="Clave actual"
        errors={errors}
        more={{ type: 'password', autocomplete: 'current-password' }}
      />
      <NewPassword label="Clave nueva" errors={errors} />
      <button type="submit">Guardar</button>
    </form>
  </OwnPage>
)
