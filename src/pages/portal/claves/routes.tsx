import { type LiveSecret, listSecrets, liveSecrets, revokeSecret, rotateSecretOnce } from '../../../apps/secrets.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { CONFIRMATION, formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { requireTitular } from '../access.ts'
import { confirmPage } from '../confirm.tsx'
import type { PortalPages } from '../context.tsx'
import { createdPage, keysPage } from './page.tsx'

type BySecret = { Params: { id: string } }

const ENDING_CHARACTERS = 4
const ROTATED = 'La clave ya se cambió desde que abrió esa página: en Claves ve las que sirven ahora.'
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

  app.get(`/claves/rotar`, async (request, reply) => {
    const { ctx } = request
    requireTitular(ctx)
    const live = await liveSecrets(store, seal, ctx.app.id)
    const [newest, former] = live
    const children = (
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
    )
    return page(
      reply,
      confirmPage({
        ctx,
        section: '/claves',
        above: { href: `${ctx.at}/claves`, label: 'Claves' },
        title: '¿Crear una clave nueva?',
        action: `${ctx.at}/claves/rotar`,
        button: 'Crear y ver la clave',
        hidden: { vigente: String(newest?.id ?? 0) },
        mild: former === undefined,
        children,
      }),
    )
  })

  app.post(`/claves/rotar`, CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    requireTitular(ctx)
    const newest = Number(line(formOf(request), 'vigente') || -1)
    const secret = await rotateSecretOnce(store, seal, ctx.app.id, newest)
    if (secret === undefined) throw conflict({ _: [ROTATED] }, ROTATED)
    await ctx.audit('app.clave-nueva', ctx.app.appKey)
    return page(allowScript(reply), createdPage({ ctx, secret, former: newest > 0 }), 201)
  })

  app.get<BySecret>(`/claves/:id/revocar`, async (request, reply) => {
    const { ctx } = request
    requireTitular(ctx)
    const live = await liveSecrets(store, seal, ctx.app.id)
    const secret = live.find(({ id }) => String(id) === request.params.id)
    if (!secret) throw notFound('La app no tiene una clave vigente así.')
    if (live.length === 1) throw conflict({ _: [LAST] }, LAST)
    return page(
      reply,
      confirmPage({
        ctx,
        section: '/claves',
        above: { href: `${ctx.at}/claves`, label: 'Claves' },
        title: `¿Revocar la clave que termina en ${endingOf(secret)}?`,
        action: `${ctx.at}/claves/${secret.id}/revocar`,
        button: 'Sí, revocar',
        children: (
          <ul>
            <li>En un segundo se rechaza lo que venga firmado con ella, y los tokens que se pidieron con ella.</li>
            <li>Si algún sistema todavía la usa, deja de funcionar hasta que cambie a la otra.</li>
            <li>No se puede deshacer.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<BySecret>(`/claves/:id/revocar`, CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    requireTitular(ctx)
    const { id } = request.params
    const outcome = /^\d{1,9}$/.test(id) ? await revokeSecret(store, ctx.app.id, Number(id)) : 'gone'
    if (outcome === 'gone') throw notFound('La app no tiene una clave vigente así.')
    if (outcome === 'last') throw conflict({ _: [LAST] }, LAST)
    await ctx.audit('app.clave-revocada', ctx.app.appKey, { clave: Number(id) })
    return done(reply, 'clave-revocada', `${ctx.at}/claves`)
  })
}
