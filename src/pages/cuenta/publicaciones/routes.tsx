import { dayOf } from '../../../http/dates.ts'
import { PER_PAGE } from '../../../http/links.ts'
import { notFound } from '../../../http/problems.ts'
import { formatMoney } from '../../../i18n/format.ts'
import { labels, t } from '../../../i18n/messages.tsx'
import { type Photo, photosOf } from '../../../photos/photo.ts'
import { inboxScope } from '../../../resources/agencias/inbox.ts'
import { isAssociated } from '../../../resources/agencias/read.ts'
import { end, type ModerationTarget, reactivate, suspend } from '../../../resources/publicaciones/moderate.ts'
import { priceOf } from '../../../resources/publicaciones/publicacion.ts'
import { findPublicacionById, listOwn, type OwnPublicacion } from '../../../resources/publicaciones/read.ts'
import { assignPublicaciones } from '../../../resources/publicaciones/write.ts'
import type { Db } from '../../../store/db.ts'
import { serveConfirmation } from '../../confirm.tsx'
import { MAX_CSV_ROWS } from '../../csv.ts'
import { DangerLink } from '../../fields.tsx'
import { searchFilter, selectFilter } from '../../filter.tsx'
import { CONFIRMATION_FORM } from '../../form.ts'
import { publicacionName, SuspensionReasons } from '../../labels.tsx'
import { defineList, serveList } from '../../list.tsx'
import { listFormPath, listPath } from '../../list-form.ts'
import { numberParam } from '../../params.ts'
import { Cards, PostButton } from '../../parts.tsx'
import { PhotoHint } from '../../photo-states.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../../signed-in.ts'
import { WithThumbnail } from '../../thumbnail.tsx'
import { ASSIGN_FORM, AssignForm, assigneeOf, isUnassigned, Pick, responsibleName } from '../assign.tsx'
import { type AccountPages, AGENCY, type AgencyContext, type AgencyMembership, agencyPath } from '../context.tsx'

/** /cuenta/publicaciones: the listings that apps publish for the agency. Each app is notified of changes. */
export function accountPublicacionesRoutes({ vendedor, administrador: app }: AccountPages, deps: PageDeps): void {
  const { store } = deps

  serveList(vendedor, '/publicaciones', deps, publicacionesList(store))

  /** One of the agency's listings, for its administrator. */
  function moderated({ agencia, account }: AgencyContext, params: ById['Params']): ModerationTarget {
    return { aviso: numberParam(params, 'id') ?? 0, modo: account.modo, agenciaId: agencia.id, by: 'agencia' }
  }

  app.post<ById>('/publicaciones/:id/ocultar', CONFIRMATION_FORM, async (request, reply) => {
    await suspend(deps, moderated(request.ctx, request.params), null)
    return redirectWithNotice(reply, 'oculto', listPath(PUBLICACIONES, request))
  })

  app.post<ById>('/publicaciones/:id/mostrar', CONFIRMATION_FORM, async (request, reply) => {
    const { estado } = await reactivate(deps, moderated(request.ctx, request.params))
    const notice = estado === 'Activa' ? 'mostrado' : 'espera'
    return redirectWithNotice(reply, notice, listPath(PUBLICACIONES, request))
  })

  app.post('/publicaciones/asignar', ASSIGN_FORM, async (request, reply) => {
    const { ctx, form } = request
    const list = listPath(PUBLICACIONES, request)
    const ids = form.getAll('aviso').flatMap((id) => numberParam({ id }, 'id') ?? [])
    if (ids.length === 0) return redirectWithNotice(reply, 'asignar-nada', list)
    const { email } = assigneeOf(ctx, form)
    await store.transaction((tx) => assignPublicaciones(tx, ctx.agencia.id, ids, email))
    const notice = isUnassigned(ctx.agencia, email) ? 'avisos-sin-asignar' : 'avisos-asignados'
    return redirectWithNotice(reply, notice, list)
  })

  serveConfirmation(app, '/publicaciones/:id/terminar', {
    audience: AGENCY,
    section: PUBLICACIONES,
    onList: true,
    load: async (params: ById['Params'], ctx) => {
      const publicacion = await findPublicacionById(store, moderated(ctx, params).aviso)
      if (publicacion?.agenciaId !== ctx.agencia.id) throw notFound(t('cuenta.listings.noSuch'))
      const { appId, agenciaId } = publicacion
      return { ...publicacion, associated: await isAssociated(store, { appId, agenciaId }) }
    },
    question: (publicacion) => {
      const { estado, externalId, associated } = publicacion
      if (estado === 'Archivada') throw notFound(t('cuenta.listings.noSuch'))
      return {
        title: t('cuenta.listings.endTitle', { car: `${publicacionName(publicacion)} (${externalId})` }),
        button: t('cuenta.listings.endButton'),
        consequences: [
          t('cuenta.listings.endFinal'),
          ...(estado === 'Activa' ? [t('cuenta.listings.endFrees')] : []),
          ...(associated ? [t('cuenta.listings.endNotifies')] : []),
          t('cuenta.listings.endKeeps'),
        ],
      }
    },
    act: ({ id }, ctx) => end(deps, moderated(ctx, { id: String(id) })),
    notice: 'archivado',
  })
}

const PUBLICACIONES = '/cuenta/publicaciones'
const MAX_PAGES = 10_000
const STATES = labels({ Activa: 'cuenta.listings.areShown', Suspendida: 'cuenta.listings.areNotShown' })

/** The listings of an agency that a person sees. Without `operador` not only their own. */
export async function publicacionScope(db: Db, { agencia, account }: Pick<AgencyMembership, 'agencia' | 'account'>) {
  const seen = await inboxScope(db, agencia, account.email)
  return {
    agenciaId: agencia.id,
    operador: seen === 'own' ? account.email : undefined,
    except: typeof seen === 'object' ? seen.except : undefined,
  }
}

/** The listings that apps publish for the agency; its administrator decides which are shown. The primary says who sees them. */
const publicacionesList = (primary: Db) =>
  defineList(() => ({
    audience: AGENCY,
    section: PUBLICACIONES,
    title: t('cuenta.listings.title'),
    filters: {
      q: searchFilter(t('cuenta.list.search'), t('cuenta.listings.searchHint')),
      estado: selectFilter(
        t('cuenta.list.state'),
        t('cuenta.list.allStates'),
        (['Activa', 'Suspendida'] as const).map((each) => [each, STATES[each]] as const),
      ),
    },
    load: async ({ store }, { ctx: { agencia, account }, query, csv, filters: { q: text, estado } }) => {
      const scope = await publicacionScope(primary, { agencia, account })
      const search = { ...scope, estado, text }
      const page = csv ? 1 : Math.min(Math.max(1, numberParam(query, 'pagina') ?? 1), MAX_PAGES)
      const found = await listOwn(store, { ...search, page, ...(csv && { limit: MAX_CSV_ROWS }) })
      const photos = csv ? new Map<number, Photo[]>() : await photosOf(store, found.rows)
      return {
        ...found,
        photos,
        open: scope.operador === undefined,
        newer: page > 1 ? { pagina: page > 2 ? page - 1 : undefined } : undefined,
        older: page * PER_PAGE < found.total ? { pagina: page + 1 } : undefined,
      }
    },
    intro: ({ ctx, found: { total, open } }) => (
      <p class="facts">
        <span>{t('cuenta.listings.total', { count: total })}</span>
        {ctx.agencia.rol !== 'administrador' && (
          <span>{t(open ? 'bandeja.list.ownAndOpenListings' : 'cuenta.listings.own')}</span>
        )}
      </p>
    ),
    rows({ ctx, filters, query, found }) {
      const formPath = (action: string) => listFormPath(AGENCY, `${PUBLICACIONES}/${action}`, { ctx, filters, query })
      return (
        <>
          <Cards rows={found.rows} class="cards own-listings">
            {(row) => <Card row={row} photos={found.photos.get(row.id) ?? []} ctx={ctx} formPath={formPath} />}
          </Cards>
          {givesAway(ctx) && <AssignForm ctx={ctx} action={formPath('asignar')} />}
        </>
      )
    },
    columns: () => [
      { head: t('cuenta.column.listing'), text: ({ id }) => id },
      { head: t('cuenta.column.make'), text: ({ marca }) => marca },
      { head: t('cuenta.column.model'), text: ({ modelo }) => modelo },
      { head: t('cuenta.column.version'), text: ({ version }) => version },
      { head: t('cuenta.column.year'), text: ({ versionYear }) => versionYear },
      { head: t('cuenta.column.km'), text: ({ kilometraje }) => kilometraje },
      { head: t('cuenta.column.currency'), text: (row) => priceOf(row)?.Moneda ?? null },
      { head: t('cuenta.column.price'), text: (row) => priceOf(row)?.Importe ?? null },
      {
        head: t('cuenta.column.shown'),
        text: ({ estado }) => t(estado === 'Activa' ? 'cuenta.listings.yes' : 'cuenta.listings.no'),
      },
      {
        head: t('cuenta.column.whyNot'),
        text: ({ suspensiones }) => suspensiones.map((reason) => t(`comun.suspension.${reason}`)).join('; '),
      },
      {
        head: t('cuenta.column.exposure'),
        text: ({ exposicion }) => exposicion && t(`cuenta.listings.exposure.${exposicion}`),
      },
      { head: t('cuenta.column.publishedBy'), text: ({ app }) => app },
      { head: t('cuenta.column.externalId'), text: ({ externalId }) => externalId },
      { head: t('cuenta.column.stock'), text: ({ refStock }) => refStock },
      { head: t('cuenta.column.assigned'), text: ({ operador }) => operador },
    ],
    empty: ({ ctx }) => ({
      none: t(ctx.agencia.rol === 'administrador' ? 'cuenta.listings.none' : 'cuenta.listings.noneOwn'),
      noMatch: t('cuenta.listings.noMatch'),
      all: t('cuenta.listings.showAll'),
    }),
    csvName: ({ now, timeZone }) => `avisos-${dayOf(now, timeZone)}`,
    pagerLabels: { newer: t('cuenta.listings.newer'), older: t('cuenta.listings.older'), csv: t('cuenta.list.csv') },
  }))

/** The administrator gives listings to the agency's people, where there are others. */
const givesAway = ({ agencia }: AgencyContext): boolean =>
  agencia.rol === 'administrador' && agencia.operadores.length > 1

interface CardProps {
  row: OwnPublicacion
  photos: Photo[]
  ctx: AgencyContext
  formPath(action: string): string
}

function Card({ row, photos, ctx, formPath }: CardProps) {
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
          <span class={`badge ${tone}`}>{t(shown ? 'cuenta.listings.isShown' : 'cuenta.listings.isNotShown')}</span>
          {price && <strong>{formatMoney(price)}</strong>}
          <span>{row.externalId}</span>
          {ctx.agencia.operadores.length > 1 && <Responsible row={row} ctx={ctx} />}
          <span>{t('cuenta.listings.publishedBy', { app: row.app })}</span>
          <a href={agencyPath(ctx, '/cuenta/consultas', { aviso: row.externalId })}>
            {t('bandeja.listing.toInquiries')}
            <span class="visually-hidden"> {name}</span>
          </a>
        </p>
        <SuspensionReasons {...row} />
        <PhotoHint photos={photos} />
      </WithThumbnail>
      {ctx.agencia.rol === 'administrador' && (
        <Acts row={row} name={name} pickable={givesAway(ctx)} formPath={formPath} />
      )}
    </>
  )
}

function Responsible({ row, ctx: { agencia } }: { row: OwnPublicacion; ctx: AgencyContext }) {
  if (isUnassigned(agencia, row.operador)) return <span>{t('bandeja.list.unassignedListing')}</span>
  return <span>{t('bandeja.listing.responsible', { name: responsibleName(agencia, row.operador) })}</span>
}

interface ActsProps extends Pick<CardProps, 'row' | 'formPath'> {
  name: string
  pickable: boolean
}

function Acts({ row, name, pickable, formPath }: ActsProps) {
  const hidden = row.suspensiones.includes('agencia')
  return (
    <div class="row">
      <PostButton action={formPath(`${row.id}/${hidden ? 'mostrar' : 'ocultar'}`)} class="secondary">
        {t(hidden ? 'cuenta.listings.resume' : 'cuenta.listings.pause')}
        <span class="visually-hidden"> {name}</span>
      </PostButton>
      <DangerLink href={formPath(`${row.id}/terminar`)} label={t('cuenta.listings.end')} to={name} />
      {pickable && <Pick name="aviso" value={row.id} label={name} text={t('bandeja.assign.pickThis')} />}
    </div>
  )
}
