import { isMailAddress } from '../../../accounts/account.ts'
import type { App } from '../../../apps/app.ts'
import type { Errors } from '../../../http/problems.ts'
import { EMAIL_INPUT, FaultList, Field, Select } from '../../fields.tsx'
import { formRoute, line } from '../../form.ts'
import { ButtonLink, Copyable, CopyCode, Secret } from '../../parts.tsx'
import { type ConsoleContext, ConsolePage, MODO_NAMES, MODOS } from '../context.tsx'
import { APPS, appHref } from './list.tsx'

interface GivenApp {
  nombre: string
  contacto: string
  modo: string
}

const ABOVE = { href: APPS, label: 'Apps' }

interface NewProps {
  ctx: ConsoleContext
  /** What the app will have. */
  appKey: string
  given?: GivenApp
  errors?: Errors
}

/** What an app is made from. */
export const newAppPage = ({ ctx, appKey, given, errors }: NewProps) => (
  <ConsolePage ctx={ctx} title="Crear una app" section={APPS} above={ABOVE}>
    <form method="post" action={APPS} class="sheet limited" novalidate>
      <input type="hidden" name="AppKey" value={appKey} />
      <FaultList errors={errors} />
      <Field
        name="Nombre"
        label="Nombre"
        hint="Como lo verán las agencias: el del sistema o la empresa."
        value={given?.nombre}
        errors={errors}
        more={{ maxlength: 120 }}
      />
      <ContactField value={given?.contacto} errors={errors} />
      <Select
        name="Modo"
        label="Modo"
        hint="No se cambia después: producción y prueba no se ven entre sí. Un asociado suele tener una app de cada uno."
        value={given?.modo}
        errors={errors}
        choices={MODOS}
      />
      <button type="submit">Crear y ver las claves</button>
    </form>
  </ConsolePage>
)

export const ContactField = ({ value, errors }: { value: string | null | undefined; errors: Errors | undefined }) => (
  <Field
    name="Contacto"
    label="Correo de contacto"
    hint="Ahí avisamos cuando sus webhooks fallan."
    value={value}
    errors={errors}
    optional
    more={{ ...EMAIL_INPUT, maxlength: 120 }}
  />
)

interface ShownProps {
  ctx: ConsoleContext
  app: App
  secret: string
  /** Whether it has just been made, or has one secret more. */
  made: boolean
  publicUrl: string
}

/** The one page that shows a secret of an app. */
export const secretPage = ({ ctx, app, secret, made, publicUrl }: ShownProps) => (
  <ConsolePage
    ctx={ctx}
    title={made ? `${app.nombre} está lista` : `Clave nueva de ${app.nombre}`}
    section={APPS}
    script
    above={made ? ABOVE : { href: appHref(app), label: app.nombre }}
  >
    <dl class="data limited">
      <div>
        <dt>AppKey</dt>
        <dd>
          <Copyable id="app-key" what="el AppKey">
            {app.appKey}
          </Copyable>
        </dd>
      </div>
    </dl>
    <Secret label="AppSecret" value={secret}>
      Entréguela ahora por un medio seguro: no se vuelve a mostrar.
      {!made && ' La anterior sigue sirviendo hasta la próxima rotación, o hasta que se la revoque.'}
    </Secret>
    <p>Para probarlas, pida un token con ellas:</p>
    <CopyCode id="curl" label="curl" what="el comando">
      {`curl -u ${app.appKey}:${secret} \\\n  -d grant_type=client_credentials \\\n  ${publicUrl}/oauth/token`}
    </CopyCode>
    <p>
      <ButtonLink href={appHref(app)}>Ya la guardé</ButtonLink>
    </p>
  </ConsolePage>
)

const MAX_NAME = 120
const MAX_MAIL = 120
/** What is said of an app, and the AppKey that it is to have. */
export const APP_FORM = formRoute(MAX_NAME + MAX_MAIL + 50)
const APP_KEY = /^[0-9a-f]{32}$/

/** What was said of an app. */
export const givenIn = (form: URLSearchParams): GivenApp => ({
  nombre: line(form, 'Nombre'),
  contacto: line(form, 'Contacto'),
  modo: line(form, 'Modo'),
})

/** What is wrong with how an app is called, and with whom to write to. */
export const nameFaults = ({ nombre, contacto }: Omit<GivenApp, 'modo'>): Errors => ({
  ...(nombre === '' && { Nombre: ['Falta el nombre.'] }),
  ...(nombre.length > MAX_NAME && { Nombre: [`Puede tener hasta ${MAX_NAME} caracteres.`] }),
  ...(contacto !== '' &&
    !isMailAddress(contacto.toLowerCase(), MAX_MAIL) && { Contacto: ['No es una dirección de correo.'] }),
})

/** What is wrong with an app to be made; its AppKey comes with the form, so that a form makes one app however often it is sent. */
export const appFaults = (given: GivenApp & { appKey: string }): Errors => ({
  ...nameFaults(given),
  ...(!APP_KEY.test(given.appKey) && { _: ['El formulario llegó incompleto: envíelo otra vez.'] }),
  ...(!MODO_NAMES.some((modo) => modo === given.modo) && { Modo: ['Elija producción o prueba.'] }),
})
