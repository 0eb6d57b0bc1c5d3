import { findApp, listApps } from '../../../apps/store.ts'
import { agenciasWithMail } from '../../../resources/agencias/staff.ts'
import { money } from '../../../resources/consultas/labels.ts'
import type { Publicacion } from '../../../resources/publicaciones/publicacion.ts'
import {
  ESTADO_FILTERS,
  exportPublicaciones,
  listPublicacionesForStaff,
  MODERADAS,
} from '../../../resources/publicaciones/staff.ts'
import { MOST_CSV_ROWS } from '../../csv.ts'
import { loadedFilter, numberFilter, selectFilter, textFilter } from '../../filter.tsx'
import { publicacionName } from '../../labels.tsx'
import { defineList, numberedPage } from '../../list.tsx'
import { momentColumn } from '../../table.tsx'
import { agenciaHref } from '../agencias/parts.tsx'
import { CONSOLE, ModoBadge } from '../context.tsx'

export const PUBLICACIONES = '/consola/publicaciones'
const MAX_EXTERNAL_ID = 255

export const avisoHref = ({ id }: { id: number }): string => `${PUBLICACIONES}/${id}`

const TONES = { Activa: 'status-2', Suspendida: 'warning', Archivada: '' }

/** The state of a listing; one that the marketplace suspended stands out. */
export const AvisoEstado = ({ estado, suspensiones }: Pick<Publicacion, 'estado' | 'suspensiones'>) =>
  estado === 'Suspendida' && suspensiones.includes('mercado') ? (
    <span class="badge status-5">moderada</span>
  ) : (
    <span class={`badge ${TONES[estado]}`}>{estado.toLowerCase()}</span>
  )

const priceOf = ({ precioMoneda, precioImporte }: Publicacion): string | null =>
  precioMoneda && precioImporte !== null ? money({ Moneda: precioMoneda, Importe: precioImporte }) : null

/** The listings of all agencies. */
export const AVISOS_LIST = defineList({
  audience: CONSOLE,
  section: PUBLICACIONES,
  title: 'Avisos',
  lead: () => (
    <p>Los autos que publican las apps por las agencias. El mercado puede suspender uno, y solo él lo devuelve.</p>
  ),
  filters: {
    aviso: numberFilter('Aviso'),
    externalId: textFilter('ExternalId', { spellcheck: false, maxlength: MAX_EXTERNAL_ID }),
    agencia: textFilter('Agencia', { placeholder: 'Su correo' }),
    app: loadedFilter('App', 'Todas'),
    estado: selectFilter(
      'Estado',
      'Todos',
      ESTADO_FILTERS.map(
        (estado) => [estado, estado === MODERADAS ? 'Suspendidas por el mercado' : `${estado}s`] as const,
      ),
    ),
  },
  load: async ({ store }, request) => {
    const { agencia, app, ...rest } = request.filters
    const wanted = {
      ...rest,
      agencias: agencia === undefined ? undefined : await agenciasWithMail(store, agencia),
      appId: app === undefined ? undefined : ((await findApp(store, app))?.id ?? 0),
    }
    const [found, apps] = await Promise.all([
      numberedPage(request, (cursor) =>
        request.csv
          ? exportPublicaciones(store, wanted, MOST_CSV_ROWS)
          : listPublicacionesForStaff(store, wanted, cursor),
      ),
      listApps(store),
    ])
    return { ...found, choices: { app: apps.map(({ appKey, nombre }) => [appKey, nombre] as const) } }
  },
  searchedTo: ({ found: { searchedTo } }) =>
    searchedTo &&
    `Buscamos hasta el aviso ${searchedTo.before ?? searchedTo.after}. Con ${
      searchedTo.after === undefined
        ? '«Siguientes» la búsqueda sigue hacia atrás.'
        : '«Anteriores» sigue hacia los más nuevos.'
    }`,
  idOf: ({ id }) => id,
  columns: (ctx) => [
    { head: 'Aviso', text: ({ id }) => id },
    { head: 'Modo', text: ({ modo }) => modo },
    {
      head: 'Auto',
      cell: (row) => (
        <span>
          <a href={avisoHref(row)}>
            <strong>{publicacionName(row)}</strong>
          </a>
          <span class="hint below">Aviso {row.id}</span>
        </span>
      ),
      text: publicacionName,
    },
    {
      head: 'Estado',
      cell: (row) => <AvisoEstado {...row} />,
      text: ({ estado, suspensiones }) => [estado, ...suspensiones].join(' '),
    },
    {
      head: 'Agencia',
      cell: ({ agencia, modo }) => (
        <span class="row tight">
          <a href={agenciaHref(agencia)}>{agencia.nombre}</a>
          {modo === 'prueba' && <ModoBadge modo={modo} />}
        </span>
      ),
      text: ({ agencia }) => agencia.adminMail,
    },
    {
      head: 'App',
      cell: ({ app }) => <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>,
      text: ({ app }) => app.nombre,
    },
    {
      head: 'ExternalId',
      cell: ({ externalId }) => <span class="anywhere">{externalId}</span>,
      text: ({ externalId }) => externalId,
    },
    { head: 'Precio', number: true, cell: (row) => priceOf(row) ?? '—', text: priceOf },
    momentColumn('Modificado', ctx, ({ modificada }) => modificada),
  ],
  empty: {
    none: 'Todavía no hay avisos. Los publican las apps, por las agencias que trabajan con ellas.',
    noMatch: 'No hay avisos así. El ExternalId y el correo se buscan completos.',
    all: 'Ver todos',
  },
  csvName: 'avisos',
})
