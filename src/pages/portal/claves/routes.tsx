import { type LiveSecret, listSecrets, liveSecrets, revokeSecret, rotateSecretOnce } from '../../../apps/secrets.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { Confirm, serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import type { PageDeps } from '../../signed-in.ts'
import { requireTitular } from '../access.ts'
import { PORTAL, type PortalContext, PortalPage, type PortalPages } from '../context.tsx'
import { createdPage, keysPage } from './page.tsx'

const ENDING_CHARACTERS = 4
const ROTATED = 'La clave ya se cambió desde que abrió esa página: en Claves ve las que sirven ahora.'
const NO_SUCH = 'La app no tiene una clave vigente así.'
const LAST = 'Es la única clave de la app: cree otra antes de revocarla.'

/** /portal/{AppKey}/claves: lists, rotates and revokes the app's secrets. */
export function keysRoutes(app: PortalPages, deps: PageDeps): void {
  const { store, seal } = deps
  const endingOf = ({ secret }: LiveSecret) => secret.slice(-ENDING_CHARACTERS)

  app.get('/claves', async (request, reply) => {
    const { ctx } = request
    const live = new Map((await liveSecrets(store, seal, ctx.app.id)).map((each) => [each.id, endingOf(each)]))
    const secrets = (await listSecrets(store, ctx.app.id)).map((each) => ({ ...each, ending: live.get(each.id) }))
    return page(allowScript(reply), keysPage({ ctx, secrets }))
  })

  app.get('/claves/rotar', async (request, reply) => {
    const { ctx } = request
    requireTitular(ctx)
    const live = await liveSecrets(store, seal, ctx.app.id)
    const [newest, former] = live
    return page(
      reply,
      <PortalPage ctx={ctx} section="/claves" title="¿Crear una clave nueva?" above={listOf(ctx)}>
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

  app.post('/claves/rotar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    requireTitular(ctx)
    const newest = Number(line(formOf(request), 'vigente') || -1)
    const secret = await rotateSecretOnce(store, seal, ctx.app.id, newest)
    if (secret === undefined) throw conflict({ _: [ROTATED] }, ROTATED)
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
      if (!secret) throw notFound(NO_SUCH)
      if (live.length === 1) throw conflict({ _: [LAST] }, LAST)
      return secret
    },
    above: (_, ctx) => listOf(ctx),
    question: (secret) => ({
      title: `¿Revocar la clave que termina en ${endingOf(secret)}?`,
      button: 'Sí, revocar',
      consequences: (
        <ul>
          <li>En un segundo se rechaza lo que venga firmado con ella, y los tokens que se pidieron con ella.</li>
          <li>Si algún sistema todavía la usa, deja de funcionar hasta que cambie a la otra.</li>
          <li>No se puede deshacer.</li>
        </ul>
      ),
    }),
    async act({ id }, ctx) {
      const outcome = await revokeSecret(store, ctx.app.id, id)
      if (outcome === 'gone') throw notFound(NO_SUCH)
      if (outcome === 'last') throw conflict({ _: [LAST] }, LAST)
      await ctx.audit('app.clave-revocada', ctx.app.appKey, { clave: id })
    },
    notice: 'clave-revocada',
  })
}

const listOf = ({ basePath }: PortalContext) => ({ href: `${basePath}/claves`, label: 'Claves' })
