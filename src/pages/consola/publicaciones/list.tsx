import { findApp, listApps } from '../../../apps/store.ts'
import { formatMoney } from '../../../i18n/format.ts'
import { t } from '../../../i18n/messages.tsx'
import { agenciasWithMail } from '../../../resources/agencias/staff.ts'
import { EXTERNAL_ID_CHARACTERS, type Publicacion } from '../../../resources/publicaciones/publicacion.ts'
import {
  ESTADO_FILTERS,
  exportPublicaciones,
  listPublicacionesForStaff,
} from '../../../resources/publicaciones/staff.ts'
import { loadedFilter, numberFilter, selectFilter, textFilter } from '../../filter.tsx'
import { appChoices, publicacionName } from '../../labels.tsx'
import { continuingLink, defineList, numberedPage, timeOrders } from '../../list.tsx'
import { thumbnailsOf } from '../../photo-states.tsx'
import { column, momentColumn, RowLink } from '../../table.tsx'
import { WithThumbnail } from '../../thumbnail.tsx'
import { consolaAgenciaHref } from '../agencias/list.tsx'
import { CONSOLE, ModoBadge } from '../context.tsx'

export const PUBLICACIONES = '/consola/publicaciones'
export const EXTERNAL_ID = 'ExternalId'

export const consolaPublicacionHref = ({ id }: { id: number }): string => `${PUBLICACIONES}/${id}`

const estados = () => ESTADO_FILTERS.map((estado) => [estado, t(`consola.listings.estado.${estado}`)] as const)
const TONES = { Activa: 'ok', Suspendida: '', Archivada: '' }

/** The state of a listing; one that the marketplace suspended stands out. */
export const PublicacionEstado = ({ estado, suspensiones }: Pick<Publicacion, 'estado' | 'suspensiones'>) =>
  estado === 'Suspendida' && suspensiones.includes('mercado') ? (
    <span class="badge error">{t('consola.listing.badge.moderada')}</span>
  ) : (
    <span class={`badge ${TONES[estado]}`}>{t(`consola.listing.badge.${estado}`)}</span>
  )

export const priceOf = ({ precioMoneda, precioImporte }: Publicacion): string | null =>
  precioMoneda && precioImporte !== null ? formatMoney({ Moneda: precioMoneda, Importe: precioImporte }) : null

export const PUBLICACIONES_LIST = defineList(() => ({
  audience: CONSOLE,
  section: PUBLICACIONES,
  title: t('consola.listings.title'),
  intro: t('consola.listings.intro'),
  filters: {
    aviso: numberFilter(t('consola.head.listing')),
    externalId: textFilter(EXTERNAL_ID, { spellcheck: false, maxlength: EXTERNAL_ID_CHARACTERS }),
    agencia: textFilter(t('consola.head.agency'), { placeholder: t('consola.inquiries.agency.hint') }),
    app: loadedFilter(t('consola.head.app'), t('consola.filter.all.apps')),
    estado: selectFilter(t('consola.head.state'), t('consola.filter.all.m'), estados()),
  },
  orders: timeOrders(),
  load: async ({ store }, request) => {
    const { agencia, app, ...rest } = request.filters
    const search = {
      ...rest,
      agencias: agencia === undefined ? undefined : await agenciasWithMail(store, agencia),
      appId: app === undefined ? undefined : ((await findApp(store, app))?.id ?? 0),
    }
    const [found, apps] = await Promise.all([
      numberedPage(request, (cursor) =>
        request.csv ? exportPublicaciones(store, search, cursor) : listPublicacionesForStaff(store, search, cursor),
      ),
      listApps(store),
    ])
    const photos = request.csv ? undefined : await thumbnailsOf(store, found.rows)
    const rows = found.rows.map((row) => ({ ...row, photo: photos?.get(row.id) }))
    return { ...found, rows, choices: { app: appChoices(apps) } }
  },
  searchedTo: ({ order, found: { searchedTo } }) =>
    searchedTo &&
    t('consola.listings.searchedTo', {
      id: String(searchedTo.before ?? searchedTo.after),
      link: continuingLink(order, searchedTo.after !== undefined),
    }),
  columns: (ctx) => [
    { head: t('consola.head.listing'), text: ({ id }) => id },
    { head: t('consola.head.mode'), text: ({ modo }) => modo },
    {
      head: t('consola.head.car'),
      cell: (row) => (
        <WithThumbnail car={row} photo={row.photo} ctx={ctx}>
          <RowLink href={consolaPublicacionHref(row)}>
            <strong>{publicacionName(row)}</strong>
          </RowLink>
          <span class="hint below">{t('consola.listings.number', { id: String(row.id) })}</span>
        </WithThumbnail>
      ),
      text: publicacionName,
      sort: 'fecha',
    },
    {
      head: t('consola.head.state'),
      cell: (row) => <PublicacionEstado {...row} />,
      text: ({ estado, suspensiones }) => [estado, ...suspensiones].join(' '),
    },
    {
      head: t('consola.listings.agencyAndApp'),
      cell: ({ agencia, app, modo }) => (
        <span class="named">
          <a href={consolaAgenciaHref(agencia)}>{agencia.nombre}</a> {modo === 'prueba' && <ModoBadge modo={modo} />}
          <span class="hint below">
            <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
          </span>
        </span>
      ),
    },
    { head: t('consola.head.agency'), text: ({ agencia }) => agencia.adminMail },
    { head: t('consola.head.app'), text: ({ app }) => app.nombre },
    column(EXTERNAL_ID, 'externalId', (id) => <span class="anywhere">{id}</span>),
    { head: t('consola.head.price'), number: true, cell: (row) => priceOf(row) ?? '–', text: priceOf },
    momentColumn(t('consola.listings.modified'), ctx, ({ modificada }) => modificada),
  ],
  empty: {
    none: t('consola.listings.none'),
    noMatch: t('consola.listings.noMatch'),
    all: t('consola.filter.seeAll.m'),
  },
  csvName: () => 'avisos',
}))
