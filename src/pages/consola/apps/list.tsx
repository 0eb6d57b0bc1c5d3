import type { App } from '../../../apps/app.ts'
import { type AppOverview, findAppOverview, listAppOverviews } from '../../../apps/store.ts'
import { notFound } from '../../../http/problems.ts'
import { searchFilter, selectFilter } from '../../filter.tsx'
import { defineList, numberedPage } from '../../list.tsx'
import { ButtonLink } from '../../parts.tsx'
import type { PageDeps } from '../../signed-in.ts'
import { column, countColumn } from '../../table.tsx'
import { CONSOLE, MODOS, modoColumn } from '../context.tsx'

export const APPS = '/consola/apps'

export const appHref = ({ appKey }: Pick<App, 'appKey'>): string => `${APPS}/${appKey}`

/** Any app, by its AppKey; 404 where there is none. */
export async function appAt({ store }: PageDeps, appKey: string): Promise<AppOverview> {
  const app = await findAppOverview(store, appKey.toLowerCase())
  if (!app) throw notFound('No hay una app con esa AppKey.')
  return app
}

export const AppEstado = ({ disabled }: Pick<App, 'disabled'>) =>
  disabled ? <span class="badge error">deshabilitada</span> : <span class="badge ok">habilitada</span>

export const APPS_LIST = defineList({
  audience: CONSOLE,
  section: APPS,
  title: 'Apps',
  intro: 'Los sistemas de los asociados: con su AppKey llaman a la API, y reciben notificaciones en sus webhooks.',
  actions: <ButtonLink href={`${APPS}/nueva`}>Crear una app</ButtonLink>,
  filters: {
    q: searchFilter('Nombre o AppKey'),
    modo: selectFilter('Modo', 'Todos', MODOS),
    estado: selectFilter('Estado', 'Todas', [
      ['habilitadas', 'Habilitadas'],
      ['deshabilitadas', 'Deshabilitadas'],
    ]),
  },
  load: ({ store }, request) => numberedPage(request, (cursor) => listAppOverviews(store, request.filters, cursor)),
  columns: (_ctx) => [
    { head: 'AppKey', text: ({ appKey }) => appKey },
    column('App', 'nombre', (nombre, app) => (
      <span>
        <a href={appHref(app)}>
          <strong>{nombre}</strong>
        </a>
        <span class="hint below">
          <code class="id">{app.appKey}</code>
        </span>
      </span>
    )),
    modoColumn(),
    {
      head: 'Estado',
      cell: (app) => (
        <span class="row tight">
          <AppEstado disabled={app.disabled} />
          {app.webhooksFallando > 0 && (
            <a class="badge attention" href={`${appHref(app)}#webhooks`}>
              {app.webhooksFallando === 1 ? '1 webhook falla' : `${app.webhooksFallando} webhooks fallan`}
            </a>
          )}
        </span>
      ),
      text: ({ disabled }) => (disabled ? 'deshabilitada' : 'habilitada'),
    },
    countColumn('Agencias', ({ agencias }) => agencias),
    countColumn('Solicitudes, 24 h', ({ solicitudes }) => solicitudes),
    countColumn('Entregas, 24 h', ({ entregadas }) => entregadas),
    countColumn('Intentos fallidos, 24 h', ({ intentosFallidos }) => intentosFallidos),
    { head: 'Contacto', text: ({ contacto }) => contacto },
    { head: 'Creada', text: ({ creada }) => creada },
  ],
  empty: {
    none: (
      <>
        Todavía no hay apps. <a href={`${APPS}/nueva`}>Cree la primera</a> y entregue su AppKey y su AppSecret al
        asociado.
      </>
    ),
    noMatch: 'No hay apps así.',
    all: 'Ver todas',
  },
})
