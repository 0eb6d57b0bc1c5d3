import type { Modo } from '../../../apps/app.ts'
import { newAppKey } from '../../../apps/secrets.ts'
import { listAppsAtWork } from '../../../apps/staff.ts'
import { createAppOnce } from '../../../apps/store.ts'
import { openSandbox } from '../../../sandbox/open.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { type Asking, choiceParam, numberedCursorParam, textParam, wantsCsv } from '../../params.ts'
import { allowScript } from '../../security.ts'
import { done, type PageDeps } from '../../signed-in.ts'
import type { ConsolePages } from '../context.tsx'
import { MODO_NAMES } from '../modo.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { appDecisionsRoutes } from './decisions-routes.tsx'
import { APP_FORM, appFaults, givenIn } from './given.ts'
import { appKeysRoutes } from './keys-routes.tsx'
import { APP_CSV, appsPage, ESTADOS } from './list-page.tsx'
import { newAppPage, secretPage } from './new-page.tsx'
import { appPage } from './one-page.tsx'
import { appHref } from './parts.tsx'
import { appTeamRoutes } from './team-routes.tsx'

/** /consola/apps: the partners' apps. */
export function appsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store, seal, config } = deps
  const apps = openApps(deps)

  app.get<Asking>('/apps', async (request, reply) => {
    const { ctx } = request
    const { query } = request
    const filters = {
      q: textParam(query, 'q'),
      modo: choiceParam(query, 'modo', MODO_NAMES),
      estado: choiceParam(
        query,
        'estado',
        ESTADOS.map(([name]) => name),
      ),
    }
    if (wantsCsv(query)) {
      const { rows } = await listAppsAtWork(store, filters, { limit: MOST_CSV_ROWS })
      return sendCsv(reply, 'apps', APP_CSV, rows)
    }
    const found = await listAppsAtWork(store, filters, numberedCursorParam(query))
    return page(reply, appsPage({ ctx, filters, found }))
  })

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
    if (!made) return done(reply, 'app-ya-creada', appHref({ appKey }))
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
