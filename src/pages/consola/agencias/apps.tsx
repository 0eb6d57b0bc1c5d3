import { findApp } from '../../../apps/store.ts'
import { conflict } from '../../../http/problems.ts'
import { message, t } from '../../../i18n/messages.tsx'
import type { Agencia, Asociacion } from '../../../resources/agencias/agencia.ts'
import { changePermisos, connect, detach } from '../../../resources/agencias/associations.ts'
import { requireAsociacion } from '../../../resources/agencias/read.ts'
import { appsToAssociate } from '../../../resources/agencias/staff.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { Acts, Select } from '../../fields.tsx'
import { CONFIRMATION_FORM, textField } from '../../form.ts'
import { formatDay } from '../../format.tsx'
import { Section } from '../../parts.tsx'
import { AssociationActs, PermissionList, PermissionTicks, permissionsIn } from '../../permissions.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { CONSOLE, type ConsolePages } from '../context.tsx'
import { AGENCIAS, agenciaAt, consolaAgenciaHref } from './list.tsx'

const NOT_TO_ASSOCIATE = message('consola.agencyApps.notToAssociate')

type ByApp = { Params: { id: string; appKey: string } }

/** /consola/agencias/{id}/apps: who may work with the agency, decided by the marketplace. */
export function agenciaAppsRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  app.post<ById>('/agencias/:id/apps', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const agencia = await agenciaAt(deps, params.id)
    const appKey = textField(form, 'App')
    const known = (await appsToAssociate(store, agencia)).some((each) => each.appKey === appKey)
    const chosen = known ? await findApp(store, appKey) : undefined
    if (!chosen) throw conflict({}, NOT_TO_ASSOCIATE)
    const permisos = permissionsIn(form)
    const detail = { app: appKey, ...permisos }
    await ctx.change({ act: 'agencia.asociar', subject: agencia.adminMail, detail }, (tx) =>
      connect({ ...deps, store: tx }, chosen, agencia, permisos),
    )
    return redirectWithNotice(reply, 'agencia-asociada', `${consolaAgenciaHref(agencia)}#apps`)
  })

  app.post<ByApp>('/agencias/:id/apps/:appKey', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const agencia = await agenciaAt(deps, params.id)
    const partner = (await requireAsociacion(store, agencia.id, params.appKey)).app
    const permisos = permissionsIn(form)
    const detail = { app: partner.appKey, ...permisos }
    await ctx.change({ act: 'agencia.permisos', subject: agencia.adminMail, detail }, (tx) =>
      changePermisos(tx, partner, agencia, permisos),
    )
    return redirectWithNotice(reply, 'agencia-permisos', `${consolaAgenciaHref(agencia)}#apps`)
  })

  serveConfirmation(app, '/agencias/:id/apps/:appKey/terminar', {
    audience: CONSOLE,
    section: AGENCIAS,
    load: async ({ id, appKey }: ByApp['Params']) => {
      const agencia = await agenciaAt(deps, id)
      return { agencia, app: (await requireAsociacion(store, agencia.id, appKey)).app }
    },
    parentLink: ({ agencia }) => ({ href: consolaAgenciaHref(agencia), label: agencia.nombre }),
    question: ({ app: { nombre } }) => ({
      title: t('consola.agencyApps.end.title', { app: nombre }),
      button: t('consola.agencyApps.end.button'),
      consequences: [
        t('consola.agencyApps.end.app', { app: nombre }),
        t('consola.agencyApps.end.listings'),
        t('consola.agencyApps.end.mail'),
        t('consola.agencyApps.end.rest'),
      ],
    }),
    act: ({ agencia, app: detached }, ctx) =>
      ctx.change({ act: 'agencia.desasociar', subject: agencia.adminMail, detail: { app: detached.appKey } }, (tx) =>
        detach(tx, deps, { app: detached, agencia, by: 'mercado' }),
      ),
    notice: 'agencia-desasociada',
    next: ({ agencia }) => `${consolaAgenciaHref(agencia)}#apps`,
  })
}

interface Props {
  agencia: Agencia
  asociaciones: Asociacion[]
  /** What it could be associated with. */
  apps: { appKey: string; nombre: string }[]
  timeZone: string
}

export const AgencyApps = ({ agencia, asociaciones, apps, timeZone }: Props) => (
  <Section id="apps" title={t('consola.agencyApps.title')}>
    {asociaciones.length === 0 ? (
      <p class="empty">
        {t('consola.agencyApps.none')} <Acts>{apps.length > 0 && t('consola.agencyApps.none.first')}</Acts>
      </p>
    ) : (
      <ul class="cards">
        {asociaciones.map((asociacion) => {
          const { app, desde } = asociacion
          return (
            <li key={app.appKey} class="card">
              <h3>
                <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
              </h3>
              <p class="hint">{t('consola.agencyApps.since', { day: formatDay(desde, timeZone) })}</p>
              <ul class="checks">
                <PermissionList permisos={asociacion} />
              </ul>
              <Acts>
                <AssociationActs asociacion={asociacion} path={`${consolaAgenciaHref(agencia)}/apps/${app.appKey}`} />
              </Acts>
            </li>
          )
        })}
      </ul>
    )}
    {apps.length > 0 && (
      <Acts>
        <details>
          <summary>{t('consola.agencyApps.add')}</summary>
          <form method="post" action={`${consolaAgenciaHref(agencia)}/apps`} class="sheet limited">
            <p class="hint">{t('consola.agencyApps.add.hint')}</p>
            <Select
              name="App"
              label={t('consola.head.app')}
              choices={apps.map(({ appKey, nombre }) => [appKey, nombre] as const)}
            />
            <PermissionTicks of="-nueva" />
            <button type="submit">{t('consola.agencyApps.add.button')}</button>
          </form>
        </details>
      </Acts>
    )}
  </Section>
)
