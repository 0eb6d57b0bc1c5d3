import { listSecrets, revokeSecret, rotateSecretOnce } from '../../../apps/secrets.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { CONFIRMATION, formOf, line, ticked } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import { confirmPage } from '../confirm.tsx'
import type { ConsolePages } from '../context.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { secretPage } from './new-page.tsx'
import { APPS, appHref } from './parts.tsx'

type BySecret = { Params: { appKey: string; id: string } }

/** /consola/apps/{AppKey}/claves: a secret more, or one less. */
export function appKeysRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const apps = openApps(deps)

  app.post<ByAppKey>('/apps/:appKey/claves', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const found = await apps.find(request.params.appKey)
    const form = formOf(request)
    const revokes = ticked(form, 'revocar')
    const newest = Number(line(form, 'vigente') || -1)
    const secret = await rotateSecretOnce(store, seal, found.id, newest, revokes)
    if (secret === undefined) throw conflict({ _: [ROTATED] }, ROTATED)
    await ctx.audit('app.clave-nueva', found.appKey, { revocaLasAnteriores: revokes })
    return page(
      allowScript(reply),
      secretPage({ ctx, app: found, secret, made: false, publicUrl: config.publicUrl }),
      201,
    )
  })

  app.get<BySecret>('/apps/:appKey/claves/:id/revocar', async (request, reply) => {
    const { ctx } = request
    const found = await apps.find(request.params.appKey)
    const secret = (await listSecrets(store, found.id)).find(
      ({ id, revocado }) => String(id) === request.params.id && revocado === null,
    )
    if (!secret) throw notFound(NO_SUCH)
    return page(
      reply,
      confirmPage({
        ctx,
        current: APPS,
        above: { href: appHref(found), label: found.nombre },
        title: `¿Revocar la clave Nº ${secret.id}?`,
        action: `${appHref(found)}/claves/${secret.id}/revocar`,
        button: 'Sí, revocar',
        children: (
          <ul>
            <li>En un segundo se rechaza lo que venga firmado con ella, y los tokens que se pidieron con ella.</li>
            <li>Si {found.nombre} todavía la usa, deja de funcionar hasta que cambie a la otra.</li>
            <li>No se puede deshacer.</li>
          </ul>
        ),
      }),
    )
  })

  app.post<BySecret>('/apps/:appKey/claves/:id/revocar', CONFIRMATION, async (request, reply) => {
    const { ctx } = request
    const found = await apps.find(request.params.appKey)
    const { id } = request.params
    const outcome = /^\d{1,9}$/.test(id) ? await revokeSecret(store, found.id, Number(id)) : 'gone'
    if (outcome === 'gone') throw notFound(NO_SUCH)
    if (outcome === 'last') throw conflict({ _: [LAST] }, LAST)
    await ctx.audit('app.clave-revocada', found.appKey, { clave: Number(id) })
    return done(reply, 'app-clave-revocada', `${appHref(found)}#claves`)
  })
}

const NO_SUCH = 'La app no tiene una clave vigente así.'
const ROTATED = 'La clave ya se cambió desde que abrió esa página: en la de la app ve las que sirven ahora.'
const LAST = 'Es la única clave de la app. Cree otra primero, o deshabilite la app.'
