import type { FastifyInstance } from 'fastify'
import type { Modo } from '../../../apps/app.ts'
import { newAppKey } from '../../../apps/secrets.ts'
import { listAppsAtWork } from '../../../apps/staff.ts'
import { createAppOnce } from '../../../apps/store.ts'
import { openSandbox } from '../../../sandbox/open.ts'
import { type Asking, choiceAsked, numberedTurnAsked, textAsked, wantsCsv } from '../../asked.ts'
import { MOST_CSV_ROWS, sendCsv } from '../../csv.ts'
import { formOf, line } from '../../form.ts'
import { page } from '../../page.ts'
import { done, HIDDEN, type People } from '../../people.ts'
import { allowScript } from '../../security.ts'
import { MODO_NAMES } from '../modo.tsx'
import { visitBy } from '../visit.tsx'
import { type ByAppKey, openApps } from './access.ts'
import { appDecisionsRoutes } from './decisions-routes.tsx'
import { APP_FORM, appFaults, givenIn } from './given.ts'
import { appKeysRoutes } from './keys-routes.tsx'
import { APP_CSV, appsPage, ESTADOS } from './list-page.tsx'
import { newAppPage, secretPage } from './new-page.tsx'
import { appPage } from './one-page.tsx'
import { APPS, appHref } from './parts.tsx'
import { appTeamRoutes } from './team-routes.tsx'

/** /consola/apps: the partners' apps. */
export function appsRoutes(app: FastifyInstance, people: People): void {
  const { store, seal, config } = people
  const apps = openApps(people)

  app.get<Asking>(APPS, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const { query } = request
    const looked = {
      q: textAsked(query, 'q'),
      modo: choiceAsked(query, 'modo', MODO_NAMES),
      estado: choiceAsked(
        query,
        'estado',
        ESTADOS.map(([name]) => name),
      ),
    }
    if (wantsCsv(query)) {
      const { rows } = await listAppsAtWork(store, looked, { limit: MOST_CSV_ROWS })
      return sendCsv(reply, 'apps', APP_CSV, rows)
    }
    const found = await listAppsAtWork(store, looked, numberedTurnAsked(query))
    return page(reply, appsPage({ visit, looked, found }))
  })

  app.get(`${APPS}/nueva`, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    return visit ? page(reply, newAppPage({ visit, appKey: newAppKey() })) : reply
  })

  app.post(APPS, APP_FORM, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const form = formOf(request)
    const [given, appKey] = [givenIn(form), line(form, 'AppKey')]
    const errors = appFaults({ ...given, appKey })
    if (Object.keys(errors).length > 0)
      return page(reply, newAppPage({ visit, appKey: newAppKey(), given, errors }), 400)
    const { nombre, contacto } = given
    const wanted = { nombre, modo: given.modo as Modo, ...(contacto && { contacto }) }
    const made = await createAppOnce(store, seal, wanted, appKey)
    if (!made) return done(reply, 'app-ya-creada', appHref({ appKey }))
    await openSandbox(people, made.app)
    await visit.note('app.crear', made.app.appKey, { nombre, modo: given.modo })
    return page(allowScript(reply), secretPage({ visit, ...made, made: true, publicUrl: config.publicUrl }), 201)
  })

  app.get<ByAppKey>(`${APPS}/:appKey`, HIDDEN, async (request, reply) => {
    const visit = await visitBy(people, request, reply)
    if (!visit) return reply
    const view = await apps.view(request.params.appKey)
    await visit.note('app.leer', view.app.appKey)
    return page(allowScript(reply), appPage({ visit, ...view }))
  })

  appDecisionsRoutes(app, people)
  appKeysRoutes(app, people)
  appTeamRoutes(app, people)
}
