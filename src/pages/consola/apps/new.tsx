import { isMailAddress } from '../../../accounts/account.ts'
import type { App, Modo } from '../../../apps/app.ts'
import { newAppKey } from '../../../apps/secrets.ts'
import { createAppOnce } from '../../../apps/store.ts'
import { openSandbox } from '../../../sandbox/agency.ts'
import { EMAIL_INPUT, Form } from '../../fields.tsx'
import { formOf, formRoute, line } from '../../form.ts'
import { Fields, type FormFields, type Refused, readFields } from '../../form-fields.tsx'
import { page } from '../../page.ts'
import { ButtonLink, Copyable, CopyCode, Secret } from '../../parts.tsx'
import { allowScript } from '../../security.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type ConsoleContext, ConsolePage, type ConsolePages, MAX_NAME, MODO_FIELD, NAME_FIELD } from '../context.tsx'
import { APPS, appHref } from './list.tsx'

const ABOVE = { href: APPS, label: 'Apps' }
const MAX_MAIL = 120
const APP_KEY = /^[0-9a-f]{32}$/

/** The data of an app that may change later. */
export const DATA_FIELDS = {
  Nombre: NAME_FIELD,
  Contacto: {
    label: 'Correo de contacto',
    hint: 'Ahí avisamos cuando sus webhooks fallan.',
    optional: true,
    more: { ...EMAIL_INPUT, maxlength: MAX_MAIL },
    check: (email) => !isMailAddress(email.toLowerCase(), MAX_MAIL) && 'No es una dirección de correo.',
  },
} satisfies FormFields

const FIELDS = {
  Nombre: { ...NAME_FIELD, hint: 'Como lo verán las agencias: el del sistema o la empresa.' },
  Contacto: DATA_FIELDS.Contacto,
  Modo: {
    ...MODO_FIELD,
    hint: 'No se cambia después: producción y prueba no se ven entre sí. Un asociado suele tener una app de cada uno.',
  },
}

/** Takes these fields and the AppKey. */
export const APP_FORM = formRoute(MAX_NAME + MAX_MAIL + 50)

/** /consola/apps/nueva. The AppKey comes with the form, so that a form makes one app however often it is sent. */
export function newAppRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps

  app.get('/apps/nueva', ({ ctx }, reply) => page(reply, newAppPage(ctx)))

  app.post('/apps', APP_FORM, async (request, reply) => {
    const { ctx } = request
    const form = formOf(request)
    const appKey = line(form, 'AppKey')
    const { given, errors } = readFields(FIELDS, form, () =>
      APP_KEY.test(appKey) ? {} : { _: ['El formulario llegó incompleto: envíelo otra vez.'] },
    )
    if (errors) return page(reply, newAppPage(ctx, { given, errors }), 400)
    const { Nombre: nombre, Contacto: contacto } = given
    const wanted = { nombre, modo: given.Modo as Modo }
    const made = await createAppOnce(store, seal, { ...wanted, ...(contacto && { contacto }) }, appKey)
    if (!made) return redirectWithNotice(reply, 'app-ya-creada', appHref({ appKey }))
    await openSandbox(deps, made.app)
    await ctx.audit('app.crear', made.app.appKey, wanted)
    return page(allowScript(reply), secretPage({ ctx, ...made, made: true, publicUrl: config.publicUrl }), 201)
  })
}

const newAppPage = (ctx: ConsoleContext, refused?: Refused) => (
  <ConsolePage ctx={ctx} title="Crear una app" section={APPS} above={ABOVE}>
    <Form action={APPS} errors={refused?.errors} button="Crear y ver las claves">
      <input type="hidden" name="AppKey" value={newAppKey()} />
      <Fields fields={FIELDS} {...refused} />
    </Form>
  </ConsolePage>
)

interface SecretProps {
  ctx: ConsoleContext
  app: App
  secret: string
  /** Whether it has just been made, or has one secret more. */
  made: boolean
  publicUrl: string
}

/** The one page that shows a secret of an app. */
export const secretPage = ({ ctx, app, secret, made, publicUrl }: SecretProps) => (
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
