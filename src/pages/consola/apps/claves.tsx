import { isMailAddress } from '../../../accounts/account.ts'
import type { App, Modo } from '../../../apps/app.ts'
import { APP_KEY, type ListedSecret, listSecrets, newAppKey, SECRET_NAME_CHARACTERS } from '../../../apps/secrets.ts'
import { createAppOnce } from '../../../apps/store.ts'
import { t } from '../../../i18n/messages.tsx'
import { openSandbox } from '../../../sandbox/agency.ts'
import { KeyNameInput, keyColumns, liveOf, newKey, noSuchKey, revocation, revokeKey } from '../../app-keys.tsx'
import { serveConfirmation } from '../../confirm.tsx'
import { Acts, DangerLink, EMAIL_INPUT, Form, Tick } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, isChecked, provenForm, textField } from '../../form.ts'
import { Fields, type FormFields, type Refused, readFields } from '../../form-fields.tsx'
import type { TimeContext } from '../../format.tsx'
import { page } from '../../page.ts'
import { ButtonLink, Copyable, CopyCode, Secret, Section } from '../../parts.tsx'
import { type ByAppKey, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { Table } from '../../table.tsx'
import {
  assertMayAct,
  CONSOLE,
  type ConsoleContext,
  ConsolePage,
  type ConsolePages,
  MAX_NAME,
  modoField,
  nameField,
} from '../context.tsx'
import { APPS, appAt, appHref } from './list.tsx'

const appsLink = () => ({ href: APPS, label: t('consola.nav.apps') })
const CURL = 'curl'
const APP_SECRET = 'AppSecret'
const MAX_MAIL = 120

export const dataFields = () =>
  ({
    Nombre: nameField(),
    Contacto: {
      label: t('consola.apps.contact'),
      hint: t('consola.apps.contact.hint'),
      optional: true,
      more: { ...EMAIL_INPUT, maxlength: MAX_MAIL },
      check: (email) => !isMailAddress(email.toLowerCase(), MAX_MAIL) && t('consola.apps.contact.fault'),
    },
  }) satisfies FormFields

const newAppFields = () => ({
  Nombre: { ...nameField(), hint: t('consola.apps.name.hint') },
  Contacto: dataFields().Contacto,
  Modo: {
    ...modoField(),
    hint: t('consola.apps.mode.hint'),
  },
})

/** Takes these fields and the AppKey. */
export const APP_FORM = formRoute(MAX_NAME + MAX_MAIL + 50)

/** /consola/apps/nueva. The AppKey comes with the form, so that a form makes one app however often it is sent. */
export function newAppRoutes(app: ConsolePages, deps: PageDeps): void {
  const { seal, config } = deps

  app.get('/apps/nueva', ({ ctx }, reply) => {
    assertMayAct(ctx)
    return page(reply, newAppPage(ctx))
  })

  app.post('/apps', provenForm(APP_FORM), async ({ ctx, form }, reply) => {
    const appKey = textField(form, 'AppKey')
    const { given, errors } = readFields(newAppFields(), form, () =>
      APP_KEY.test(appKey) ? {} : { _: [t('consola.apps.incomplete')] },
    )
    if (errors) return page(reply, newAppPage(ctx, { given, errors }), 400)
    const { Nombre: nombre, Contacto: contacto } = given
    const newApp = { nombre, modo: given.Modo as Modo }
    const created = await ctx.change<Awaited<ReturnType<typeof createAppOnce>>>(
      (made) => made && { act: 'app.crear', subject: appKey, detail: newApp },
      async (tx) => {
        const made = await createAppOnce(tx, seal, { ...newApp, ...(contacto && { contacto }) }, appKey)
        if (made) await openSandbox({ ...deps, store: tx }, made.app)
        return made
      },
    )
    if (!created) return redirectWithNotice(reply, 'app-ya-creada', appHref({ appKey }))
    return page(reply, secretPage({ ctx, ...created, made: true, publicUrl: config.publicUrl }), 201)
  })
}

const newAppPage = (ctx: ConsoleContext, refused?: Refused) => (
  <ConsolePage ctx={ctx} title={t('consola.apps.create')} parentLink={appsLink()}>
    <Form action={APPS} button={t('consola.apps.create.button')} {...refused}>
      <input type="hidden" name="AppKey" value={newAppKey()} />
      <Fields fields={newAppFields()} />
    </Form>
  </ConsolePage>
)

interface SecretProps {
  ctx: ConsoleContext
  app: App
  secret: string
  /** Whether it has just been made, or has one secret more. */
  made: boolean
  /** Whether the previous secret still works. */
  previousWorks?: boolean
  publicUrl: string
}

/** The one page that shows a secret of an app. */
const secretPage = ({ ctx, app, secret, made, previousWorks, publicUrl }: SecretProps) => (
  <ConsolePage
    ctx={ctx}
    title={t(made ? 'consola.apps.ready' : 'consola.apps.newKeyOf', { app: app.nombre })}
    script
    parentLink={made ? appsLink() : { href: appHref(app), label: app.nombre }}
  >
    <dl class="data limited">
      <div>
        <dt>
          <code>AppKey</code>
        </dt>
        <dd>
          <Copyable id="app-key" what={t('consola.apps.theAppKey')}>
            {app.appKey}
          </Copyable>
        </dd>
      </div>
    </dl>
    <Secret label={APP_SECRET} value={secret}>
      {t('consola.apps.handOver')}
      {previousWorks && ` ${t('consola.apps.handOver.previous')}`}
    </Secret>
    <p>{t('consola.apps.tryThem')}</p>
    <CopyCode id="curl" label={CURL} what={t('consola.apps.theCommand')}>
      {`curl -u ${app.appKey}:${secret} \\\n  -d grant_type=client_credentials \\\n  ${publicUrl}/oauth/token`}
    </CopyCode>
    {made && <p>{t('consola.apps.invitePeople')}</p>}
    <p>
      <ButtonLink href={appHref(app)}>{t('consola.apps.saved')}</ButtonLink>
    </p>
  </ConsolePage>
)

/** /consola/apps/{AppKey}/claves: a secret more, or one less. */
export function appKeysRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, config } = deps

  app.post<ByAppKey>(
    '/apps/:appKey/claves',
    provenForm(formRoute(SECRET_NAME_CHARACTERS)),
    async ({ ctx, params, form }, reply) => {
      const found = await appAt(deps, params.appKey)
      const revokes = isChecked(form, 'revocar')
      const { secret, hasFormer } = await newKey(ctx, deps, { app: found, form, revokeOthers: revokes })
      const { publicUrl } = config
      const previousWorks = hasFormer && !revokes
      const shown = secretPage({ ctx, app: found, secret, made: false, previousWorks, publicUrl })
      return page(reply, shown, 201)
    },
  )

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
    question: ({ app: { nombre }, secret }) =>
      revocation(t('consola.apps.keys.numberInText', { id: secret.id }), nombre),
    act: ({ app: { id, appKey }, secret }, ctx) =>
      ctx.change({ act: 'app.clave-revocada', subject: appKey, detail: { clave: secret.id } }, (tx) =>
        revokeKey(tx, id, secret.id),
      ),
    form: provenForm(CONFIRMATION_FORM),
    notice: 'app-clave-revocada',
    next: ({ app: { appKey } }) => `${appHref({ appKey })}#claves`,
  })
}

export const Keys = ({ app, secrets, when }: { app: App; secrets: ListedSecret[]; when: TimeContext }) => (
  <Section id="claves" title={t('consola.apps.keys')}>
    <Table
      caption={t('consola.apps.keys.caption')}
      columns={columns(app, secrets, when)}
      rows={secrets}
      empty={
        <p>
          {t('consola.apps.keys.none')} <Acts>{t('consola.apps.keys.none.first')}</Acts>
        </p>
      }
    />
    <Acts>
      <details>
        <summary>{t('consola.apps.keys.create')}</summary>
        <form method="post" action={`${appHref(app)}/claves`}>
          <input type="hidden" name="vigente" value={newestOf(secrets)} />
          <div class="field">
            <KeyNameInput id={0} nombre={null} />
          </div>
          <Tick
            name="revocar"
            label={t('consola.apps.keys.revokeAll')}
            hint={t('consola.apps.keys.revokeAll.hint')}
            checked={false}
          />
          <button type="submit">{t('consola.apps.keys.create.button')}</button>
        </form>
      </details>
    </Acts>
  </Section>
)

/** The newest valid secret when the form was shown: a form that is sent twice makes one. */
const newestOf = (secrets: ListedSecret[]): number => Math.max(0, ...liveOf(secrets).map(({ id }) => id))

const columns = (app: App, secrets: ListedSecret[], when: TimeContext) =>
  keyColumns<ListedSecret>(
    when,
    ({ id }) => <strong>{t('consola.apps.keys.number', { id })}</strong>,
    ({ id }) =>
      liveOf(secrets).length > 1 && (
        <DangerLink
          href={`${appHref(app)}/claves/${id}/revocar`}
          label={t('consola.apps.keys.revoke')}
          to={t('consola.apps.keys.revokeOne', { id })}
        />
      ),
  )
