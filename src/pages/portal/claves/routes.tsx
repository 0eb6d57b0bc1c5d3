import {
  type ListedSecret,
  type LiveSecret,
  listSecrets,
  liveSecrets,
  rotateSecretOnce,
} from '../../../apps/secrets.ts'
import { keyColumns, lastKey, liveOf, noSuchKey, revocation, revokeKey, rotatedMeanwhile } from '../../app-keys.tsx'
import { Confirm, serveConfirmation } from '../../confirm.tsx'
import { DangerLink } from '../../fields.tsx'
import { CONFIRMATION_FORM, provenForm, textField } from '../../form.ts'
import { page } from '../../page.ts'
import { ButtonLink, Copyable, Secret, Section } from '../../parts.tsx'
import { allowScript } from '../../security.ts'
import type { PageDeps } from '../../signed-in.ts'
import { Table } from '../../table.tsx'
import { PORTAL, type PortalContext, PortalPage, type PortalPages, requireTitular } from '../context.tsx'

const ENDING_CHARACTERS = 4

/** /portal/{AppKey}/claves: lists, rotates and revokes the app's secrets. */
export function keysRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal } = deps
  const endingOf = ({ secret }: LiveSecret) => secret.slice(-ENDING_CHARACTERS)

  app.get('/claves', async ({ ctx }, reply) => {
    const live = new Map((await liveSecrets(store, seal, ctx.app.id)).map((each) => [each.id, endingOf(each)]))
    const secrets = (await listSecrets(store, ctx.app.id)).map((each) => ({ ...each, ending: live.get(each.id) }))
    return page(allowScript(reply), keysPage({ ctx, secrets }))
  })

  app.get('/claves/rotar', async ({ ctx }, reply) => {
    requireTitular(ctx)
    const live = await liveSecrets(store, seal, ctx.app.id)
    const [newest, former] = live
    return page(
      reply,
      <PortalPage ctx={ctx} section="/claves" title="¿Crear una clave nueva?" parentLink={listOf(ctx)}>
        <Confirm
          action={`${ctx.basePath}/claves/rotar`}
          button="Crear y ver la clave"
          hidden={{ vigente: String(newest?.id ?? 0) }}
          mild={former === undefined}
          back={`${ctx.basePath}/claves`}
        >
          <ul>
            <li>La nueva se muestra una sola vez, en la página que sigue.</li>
            <li>La que usa hoy sigue sirviendo hasta que usted la revoque.</li>
            {former && (
              <li>
                <strong>
                  La anterior, que termina en <code>{endingOf(former)}</code>, deja de servir ahora
                </strong>
                : como mucho hay dos. Asegúrese de que ningún sistema la use.
              </li>
            )}
          </ul>
        </Confirm>
      </PortalPage>,
    )
  })

  app.post('/claves/rotar', provenForm(CONFIRMATION_FORM), async ({ ctx, form }, reply) => {
    requireTitular(ctx)
    const newest = Number(textField(form, 'vigente') || -1)
    const secret = await rotateSecretOnce(store, seal, ctx.app.id, newest)
    if (secret === undefined) throw rotatedMeanwhile()
    await ctx.audit('app.clave-nueva', ctx.app.appKey)
    return page(allowScript(reply), createdPage({ ctx, secret, former: newest > 0 }), 201)
  })

  serveConfirmation(app, '/claves/:id/revocar', {
    audience: PORTAL,
    section: '/claves',
    async load(params: { id: string }, ctx) {
      requireTitular(ctx)
      const live = await liveSecrets(store, seal, ctx.app.id)
      const secret = live.find(({ id }) => String(id) === params.id)
      if (!secret) throw noSuchKey()
      if (live.length === 1) throw lastKey()
      return secret
    },
    parentLink: (_, ctx) => listOf(ctx),
    question: (secret) => revocation(`que termina en ${endingOf(secret)}`, 'algún sistema'),
    async act({ id }, ctx) {
      await revokeKey(store, ctx.app.id, id)
      await ctx.audit('app.clave-revocada', ctx.app.appKey, { clave: id })
    },
    form: provenForm(CONFIRMATION_FORM),
    notice: 'clave-revocada',
  })
}

const listOf = ({ basePath }: PortalContext) => ({ href: `${basePath}/claves`, label: 'Claves' })

/** A secret with its last characters, which tell which one a server uses. */
type ShownSecret = ListedSecret & { ending: string | undefined }

/** The keys of an app. A secret is shown once, when it is created. */
function keysPage({ ctx, secrets }: { ctx: PortalContext; secrets: ShownSecret[] }) {
  const { app, basePath, rol } = ctx
  return (
    <PortalPage
      ctx={ctx}
      section="/claves"
      title="Claves"
      script
      intro="Con ellas la app firma sus llamadas a la API. Quien las tenga puede actuar como la app."
      actions={rol === 'titular' && <ButtonLink href={`${basePath}/claves/rotar`}>Crear una clave nueva</ButtonLink>}
    >
      <Section title="AppKey">
        <p>
          <Copyable id="app-key" what="el AppKey">
            {app.appKey}
          </Copyable>
        </p>
        <p class="hint">Nombra a la app y no cambia. No es un secreto, pero tampoco hace falta publicarlo.</p>
      </Section>
      <Section title="AppSecret">
        <Table
          caption="Las claves secretas de la app"
          columns={columns(ctx, liveOf(secrets).length)}
          rows={secrets}
          empty={<p>La app no tiene ninguna clave: no puede llamar. Cree una nueva.</p>}
        />
        <p class="hint">
          Pueden servir dos a la vez: cree la nueva, cámbiela en su sistema y revoque la anterior, sin un segundo de
          corte. <a href={`${basePath}/probar`}>Pruebe una llamada</a> o vea{' '}
          <a href="/docs/guia/firmar">cómo se firma</a>.
        </p>
        {rol !== 'titular' && (
          <p class="empty">
            Crear y revocar claves lo decide quien es titular de la app. <a href={`${basePath}/equipo`}>Ver quién es</a>
            .
          </p>
        )}
      </Section>
    </PortalPage>
  )
}

const columns = (ctx: PortalContext, live: number) =>
  keyColumns<ShownSecret>(
    ctx,
    ({ id, ending }) => (ending ? <code>…{ending}</code> : <span>Nº {id}</span>),
    ({ id, ending }) => {
      if (ctx.rol !== 'titular') return null
      if (live === 1) return <span class="hint">Es la única</span>
      const href = `${ctx.basePath}/claves/${id}/revocar`
      return <DangerLink href={href} label="Revocar" to={`la que termina en ${ending}`} />
    },
  )

const createdPage = ({ ctx, secret, former }: { ctx: PortalContext; secret: string; former: boolean }) => (
  <PortalPage ctx={ctx} section="/claves" title="Su clave nueva" script parentLink={listOf(ctx)}>
    <Secret label="El AppSecret" value={secret}>
      Guárdelo ahora en un lugar seguro: no se vuelve a mostrar.
    </Secret>
    <h2>Ahora</h2>
    <ol>
      <li>Póngalo en su sistema en lugar del anterior. Ya sirve.</li>
      {former && <li>Cuando todo use el nuevo, revoque el anterior en Claves. Hasta entonces sirven los dos.</li>}
    </ol>
    <p>
      <ButtonLink href={`${ctx.basePath}/claves`}>Ya lo guardé</ButtonLink>
    </p>
  </PortalPage>
)
