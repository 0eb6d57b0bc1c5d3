import { isMailAddress } from '../../../accounts/account.ts'
import type { App, Modo } from '../../../apps/app.ts'
import { type ListedSecret, listSecrets, newAppKey, rotateSecretOnce } from '../../../apps/secrets.ts'
import { createAppOnce } from '../../../apps/store.ts'
import { openSandbox } from '../../../sandbox/agency.ts'
import { keyColumns, liveOf, noSuchKey, revocation, revokeKey, rotatedMeanwhile } from '../../app-keys.tsx'
import { serveConfirmation } from '../../confirm.tsx'
import { DangerLink, EMAIL_INPUT, Form, Tick } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, isChecked, provenForm, textField } from '../../form.ts'
import { Fields, type FormFields, type Refused, readFields } from '../../form-fields.tsx'
import type { TimeContext } from '../../format.tsx'
import { page } from '../../page.ts'
import { ButtonLink, Copyable, CopyCode, Secret, Section } from '../../parts.tsx'
import { allowScript } from '../../security.ts'
import { type ByAppKey, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { Table } from '../../table.tsx'
import {
  CONSOLE,
  type ConsoleContext,
  ConsolePage,
  type ConsolePages,
  MAX_NAME,
  MODO_FIELD,
  NAME_FIELD,
} from '../context.tsx'
import { APPS, appAt, appHref } from './list.tsx'

const ABOVE = { href: APPS, label: 'Apps' }
const MAX_MAIL = 120
const APP_KEY = /^[0-9a-f]{32}$/

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

  app.post('/apps', provenForm(APP_FORM), async ({ ctx, form }, reply) => {
    const appKey = textField(form, 'AppKey')
    const { given, errors } = readFields(FIELDS, form, () =>
      APP_KEY.test(appKey) ? {} : { _: ['El formulario llegó incompleto: envíelo otra vez.'] },
    )
    if (errors) return page(reply, newAppPage(ctx, { given, errors }), 400)
    const { Nombre: nombre, Contacto: contacto } = given
    const newApp = { nombre, modo: given.Modo as Modo }
    const created = await createAppOnce(store, seal, { ...newApp, ...(contacto && { contacto }) }, appKey)
    if (!created) return redirectWithNotice(reply, 'app-ya-creada', appHref({ appKey }))
    await openSandbox(deps, created.app)
    await ctx.audit('app.crear', created.app.appKey, newApp)
    return page(allowScript(reply), secretPage({ ctx, ...created, made: true, publicUrl: config.publicUrl }), 201)
  })
}

const newAppPage = (ctx: ConsoleContext, refused?: Refused) => (
  <ConsolePage ctx={ctx} title="Crear una app" section={APPS} parentLink={ABOVE}>
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
const secretPage = ({ ctx, app, secret, made, publicUrl }: SecretProps) => (
  <ConsolePage
    ctx={ctx}
    title={made ? `${app.nombre} está lista` : `Clave nueva de ${app.nombre}`}
    section={APPS}
    script
    parentLink={made ? ABOVE : { href: appHref(app), label: app.nombre }}
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

/** /consola/apps/{AppKey}/claves: a secret more, or one less. */
export function appKeysRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps

  app.post<ByAppKey>('/apps/:appKey/claves', provenForm(CONFIRMATION_FORM), async ({ ctx, params, form }, reply) => {
    const found = await appAt(deps, params.appKey)
    const revokes = isChecked(form, 'revocar')
    const newest = Number(textField(form, 'vigente') || -1)
    const secret = await rotateSecretOnce(store, seal, found.id, newest, revokes)
    if (secret === undefined) throw rotatedMeanwhile()
    await ctx.audit('app.clave-nueva', found.appKey, { revocaLasAnteriores: revokes })
    const { publicUrl } = config
    return page(allowScript(reply), secretPage({ ctx, app: found, secret, made: false, publicUrl }), 201)
  })

  serveConfirmation(app, '/apps/:appKey/claves/:id/revocar', {
    audience: CONSOLE,
    section: APPS,
    load: async ({ appKey, id }: { appKey: string; id: string }) => {
      const found = await appAt(deps, appKey)
      const secret = liveOf(await listSecrets(store, found.id)).find((each) => String(each.id) === id)
      if (!secret) throw noSuchKey()
      return { app: found, secret }
    },
    parentLink: ({ app: { appKey, nombre } }) => ({ href: appHref({ appKey }), label: nombre }),
    question: ({ app: { nombre }, secret }) => revocation(`Nº ${secret.id}`, nombre),
    act: async ({ app: { id, appKey }, secret }, ctx) => {
      await revokeKey(store, id, secret.id)
      await ctx.audit('app.clave-revocada', appKey, { clave: secret.id })
    },
    form: provenForm(CONFIRMATION_FORM),
    notice: 'app-clave-revocada',
    next: ({ app: { appKey } }) => `${appHref({ appKey })}#claves`,
  })
}

export const Keys = ({ app, secrets, when }: { app: App; secrets: ListedSecret[]; when: TimeContext }) => (
  <Section id="claves" title="Claves">
    <Table
      caption="Claves de la app"
      columns={columns(app, secrets, when)}
      rows={secrets}
      empty={<p>La app no tiene claves. Cree una para que pueda llamar.</p>}
    />
    <details>
      <summary>Crear una clave nueva</summary>
      <form method="post" action={`${appHref(app)}/claves`}>
        <input type="hidden" name="vigente" value={newestOf(secrets)} />
        <Tick
          name="revocar"
          label="Revocar ya las anteriores"
          hint="Solo si se filtraron: la app deja de funcionar hasta que use la nueva. Sin marcar, la última sigue sirviendo mientras el asociado cambia."
          checked={false}
        />
        <button type="submit">Crear y ver la clave</button>
      </form>
    </details>
  </Section>
)

/** The newest valid secret when the form was shown: if the form is sent twice, the second is refused. */
const newestOf = (secrets: ListedSecret[]): number => Math.max(0, ...liveOf(secrets).map(({ id }) => id))

const columns = (app: App, secrets: ListedSecret[], when: TimeContext) =>
  keyColumns<ListedSecret>(
    when,
    ({ id }) => <strong>Nº {id}</strong>,
    ({ id }) =>
      liveOf(secrets).length > 1 && (
        <DangerLink href={`${appHref(app)}/claves/${id}/revocar`} label="Revocar" to={`la clave Nº ${id}`} />
      ),
  )
