import type { Modo } from '../../../apps/app.ts'
import { newAppKey } from '../../../apps/secrets.ts'
import { createAppOnce } from '../../../apps/store.ts'
import { openSandbox } from '../../../sandbox/agency.ts'
import { formOf, line } from '../../form.ts'
import { serveList } from '../../list.tsx'
import { page } from '../../page.ts'
import { allowScript } from '../../security.ts'
import { type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { appDecisionsRoutes } from './decisions-routes.tsx'
import { APP_FORM, appFaults, givenIn } from './given.ts'
import { appKeysRoutes } from './keys-routes.tsx'
import { APPS_LIST, appHref } from './list.tsx'
import { newAppPage, secretPage } from './new-page.tsx'
import { appPage } from './one-page.tsx'
import { appTeamRoutes } from './team-routes.tsx'

/** /consola/apps: the partners' apps. */
export function appsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const apps = openApps(deps)

  serveList(app, '/apps', deps, APPS_LIST)

  app.get('/apps/nueva', async (request, reply) => {
    const { ctx } = request
    return page(reply, newAppPage({ ctx, appKey: newAppKey() }))
  })

  app.post('/apps', APP_FORM, async (request, reply) => {
    const { ctx } = request
    const form = formOf(request)
    const [given, appKey] = [givenIn(form), line(form, 'AppKey')]
    const errors = appFaults({ ...given, appKey })
    if (Object.keys(errors).length > 0) return page(reply, newAppPage({ ctx, appKey: newAppKey(), given, errors }), 400)
    const { nombre, contacto } = given
    const wanted = { nombre, modo: given.modo as Modo, ...(contacto && { contacto }) }
    const made = await createAppOnce(store, seal, wanted, appKey)
    if (!made) return redirectWithNotice(reply, 'app-ya-creada', appHref({ appKey }))
    await openSandbox(deps, made.app)
    await ctx.audit('app.crear', made.app.appKey, { nombre, modo: given.modo })
    return page(allowScript(reply), secretPage({ ctx, ...made, made: true, publicUrl: config.publicUrl }), 201)
  })

  app.get<ByAppKey>('/apps/:appKey', async (request, reply) => {
    const { ctx } = request
    const view = await apps.view(request.params.appKey)
    await ctx.audit('app.leer', view.app.appKey)
    return page(allowScript(reply), appPage({ ctx, ...view }))
  })

  appDecisionsRoutes(app, deps)
  appKeysRoutes(app, deps)
  appTeamRoutes(app, deps)
}
