import { findApp } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import type { Asociacion } from '../../../resources/agencias/agencia.ts'
import { connect, detach } from '../../../resources/agencias/associations.ts'
import { type AppUsage, usageByApp } from '../../../resources/agencias/figures.ts'
import { asociacionesOf, requireAsociacion } from '../../../resources/agencias/read.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION_FORM } from '../../form.ts'
import { page } from '../../page.ts'
import { AssociationActs, PermissionList, permissionsIn } from '../../permissions.tsx'
import { type ByAppKey, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import {
  type AccountPages,
  ADMINISTRATOR,
  type AgencyContext,
  AgencyPage,
  asAdministrator,
  atAgency,
} from '../context.tsx'
import { AppCards, ReadsSummary, recentPeriod } from './reads.tsx'

const APPS = '/cuenta/apps'

/** /cuenta/apps, …/{AppKey}: what apps may do with the agency and have read, changed or ended by its administrator. */
export function accountAppsRoutes(app: AccountPages, deps: PageDeps): void {
  const { store } = deps

  app.get('/apps', async (request, reply) => {
    const ctx = atAgency(request.ctx)
    const { id } = ctx.agencia
    const [asociaciones, reads] = [await asociacionesOf(store, id), await usageByApp(store, id, recentPeriod(ctx))]
    return page(reply, appsPage({ ctx, asociaciones, reads }))
  })

  app.post<ByAppKey>('/apps/:appKey', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const admin = asAdministrator(ctx)
    const { appKey } = params
    await requireAsociacion(store, admin.agencia.id, appKey)
    const full = await findApp(store, appKey)
    if (!full) throw notFound()
    await connect(deps, full, admin.agencia, permissionsIn(form))
    return redirectWithNotice(reply, 'permisos', APPS)
  })

  serveConfirmation(app, '/apps/:appKey/terminar', {
    audience: ADMINISTRATOR,
    section: APPS,
    load: async ({ appKey }: ByAppKey['Params'], { agencia }) =>
      (await requireAsociacion(store, agencia.id, appKey)).app,
    question: ({ nombre }) => ({
      title: `¿Terminar la asociación con ${nombre}?`,
      button: 'Sí, terminar',
      consequences: [
        `${nombre} deja de ver los datos y las consultas de la agencia.`,
        'Los avisos que publicó por usted quedan suspendidos.',
        'Su cuenta y sus otras apps siguen como están. Puede volver a asociarla cuando quiera.',
      ],
    }),
    act: (detached, { agencia }) =>
      store.transaction((tx) => detach(tx, deps, { app: detached, agencia, by: 'agencia' })),
    notice: 'terminada',
  })
}

interface AppsProps {
  ctx: AgencyContext
  asociaciones: Asociacion[]
  reads: Map<number, AppUsage>
}

function appsPage({ ctx, asociaciones, reads }: AppsProps) {
  const { agencia } = ctx
  const decides = agencia.rol === 'administrador'
  return (
    <AgencyPage
      ctx={ctx}
      section={APPS}
      title="Apps"
      intro={`Los sistemas que trabajan con la agencia.${decides ? '' : ` Lo que puede hacer cada uno lo decide ${agencia.adminMail}.`}`}
    >
      <AppCards ctx={ctx} asociaciones={asociaciones} heading="h2">
        {(asociacion) => (
          <>
            <div class="with-side even">
              <div>
                <h3>Qué puede hacer</h3>
                <ul class="checks">
                  <li>Ver los datos y el paquete de la agencia, y las consultas de los avisos que publica</li>
                  <PermissionList permisos={asociacion} />
                </ul>
              </div>
              <div>
                <h3>Qué leyó</h3>
                <ReadsSummary reads={reads.get(asociacion.app.id)} when={ctx} />
              </div>
            </div>
            {decides && <AssociationActs asociacion={asociacion} path={`${APPS}/${asociacion.app.appKey}`} />}
          </>
        )}
      </AppCards>
    </AgencyPage>
  )
}
