import { dayOf } from '../../../http/dates.ts'
import { PER_PAGE } from '../../../http/links.ts'
import { notFound } from '../../../http/problems.ts'
import { type Photo, photosOf } from '../../../photos/photo.ts'
import { money } from '../../../resources/consultas/labels.ts'
import { end, type ModerationTarget, reactivate, suspend } from '../../../resources/publicaciones/moderate.ts'
import { priceOf } from '../../../resources/publicaciones/publicacion.ts'
import { findAviso, listOwn, type OwnListing } from '../../../resources/publicaciones/read.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { MAX_CSV_ROWS } from '../../csv.ts'
import { DangerLink } from '../../fields.tsx'
import { searchFilter, selectFilter } from '../../filter.tsx'
import { CONFIRMATION_FORM } from '../../form.ts'
import { formatNumber } from '../../format.tsx'
import { publicacionName, SUSPENSION_LABELS, SuspensionReasons } from '../../labels.tsx'
import { defineList, serveList } from '../../list.tsx'
import { numberParam } from '../../params.ts'
import { Cards, PostButton } from '../../parts.tsx'
import { PhotoHint } from '../../photo-states.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { WithThumbnail } from '../../thumbnail.tsx'
import {
  type AccountContext,
  type AccountPages,
  ADMINISTRATOR,
  AGENCY,
  type AgencyContext,
  asAdministrator,
} from '../context.tsx'

const NOT_FOUND = 'No existe ese aviso.'

/** /cuenta/publicaciones: the listings that apps publish for the agency. Each app is notified of changes. */
export function accountPublicacionesRoutes(app: AccountPages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/publicaciones', deps, PUBLICACIONES_LIST)

  /** One of the agency's listings, for its administrator. */
  function moderated(ctx: AccountContext, params: ById['Params']): ModerationTarget {
    const { agencia, account } = asAdministrator(ctx)
    return { aviso: numberParam(params, 'id') ?? 0, modo: account.modo, agenciaId: agencia.id, by: 'agencia' }
  }

  app.post<ById>('/publicaciones/:id/ocultar', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    await suspend(deps, moderated(ctx, params), null)
    return redirectWithNotice(reply, 'oculto', PUBLICACIONES)
  })

  app.post<ById>('/publicaciones/:id/mostrar', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    const { estado } = await reactivate(deps, moderated(ctx, params))
    return redirectWithNotice(reply, estado === 'Activa' ? 'mostrado' : 'espera', PUBLICACIONES)
  })

  serveConfirmation(app, '/publicaciones/:id/terminar', {
    audience: ADMINISTRATOR,
    section: PUBLICACIONES,
    load: async (params: ById['Params'], ctx) => {
      const aviso = await findAviso(store, moderated(ctx, params).aviso)
      if (aviso?.agenciaId !== ctx.agencia.id) throw notFound(NOT_FOUND)
      return aviso
    },
    question: ({ marca, modelo, estado }) => {
      if (estado === 'Archivada') throw notFound(NOT_FOUND)
      return {
        title: `¿Terminar el aviso de ${marca} ${modelo}?`,
        button: 'Sí, terminar',
        consequences: [
          'El auto deja de mostrarse, y no puede volver a mostrarse con este aviso.',
          'Queda libre su lugar en el paquete, y le avisamos a la app que lo publicó.',
          'Sus consultas siguen donde están.',
        ],
      }
    },
    act: ({ id }, ctx) => end(deps, moderated(ctx, { id: String(id) })),
    notice: 'archivado',
  })
}

const PUBLICACIONES = '/cuenta/publicaciones'
const MAX_PAGES = 10_000

/** The listings that apps publish for the agency; its administrator decides which are shown. */
const PUBLICACIONES_LIST = defineList({
  audience: AGENCY,
  section: PUBLICACIONES,
  title: 'Avisos',
  filters: {
    q: searchFilter('Buscar', 'Auto, aviso, stock…'),
    estado: selectFilter('Estado', 'Todos', [
      ['Activa', 'Se muestran'],
      ['Suspendida', 'No se muestran'],
    ]),
  },
  load: async ({ store }, { ctx: { agencia, account }, query, csv, filters: { q: text, estado } }) => {
    const operador = agencia.rol === 'administrador' ? undefined : account.email
    const search = { agenciaId: agencia.id, operador, estado, text }
    const page = csv ? 1 : Math.min(Math.max(1, numberParam(query, 'pagina') ?? 1), MAX_PAGES)
    const found = await listOwn(store, { ...search, page, ...(csv && { limit: MAX_CSV_ROWS }) })
    const photos = csv ? new Map<number, Photo[]>() : await photosOf(store, found.rows)
    return {
      ...found,
      photos,
      newer: page > 1 ? { pagina: page > 2 ? page - 1 : undefined } : undefined,
      older: page * PER_PAGE < found.total ? { pagina: page + 1 } : undefined,
    }
  },
  intro: ({ ctx, found: { total } }) => (
    <p class="facts">
      <span>{total === 1 ? '1 aviso' : `${formatNumber(total)} avisos`}</span>
      {ctx.agencia.rol !== 'administrador' && <span>Los que están a su cargo</span>}
    </p>
  ),
  rows: ({ ctx, found }) => (
    <Cards rows={found.rows}>{(row) => <Card row={row} photos={found.photos.get(row.id) ?? []} ctx={ctx} />}</Cards>
  ),
  columns: () => [
    { head: 'Aviso', text: ({ id }) => id },
    { head: 'Marca', text: ({ marca }) => marca },
    { head: 'Modelo', text: ({ modelo }) => modelo },
    { head: 'Versión', text: ({ version }) => version },
    { head: 'Año', text: ({ versionYear }) => versionYear },
    { head: 'Kilómetros', text: ({ kilometraje }) => kilometraje },
    { head: 'Moneda', text: (row) => priceOf(row)?.Moneda ?? null },
    { head: 'Precio', text: (row) => priceOf(row)?.Importe ?? null },
    { head: 'Se muestra', text: ({ estado }) => (estado === 'Activa' ? 'Sí' : 'No') },
    {
      head: 'Por qué no',
      text: ({ suspensiones }) => suspensiones.map((reason) => SUSPENSION_LABELS[reason]).join('; '),
    },
    { head: 'Exposición', text: ({ exposicion }) => exposicion },
    { head: 'Publicado por', text: ({ app }) => app },
    { head: 'Identificador en la app', text: ({ externalId }) => externalId },
    { head: 'Referencia de stock', text: ({ refStock }) => refStock },
    { head: 'A cargo de', text: ({ operador }) => operador },
  ],
  empty: {
    none: 'No hay avisos aquí. Los publica el sistema con el que trabaja, y aparecen en esta lista.',
    noMatch: 'No hay avisos así.',
    all: 'Ver todos',
  },
  csvName: ({ now, timeZone }) => `avisos-${dayOf(now, timeZone)}`,
  pagerLabels: { newer: '← Más nuevos', older: 'Más antiguos →', csv: 'Bajar para una planilla (CSV)' },
})

function Card({ row, photos, ctx }: { row: OwnListing; photos: Photo[]; ctx: AgencyContext }) {
  const price = priceOf(row)
  const shown = row.estado === 'Activa'
  const onPurpose = row.suspensiones.every((reason) => reason === 'agencia')
  const tone = shown ? 'ok' : onPurpose ? '' : 'attention'
  const name = publicacionName(row)
  return (
    <>
      <WithThumbnail car={row} photo={photos.find(({ stored }) => stored)?.stored} ctx={ctx}>
        <h2>{shown ? <a href={`/aviso/${row.id}`}>{name}</a> : name}</h2>
        <p class="hint facts">
          <span class={`badge ${tone}`}>{shown ? 'Se muestra' : 'No se muestra'}</span>
          {price && <strong>{money(price)}</strong>}
          <span>Publicado por {row.app}</span>
          <span>{row.externalId}</span>
        </p>
        <SuspensionReasons {...row} />
        <PhotoHint photos={photos} />
      </WithThumbnail>
      {ctx.agencia.rol === 'administrador' && <Acts row={row} name={name} />}
    </>
  )
}

function Acts({ row, name }: { row: OwnListing; name: string }) {
  const path = `${PUBLICACIONES}/${row.id}`
  const hidden = row.suspensiones.includes('agencia')
  return (
    <div class="row">
      <PostButton action={`${path}/${hidden ? 'mostrar' : 'ocultar'}`} class="secondary">
        {hidden ? 'Volver a mostrar' : row.estado === 'Activa' ? 'Dejar de mostrar' : 'Que no se muestre'}
        <span class="visually-hidden"> {name}</span>
      </PostButton>
      <DangerLink href={`${path}/terminar`} label="Terminar" to={name} />
    </div>
  )
}
