import {
  type ListedSecret,
  type LiveSecret,
  listSecrets,
  liveSecrets,
  renameSecret,
  SECRET_NAME_CHARACTERS,
} from '../../../apps/secrets.ts'
import { rich, t } from '../../../i18n/messages.tsx'
import {
  KeyNameField,
  KeyNameInput,
  keyColumns,
  keyName,
  lastKey,
  liveOf,
  newKey,
  noSuchKey,
  revocation,
  revokeKey,
} from '../../app-keys.tsx'
import { Confirm, serveConfirmation } from '../../confirm.tsx'
import { DangerLink } from '../../fields.tsx'
import { CONFIRMATION_FORM, formRoute, provenForm } from '../../form.ts'
import { page } from '../../page.ts'
import { idIn } from '../../params.ts'
import { ButtonLink, Copyable, Secret, Section } from '../../parts.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { Table } from '../../table.tsx'
import { PORTAL, type PortalContext, PortalPage, type PortalPagesByRole } from '../context.tsx'

const ENDING_CHARACTERS = 4
const NAME_FORM = formRoute(SECRET_NAME_CHARACTERS)

/** /portal/{AppKey}/claves: lists, rotates and revokes the app's secrets. */
export function keysRoutes({ desarrollador, titular }: PortalPagesByRole, deps: PageDeps): void {
  const { store, seal } = deps
  const endingOf = ({ secret }: LiveSecret) => secret.slice(-ENDING_CHARACTERS)

  desarrollador.get('/claves', async ({ ctx }, reply) => {
    const live = new Map((await liveSecrets(store, seal, ctx.app.id)).map((each) => [each.id, endingOf(each)]))
    const secrets = (await listSecrets(store, ctx.app.id)).map((each) => ({ ...each, ending: live.get(each.id) }))
    return page(reply, keysPage({ ctx, secrets }))
  })

  titular.get('/claves/rotar', async ({ ctx }, reply) => {
    const live = await liveSecrets(store, seal, ctx.app.id)
    const [newest, former] = live
    return page(
      reply,
      <PortalPage ctx={ctx} title={t('portal.keys.create.title')} parentLink={listOf(ctx)}>
        <Confirm
          action={`${ctx.basePath}/claves/rotar`}
          button={t('portal.keys.create.button')}
          hidden={{ vigente: String(newest?.id ?? 0) }}
          fields={<KeyNameField />}
          mild={former === undefined}
          back={`${ctx.basePath}/claves`}
        >
          <ul>
            <li>{t('portal.keys.create.shown')}</li>
            {newest && <li>{rich('portal.keys.create.stays', { ending: <code>{endingOf(newest)}</code> })}</li>}
            {former && <li>{rich('portal.keys.create.former', { ending: <code>{endingOf(former)}</code> })}</li>}
          </ul>
        </Confirm>
      </PortalPage>,
    )
  })

  titular.post('/claves/rotar', provenForm(NAME_FORM), async ({ ctx, form }, reply) => {
    const { secret, hasFormer } = await newKey(ctx, deps, { app: ctx.app, form })
    return page(reply, createdPage({ ctx, secret, former: hasFormer }), 201)
  })

  titular.post<ById>('/claves/:id/nombre', NAME_FORM, async ({ ctx, params, form }, reply) => {
    const id = idIn(params.id)
    await ctx.change({ act: 'app.clave-nombre', subject: ctx.app.appKey, detail: { clave: id } }, async (tx) => {
      if (!(await renameSecret(tx, ctx.app.id, id, keyName(form)))) throw noSuchKey()
    })
    return redirectWithNotice(reply, 'clave-nombrada', `${ctx.basePath}/claves`)
  })

  serveConfirmation(titular, '/claves/:id/revocar', {
    audience: PORTAL,
    section: '/claves',
    async load(params: { id: string }, ctx) {
      const live = await liveSecrets(store, seal, ctx.app.id)
      const secret = live.find(({ id }) => String(id) === params.id)
      if (!secret) throw noSuchKey()
      if (live.length === 1) throw lastKey()
      return secret
    },
    parentLink: (_, ctx) => listOf(ctx),
    question: (secret) =>
      revocation(t('portal.keys.endsIn', { ending: endingOf(secret) }), t('portal.keys.someSystem')),
    act: ({ id }, ctx) =>
      ctx.change({ act: 'app.clave-revocada', subject: ctx.app.appKey, detail: { clave: id } }, (tx) =>
        revokeKey(tx, ctx.app.id, id),
      ),
    form: provenForm(CONFIRMATION_FORM),
    notice: 'clave-revocada',
  })
}

const listOf = ({ basePath }: PortalContext) => ({ href: `${basePath}/claves`, label: t('portal.nav.keys') })

/** A secret with its last characters, which tell which one a server uses. */
type ShownSecret = ListedSecret & { ending: string | undefined }

/** The keys of an app. A secret is shown once, when it is created. */
function keysPage({ ctx, secrets }: { ctx: PortalContext; secrets: ShownSecret[] }) {
  const { app, basePath, rol } = ctx
  return (
    <PortalPage
      ctx={ctx}
      title={t('portal.nav.keys')}
      script
      intro={t('portal.keys.intro')}
      actions={rol === 'titular' && <ButtonLink href={`${basePath}/claves/rotar`}>{t('portal.keys.new')}</ButtonLink>}
    >
      <Section title={t('portal.keys.appKey')}>
        <p>
          <Copyable id="app-key" what={t('portal.keys.theAppKey')}>
            {app.appKey}
          </Copyable>
        </p>
        <p class="hint">{t('portal.keys.appKeyHint')}</p>
      </Section>
      <Section title={t('portal.keys.appSecret')}>
        <Table
          caption={t('portal.keys.caption')}
          columns={columns(ctx, liveOf(secrets).length)}
          rows={secrets}
          empty={<p>{t('portal.keys.none')}</p>}
        />
        <p class="hint">
          {rich('portal.keys.two', {
            try: (text) => <a href={`${basePath}/probar`}>{text}</a>,
            guide: (text) => <a href="/docs/guia/firmar">{text}</a>,
          })}
        </p>
        {rol !== 'titular' && (
          <p class="empty">
            {rich('portal.keys.onlyTitular', { link: (text) => <a href={`${basePath}/equipo`}>{text}</a> })}
          </p>
        )}
      </Section>
    </PortalPage>
  )
}

const columns = (ctx: PortalContext, live: number) =>
  keyColumns<ShownSecret>(
    ctx,
    ({ id, ending }) => (ending ? <code>…{ending}</code> : <span>{t('portal.keys.number', { id: String(id) })}</span>),
    ctx.rol === 'titular' &&
      ((secret) => {
        const { id, ending } = secret
        const href = `${ctx.basePath}/claves/${id}/revocar`
        return (
          <div>
            {live === 1 ? (
              <span class="hint">{t('portal.keys.only')}</span>
            ) : (
              <DangerLink href={href} label={t('portal.keys.revoke')} to={t('portal.keys.revokeWhich', { ending })} />
            )}
            <Rename action={`${ctx.basePath}/claves/${id}/nombre`} secret={secret} />
          </div>
        )
      }),
  )

const Rename = ({ action, secret: { id, nombre, ending } }: { action: string; secret: ShownSecret }) => (
  <details>
    <summary>{rich('portal.keys.rename', { ending })}</summary>
    <form method="post" action={action}>
      <KeyNameInput id={id} nombre={nombre} />
      <button type="submit" class="secondary small">
        {t('portal.keys.rename.button')}
      </button>
    </form>
  </details>
)

const createdPage = ({ ctx, secret, former }: { ctx: PortalContext; secret: string; former: boolean }) => (
  <PortalPage ctx={ctx} title={t('portal.keys.created')} script parentLink={listOf(ctx)}>
    <Secret label={t('portal.keys.theAppSecret')} value={secret}>
      {t('portal.keys.keep')}
    </Secret>
    <h2>{t('portal.keys.now')}</h2>
    <ol>
      <li>{t('portal.keys.now.put')}</li>
      {former && <li>{t('portal.keys.now.revoke')}</li>}
    </ol>
    <p>
      <ButtonLink href={`${ctx.basePath}/claves`}>{t('portal.keys.kept')}</ButtonLink>
    </p>
  </PortalPage>
)
