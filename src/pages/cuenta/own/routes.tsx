import { hashPassword, isPasswordOf, MAX_PASSWORD, passwordFault } from '../../../accounts/password.ts'
import { endSessions } from '../../../accounts/store.ts'
import type { Errors } from '../../../http/problems.ts'
import { renameOperador } from '../../../resources/agencias/operadores.ts'
import { changePassword } from '../../entrar/access.ts'
import { Form, NewPassword } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, passwordField } from '../../form.ts'
import { Fields, type FormFields, NAME_FIELDS, type Refused, readFields } from '../../form-fields.tsx'
import { page } from '../../page.ts'
import { PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { type PageDeps, redirectWithNotice, requireSignedIn } from '../../signed-in.ts'
import { type AccountContext, type AccountPages, PersonalPage } from '../context.tsx'

const ACCESS = '/cuenta/acceso'
const MAX_NAME_LENGTH = 50 // characters, as in AgenciaCreate

const OWN_NAME = {
  Nombre: { ...NAME_FIELDS.Nombre, missing: 'Falta este dato.' },
  Apellido: { ...NAME_FIELDS.Apellido, missing: 'Falta este dato.' },
} satisfies FormFields

const PRESENT_PASSWORD = {
  ClaveActual: { label: 'Clave actual', more: { type: 'password', autocomplete: 'current-password' } },
} satisfies FormFields

/** /cuenta/acceso, /cuenta/nombre, /cuenta/clave and /cuenta/sesiones: what a person does with their own account. */
export function ownRoutes(app: AccountPages, deps: PageDeps): void {
  const { sessions, attempts, store } = deps

  app.get('/acceso', async ({ ctx }, reply) => page(reply, accessPage({ ctx })))

  app.post('/nombre', formRoute(2 * MAX_NAME_LENGTH), async ({ ctx, form }, reply) => {
    const { given, errors } = readFields(OWN_NAME, form)
    if (errors) return page(reply, accessPage({ ctx, refused: { given, errors } }), 400)
    await renameOperador(deps, ctx.account, { nombre: given.Nombre, apellido: given.Apellido })
    return redirectWithNotice(reply, 'nombre', ACCESS)
  })

  app.get('/clave', async ({ ctx }, reply) => page(reply, changePasswordPage({ ctx })))

  app.post('/clave', formRoute(2 * MAX_PASSWORD), async (request, reply) => {
    const { ctx, form } = request
    const { account } = ctx
    const [present, next] = [passwordField(form, 'ClaveActual'), passwordField(form)]
    // Somebody with a stolen session must not be able to guess it.
    const attempt = attempts.takeOwn(`cuenta ${account.id}`)
    const errors: Errors = {}
    if (await isPasswordOf(store, account, present)) attempt.refund()
    else errors.ClaveActual = ['No es su clave actual. Si la olvidó, salga y use «Olvidé mi clave».']
    const fault = passwordFault(next, account.email)
    if (fault) errors.Clave = [fault]
    if (Object.keys(errors).length > 0) return page(reply, changePasswordPage({ ctx, errors }), 400)

    const hash = await hashPassword(next)
    sessions.renew(request, reply, await store.transaction((tx) => changePassword(tx, deps, account.id, hash)))
    return redirectWithNotice(reply, 'clave', ACCESS)
  })

  app.post('/sesiones', CONFIRMATION_FORM, async (request, reply) => {
    const account = await requireSignedIn(deps, request, reply, ACCESS)
    if (!account) return reply
    sessions.renew(request, reply, await endSessions(store, account.id)) // all but the one that asks
    return redirectWithNotice(reply, 'sesiones', ACCESS)
  })
}

export function accessPage({ ctx, refused }: { ctx: AccountContext; refused?: Refused }) {
  const { email, nombre: Nombre, apellido: Apellido } = ctx.account
  return (
    <PersonalPage
      ctx={ctx}
      section="/cuenta/acceso"
      title="Mi acceso"
      faulty={Boolean(refused)}
      intro={`Entra con ${email}.`}
    >
      <div class="measure">
        <Form action="/cuenta/nombre" class="sheet" button="Guardar" errors={refused?.errors}>
          <fieldset>
            <legend>Su nombre</legend>
            <Fields fields={OWN_NAME} {...(refused ?? { given: { Nombre, Apellido } })} />
          </fieldset>
        </Form>
        <Section title="Clave">
          <p>Al cambiarla se cierran las sesiones abiertas en otros dispositivos.</p>
          <SecondaryLink href="/cuenta/clave">Cambiar la clave</SecondaryLink>
        </Section>
        <Section title="Sesiones">
          <p>Si perdió un teléfono, o entró en una computadora que no es suya, ciérrelas. Esta queda abierta.</p>
          <PostButton action="/cuenta/sesiones" class="secondary">
            Cerrar todas las sesiones
          </PostButton>
        </Section>
      </div>
    </PersonalPage>
  )
}

const changePasswordPage = ({ ctx, errors }: { ctx: AccountContext; errors?: Errors }) => (
  <PersonalPage
    ctx={ctx}
    section="/cuenta/acceso"
    parentLink={{ href: '/cuenta/acceso', label: 'Mi acceso' }}
    title="Cambiar la clave"
    faulty={Boolean(errors)}
    intro="Se cierran las sesiones abiertas en otros dispositivos."
  >
    <Form action="/cuenta/clave" class="sheet measure" button="Guardar" errors={errors}>
      <input type="hidden" name="Email" value={ctx.account.email} autocomplete="username" />
      <Fields fields={PRESENT_PASSWORD} errors={errors} />
      <NewPassword label="Clave nueva" errors={errors} />
    </Form>
  </PersonalPage>
)
