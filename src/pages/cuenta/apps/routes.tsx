import { t } from '../../../i18n/messages.tsx'
import { changePermisos, detach } from '../../../resources/agencias/associations.ts'
import { usageByApp } from '../../../resources/agencias/figures.ts'
import { asociacionesOf, requireAsociacion } from '../../../resources/agencias/read.ts'
import type { Db } from '../../../store/db.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { CONFIRMATION_FORM } from '../../form.ts'
import { page } from '../../page.ts'
import { AssociationActs, PermissionList, permissionsIn } from '../../permissions.tsx'
import { type ByAppKey, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { type AccountPages, AGENCY, type AgencyContext, AgencyPage } from '../context.tsx'
import { AppCards, ReadsSummary, recentPeriod } from './reads.tsx'

const APPS = '/cuenta/apps'

/** /cuenta/apps, …/{AppKey}: what apps may do with the agency and have read, changed or ended by its administrator. */
export function accountAppsRoutes({ vendedor, administrador }: AccountPages, deps: PageDeps): void {
  const { store } = deps

  vendedor.get('/apps', async ({ ctx }, reply) => page(reply, await appsPage(store, ctx)))

  administrador.post<ByAppKey>('/apps/:appKey', CONFIRMATION_FORM, async ({ ctx, params: { appKey }, form }, reply) => {
    const partner = (await requireAsociacion(store, ctx.agencia.id, appKey)).app
    const permisos = permissionsIn(form)
    const { adminMail } = ctx.agencia
    const detail = { app: appKey, ...permisos }
    await ctx.change({ act: 'agencia.permisos', subject: adminMail, detail }, (tx) =>
      changePermisos(tx, partner, ctx.agencia, permisos, ctx.account),
    )
    return redirectWithNotice(reply, 'permisos', APPS)
  })

  serveConfirmation(administrador, '/apps/:appKey/terminar', {
    audience: AGENCY,
    section: APPS,
    load: async ({ appKey }: ByAppKey['Params'], { agencia }) =>
      (await requireAsociacion(store, agencia.id, appKey)).app,
    question: ({ nombre }) => ({
      title: t('cuenta.apps.endTitle', { app: nombre }),
      button: t('cuenta.apps.endButton'),
      consequences: [
        t('cuenta.apps.endBlind', { app: nombre }),
        t('cuenta.apps.endListings'),
        t('cuenta.apps.endRest'),
      ],
    }),
    act: (detached, { agencia, account, change }) =>
      change({ act: 'agencia.desasociar', subject: agencia.adminMail, detail: { app: detached.appKey } }, (tx) =>
        detach(tx, deps, { app: detached, agencia, by: 'agencia', account }),
      ),
    notice: 'terminada',
  })
}

async function appsPage(store: Db, ctx: AgencyContext) {
  const { agencia } = ctx
  const asociaciones = await asociacionesOf(store, agencia.id)
  const reads = await usageByApp(store, agencia.id, recentPeriod(ctx))
  const decides = agencia.rol === 'administrador'
  return (
    <AgencyPage
      ctx={ctx}
      title={t('cuenta.nav.apps')}
      intro={decides ? t('cuenta.apps.intro') : t('cuenta.apps.introReader', { admin: agencia.adminMail })}
    >
      <AppCards ctx={ctx} asociaciones={asociaciones} heading="h2">
        {(asociacion) => (
          <>
            <div class="with-side even">
              <div>
                <h3>{t('cuenta.apps.can')}</h3>
                <ul class="checks">
                  <li>{t('cuenta.apps.always')}</li>
                  <PermissionList permisos={asociacion} />
                </ul>
              </div>
              <div>
                <h3>{t('cuenta.apps.hasRead')}</h3>
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
