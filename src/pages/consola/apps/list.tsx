import type { App } from '../../../apps/app.ts'
import { type AppOverview, findAppOverview, listAppOverviews } from '../../../apps/store.ts'
import { message, rich, t } from '../../../i18n/messages.tsx'
import { Acts } from '../../fields.tsx'
import { searchFilter, selectFilter } from '../../filter.tsx'
import { defineList, isByName, nameOrders, numberedPage, timeOrders } from '../../list.tsx'
import { requireFound } from '../../params.ts'
import { ButtonLink } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { column, countColumn, RowLink } from '../../table.tsx'
import { CONSOLE, modoColumn, modos } from '../context.tsx'

export const APPS = '/consola/apps'
const APP_KEY = 'AppKey'

export const appHref = ({ appKey }: Pick<App, 'appKey'>): string => `${APPS}/${appKey}`

/** Any app, by its AppKey; 404 where there is none. */
export const appAt = async ({ store }: PageDeps, appKey: string): Promise<AppOverview> =>
  requireFound(await findAppOverview(store, appKey.toLowerCase()), message('consola.apps.noSuch'))

export const AppEstado = ({ disabled }: Pick<App, 'disabled'>) =>
  disabled ? (
    <span class="badge error">{t('consola.apps.badge.disabled')}</span>
  ) : (
    <span class="badge ok">{t('consola.apps.badge.enabled')}</span>
  )

export const APPS_LIST = defineList(() => ({
  audience: CONSOLE,
  section: APPS,
  title: t('consola.apps.title'),
  intro: t('consola.apps.intro'),
  actions: (
    <Acts>
      <ButtonLink href={`${APPS}/nueva`}>{t('consola.apps.create')}</ButtonLink>
    </Acts>
  ),
  filters: {
    q: searchFilter(t('consola.apps.search')),
    modo: selectFilter(t('consola.head.mode'), t('consola.filter.all.m'), modos()),
    estado: selectFilter(t('consola.head.state'), t('consola.filter.all.apps'), [
      ['habilitadas', t('consola.apps.enabledOnes')],
      ['deshabilitadas', t('consola.apps.disabledOnes')],
    ]),
  },
  orders: [...timeOrders(), ...nameOrders()],
  load: ({ store }, request) =>
    numberedPage(request, (cursor) =>
      listAppOverviews(store, { ...request.filters, byName: isByName(request) }, cursor),
    ),
  columns: (_ctx) => [
    { head: APP_KEY, text: ({ appKey }) => appKey },
    {
      ...column(t('consola.head.app'), 'nombre', (nombre, app) => (
        <span>
          <RowLink href={appHref(app)}>
            <strong>{nombre}</strong>
          </RowLink>
          <span class="hint below">
            <code class="id">{app.appKey}</code>
          </span>
        </span>
      )),
      sort: 'nombre',
    },
    modoColumn(),
    {
      head: t('consola.head.state'),
      cell: (app) => (
        <span class="row tight">
          <AppEstado disabled={app.disabled} />
          {app.disabledWebhooks > 0 && (
            <a class="badge error" href={`${appHref(app)}#webhooks`}>
              {t('consola.apps.off', { count: app.disabledWebhooks })}
            </a>
          )}
          {app.failingWebhooks > 0 && (
            <a class="badge attention" href={`${appHref(app)}#webhooks`}>
              {t('consola.apps.failing', { count: app.failingWebhooks })}
            </a>
          )}
        </span>
      ),
      text: ({ disabled }) => t(disabled ? 'consola.apps.badge.disabled' : 'consola.apps.badge.enabled'),
    },
    countColumn(t('consola.nav.agencias'), ({ agencias }) => agencias),
    countColumn(t('consola.apps.requests'), ({ solicitudes }) => solicitudes),
    countColumn(t('consola.apps.deliveries'), ({ entregadas }) => entregadas),
    countColumn(t('consola.apps.failed'), ({ intentosFallidos }) => intentosFallidos),
    { head: t('consola.apps.contactHead'), text: ({ contacto }) => contacto },
    { head: t('consola.apps.created'), text: ({ creada }) => creada },
  ],
  empty: {
    none: (
      <>
        {t('consola.apps.none')}{' '}
        <Acts>{rich('consola.apps.none.first', { link: (text) => <a href={`${APPS}/nueva`}>{text}</a> })}</Acts>
      </>
    ),
    noMatch: t('consola.apps.noMatch'),
    all: t('consola.filter.seeAll.apps'),
  },
}))
