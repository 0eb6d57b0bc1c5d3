import type { Account } from '../../accounts/account.ts'
import type { App } from '../../apps/app.ts'
import type { Errors } from '../../http/problems.ts'
import { rich, t } from '../../i18n/messages.tsx'
import type { Agencia, Invitacion } from '../../resources/agencias/agencia.ts'
import type { ReadInvitacion } from '../../resources/agencias/register.ts'
import { SignInForm } from '../entrar/routes.tsx'
import { Form, NewPassword } from '../fields.tsx'
import { faultsInOrder, passwordField, textFields } from '../form.ts'
import { Fields, type FormFields, labelsOf, nameFields } from '../form-fields.tsx'
import { formatDay } from '../format.tsx'
import { Layout, NarrowPage, TestMode } from '../layout.tsx'
import { BrandName } from '../page.ts'
import { ButtonLink, SecondaryLink } from '../parts.tsx'
import { AlwaysAllowed } from '../permissions.tsx'
import { agencyFields, PLACE_LABELS, PlaceFields, type PlaceFieldsProps } from '../places/fields.tsx'

/** The fields that are shown again, in the order of the page. The password never is. */
const SHOWN = ['Nombre', 'Telefono', 'Region', 'Ciudad', 'AdminNombre', 'AdminApellido'] as const

export type FormValues = Record<(typeof SHOWN)[number], string>

export const prefilled = (invitacion: Invitacion): FormValues => ({
  Nombre: invitacion.nombre ?? '',
  Telefono: invitacion.telefono ?? '',
  Region: invitacion.region ?? '',
  Ciudad: invitacion.ciudad ?? '',
  AdminNombre: invitacion.adminNombre ?? '',
  AdminApellido: invitacion.adminApellido ?? '',
})

export const valuesIn = (form: URLSearchParams): FormValues & { Clave: string } => ({
  ...textFields(form, SHOWN),
  Clave: passwordField(form),
})

export const inRegistroOrder = (errors: Errors): Errors => faultsInOrder(errors, [...SHOWN, 'Clave'])

interface RegistrationFormProps extends PlaceFieldsProps {
  token: string
  adminMail: string
  values: FormValues
  /** The account of a person who has one already; only the agency is new. */
  account?: Account | undefined
  errors?: Errors | undefined
}

const agency = () => {
  const { Nombre, Telefono } = agencyFields()
  return { Nombre: { ...Nombre, label: t('registro.form.agencyName') }, Telefono } satisfies FormFields
}

const person = () => ({ AdminNombre: nameFields().Nombre, AdminApellido: nameFields().Apellido })

const labels = () => ({
  ...labelsOf({ ...agency(), ...person() }),
  ...PLACE_LABELS,
  Clave: t('registro.form.password'),
})

function RegistrationForm({ token, adminMail, values, errors, account, ...place }: RegistrationFormProps) {
  const { AdminNombre, AdminApellido } = person()
  const unknown = { ...(!account?.nombre && { AdminNombre }), ...(!account?.apellido && { AdminApellido }) }
  return (
    <Form
      action={`/registro/${token}`}
      class="sheet"
      button={t('registro.form.button')}
      given={values}
      errors={errors}
      labels={labels()}
    >
      <fieldset>
        <legend>{t('registro.form.agency')}</legend>
        <Fields fields={agency()} />
        <PlaceFields values={values} {...place} />
      </fieldset>
      <fieldset>
        <legend>{t('registro.form.you')}</legend>
        <div class="field">
          <label for="correo">{t('registro.form.email')}</label>
          <p class="hint" id="correo-ayuda">
            {t('registro.form.emailHint')}
          </p>
          <input
            id="correo"
            type="email"
            value={adminMail}
            readonly
            autocomplete="username"
            aria-describedby="correo-ayuda"
          />
        </div>
        <Fields fields={unknown} />
        {!account && <NewPassword label={t('registro.form.choosePassword')} />}
      </fieldset>
    </Form>
  )
}

interface Invited {
  token: string
  invitacion: Invitacion
  app: App
}

export function registrationPage({
  invitacion,
  app,
  timeZone,
  ...form
}: Invited & { timeZone: string } & Omit<RegistrationFormProps, 'adminMail'>) {
  const title = t('registro.invites', { app: app.nombre })
  return (
    <Layout title={form.errors ? t('comun.shell.error', { title }) : title} visitor={form.account ?? 'unknown'} script>
      <header class="lead">
        <TestMode modo={app.modo} />
        <h1>{title}</h1>
        <p>
          {rich('registro.lead', {
            app: app.nombre,
            marca: <BrandName />,
            day: formatDay(invitacion.vence, timeZone),
          })}
        </p>
        <p class="beside">
          <a href="#significa">{t('registro.whatItMay', { app: app.nombre })}</a>
        </p>
      </header>
      <div class="with-side">
        <RegistrationForm adminMail={invitacion.adminMail} {...form} />
        <div>
          <Meaning app={app.nombre} message={invitacion.mensaje} />
          <p class="hint">{t('registro.stranger', { app: app.nombre })}</p>
        </div>
      </div>
    </Layout>
  )
}

/** For an address that has an account: its owner signs in and returns. */
export function invitedSignInPage({ token, invitacion, app }: Invited) {
  const title = t('registro.invitesToConnect', { app: app.nombre })
  return (
    <Layout title={title} visitor="signed-out">
      <header class="lead">
        <TestMode modo={app.modo} />
        <h1>{title}</h1>
        <p>{rich('registro.known', { marca: <BrandName />, app: app.nombre })}</p>
      </header>
      <div class="with-side">
        <SignInForm email={invitacion.adminMail} volver={`/registro/${token}`} modo={invitacion.modo} fixed />
        <div>
          <Meaning app={app.nombre} message={invitacion.mensaje} />
        </div>
      </div>
    </Layout>
  )
}

/** The owner of a registered agency decides on a second app. */
export const acceptPage = ({
  token,
  invitacion,
  app,
  account,
  agencia,
}: Invited & { account: Account; agencia: Agencia }) => (
  <NarrowPage
    title={t('registro.accept.title', { app: app.nombre })}
    heading={t('registro.accept.heading', { app: app.nombre, agencia: agencia.nombre })}
    overline={<TestMode modo={app.modo} />}
    visitor={account}
    lead={t('registro.accept.lead')}
  >
    <Meaning app={app.nombre} message={invitacion.mensaje} />
    <form method="post" action={`/registro/${token}`} class="row">
      <button type="submit">{t('registro.accept')}</button>
      <SecondaryLink href="/cuenta">{t('registro.notNow')}</SecondaryLink>
    </form>
  </NarrowPage>
)

/** What the app may do once it is associated, after its message, as text without links. */
const Meaning = ({ app, message }: { app: string; message: string | null }) => (
  <>
    {message && (
      <figure class="message">
        <figcaption>{t('registro.message', { app })}</figcaption>
        <blockquote>{message}</blockquote>
      </figure>
    )}
    <section class="meaning" aria-labelledby="significa">
      <h2 id="significa">{t('registro.meaning.title')}</h2>
      <p>{t('registro.meaning.may', { app })}</p>
      <AlwaysAllowed>
        <li>{t('registro.meaning.edit')}</li>
      </AlwaysAllowed>
      <p>{t('registro.meaning.not')}</p>
      <p>{rich('registro.meaning.decide')}</p>
    </section>
  </>
)

type Dead = Extract<ReadInvitacion, { kind: 'used' | 'expired' | 'unknown' }>

export function deadInvitacionPage(read: Dead) {
  if (read.kind === 'used')
    return (
      <NarrowPage title={t('registro.used.title')} lead={t('registro.used.lead')}>
        <p class="row">
          <ButtonLink href="/entrar">{t('entrar.signIn')}</ButtonLink>
          <SecondaryLink href="/clave">{t('entrar.forgot')}</SecondaryLink>
        </p>
      </NarrowPage>
    )
  if (read.kind === 'unknown')
    return (
      <NarrowPage title={t('registro.unknown.title')} lead={t('registro.unknown.lead')}>
        <ul>
          <li>{t('registro.unknown.open')}</li>
          <li>{t('registro.unknown.again')}</li>
          <li>{rich('registro.unknown.registered', { link: (text) => <a href="/entrar">{text}</a> })}</li>
        </ul>
      </NarrowPage>
    )
  const app = read.app.nombre
  return read.estado === 'vencida' ? (
    <NarrowPage title={t('registro.expired.title')} lead={t('registro.expired.lead', { app })} />
  ) : (
    <NarrowPage title={t('registro.withdrawn.title')} lead={t('registro.withdrawn.lead', { app })} />
  )
}
