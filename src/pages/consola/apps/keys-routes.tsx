import { listSecrets, revokeSecret, rotateSecretOnce } from '../../../apps/secrets.ts'
import { conflict, notFound } from '../../../http/problems.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION, formOf, line, ticked } from '../../form.ts'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import type { PageDeps } from '../../signed-in.ts'
import { CONSOLE, type ConsolePages } from '../context.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { APPS, appHref } from './list.tsx'
import { secretPage } from './new-page.tsx'

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

  serveConfirmation(app, '/apps/:appKey/claves/:id/revocar', {
    audience: CONSOLE,
    section: APPS,
    load: async ({ appKey, id }: { appKey: string; id: string }) => {
      const found = await apps.find(appKey)
      const secret = (await listSecrets(store, found.id)).find(
        (each) => String(each.id) === id && each.revocado === null,
      )
      if (!secret) throw notFound(NO_SUCH)
      return { app: found, secret }
    },
    above: ({ app: { appKey, nombre } }) => ({ href: appHref({ appKey }), label: nombre }),
    question: ({ app: { nombre }, secret }) => ({
      title: `¿Revocar la clave Nº ${secret.id}?`,
      button: 'Sí, revocar',
      consequences: (
        <ul>
          <li>En un segundo se rechaza lo que venga firmado con ella, y los tokens que se pidieron con ella.</li>
          <li>Si {nombre} todavía la usa, deja de funcionar hasta que cambie a la otra.</li>
          <li>No se puede deshacer.</li>
        </ul>
      ),
    }),
    act: async ({ app: { id, appKey }, secret }, ctx) => {
      const outcome = await revokeSecret(store, id, secret.id)
      if (outcome === 'gone') throw notFound(NO_SUCH)
      if (outcome === 'last') throw conflict({ _: [LAST] }, LAST)
      await ctx.audit('app.clave-revocada', appKey, { clave: secret.id })
    },
    notice: 'app-clave-revocada',
    next: ({ app: { appKey } }) => `${appHref({ appKey })}#claves`,
  })
}

const NO_SUCH = 'La app no tiene una clave vigente así.'
const ROTATED = 'La clave ya se cambió desde que abrió esa página: en la de la app ve las que sirven ahora.'
const LAST = 'Es la única clave de la app. Cree otra primero, o deshabilite la app.'
