import type { FastifyReply } from 'fastify'
import { findApp, listApps } from '../../apps/store.ts'
import { withQuery } from '../../http/links.ts'
import { message, t } from '../../i18n/messages.tsx'
import { inSpanish } from '../../i18n/stored.ts'
import { type Photo, photosOf, retryPhotos } from '../../photos/photo.ts'
import { agenciasWithMail } from '../../resources/agencias/staff.ts'
import { money } from '../../resources/consultas/labels.ts'
import { ChangedSinceSeen, type ModerationTarget, reactivate, suspend } from '../../resources/publicaciones/moderate.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import {
  ESTADO_FILTERS,
  exportPublicaciones,
  findPublicacionForStaff,
  type ListedPublicacion,
  listPublicacionesForStaff,
  nextToModerate,
} from '../../resources/publicaciones/staff.ts'
import { Form, Hidden, Tick } from '../fields.tsx'
import { loadedFilter, numberFilter, selectFilter, textFilter } from '../filter.tsx'
import { CONFIRMATION_FORM, formRoute } from '../form.ts'
import { Fields, type Refused, readFields } from '../form-fields.tsx'
import { formatNumber, formatPlace, Moment } from '../format.tsx'
import { catalogueLabel, publicacionName, RAZONES, SuspensionReasons } from '../labels.tsx'
import { defineList, numberedPage, serveList, timeOrders } from '../list.tsx'
import { page } from '../page.ts'
import { idIn, requireFound } from '../params.ts'
import { type Fact, Facts, PostButton, SecondaryLink, Section } from '../parts.tsx'
import { PhotoStates, thumbnailsOf } from '../photo-states.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { column, momentColumn, RowLink } from '../table.tsx'
import { WithThumbnail } from '../thumbnail.tsx'
import { agenciaHref } from './agencias/list.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages, ModoBadge } from './context.tsx'

const PUBLICACIONES = '/consola/publicaciones'
const EXTERNAL_ID = 'ExternalId'
const MAX_EXTERNAL_ID = 255

const publicacionHref = ({ id }: { id: number }): string => `${PUBLICACIONES}/${id}`

const estados = () => ESTADO_FILTERS.map((estado) => [estado, t(`consola.listings.estado.${estado}`)] as const)
const TONES = { Activa: 'ok', Suspendida: '', Archivada: '' }

/** The state of a listing; one that the marketplace suspended stands out. */
const PublicacionEstado = ({ estado, suspensiones }: Pick<Publicacion, 'estado' | 'suspensiones'>) =>
  estado === 'Suspendida' && suspensiones.includes('mercado') ? (
    <span class="badge error">{t('consola.listing.badge.moderada')}</span>
  ) : (
    <span class={`badge ${TONES[estado]}`}>{t(`consola.listing.badge.${estado}`)}</span>
  )

const priceOf = ({ precioMoneda, precioImporte }: Publicacion): string | null =>
  precioMoneda && precioImporte !== null ? money({ Moneda: precioMoneda, Importe: precioImporte }) : null

const PUBLICACIONES_LIST = defineList(() => ({
  audience: CONSOLE,
  section: PUBLICACIONES,
  title: t('consola.listings.title'),
  intro: t('consola.listings.intro'),
  filters: {
    aviso: numberFilter(t('consola.head.listing')),
    externalId: textFilter(EXTERNAL_ID, { spellcheck: false, maxlength: MAX_EXTERNAL_ID }),
    agencia: textFilter(t('consola.head.agency'), { placeholder: t('consola.inquiries.agency.hint') }),
    app: loadedFilter(t('consola.head.app'), t('consola.filter.all.f')),
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
    return { ...found, rows, choices: { app: apps.map(({ appKey, nombre }) => [appKey, nombre] as const) } }
  },
  searchedTo: ({ found: { searchedTo } }) =>
    searchedTo &&
    t(searchedTo.after === undefined ? 'consola.listings.searchedBack' : 'consola.listings.searchedForward', {
      id: String(searchedTo.before ?? searchedTo.after),
    }),
  columns: (ctx) => [
    { head: t('consola.head.listing'), text: ({ id }) => id },
    { head: t('consola.head.mode'), text: ({ modo }) => modo },
    {
      head: t('consola.head.car'),
      cell: (row) => (
        <WithThumbnail car={row} photo={row.photo} ctx={ctx}>
          <RowLink href={publicacionHref(row)}>
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
          <a href={agenciaHref(agencia)}>{agencia.nombre}</a> {modo === 'prueba' && <ModoBadge modo={modo} />}
          <span class="hint below">
            <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>
          </span>
        </span>
      ),
    },
    { head: t('consola.head.agency'), text: ({ agencia }) => agencia.adminMail },
    { head: t('consola.head.app'), text: ({ app }) => app.nombre },
    column(EXTERNAL_ID, 'externalId', (id) => <span class="anywhere">{id}</span>),
    { head: t('consola.head.price'), number: true, cell: (row) => priceOf(row) ?? '—', text: priceOf },
    momentColumn(t('consola.listings.modified'), ctx, ({ modificada }) => modificada),
  ],
  empty: {
    none: t('consola.listings.none'),
    noMatch: t('consola.listings.noMatch'),
    all: t('consola.filter.seeAll.m'),
  },
  csvName: () => 'avisos',
}))

/** /consola/publicaciones: what is on offer, and the marketplace's say in it. */
export function publicacionesConsoleRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/publicaciones', deps, PUBLICACIONES_LIST)

  const find = async (id: string): Promise<ListedPublicacion> =>
    requireFound(await findPublicacionForStaff(store, idIn(id)), message('consola.listing.noSuch'))

  async function show(
    reply: FastifyReply,
    props: Pick<Props, 'ctx' | 'publicacion' | 'refused'>,
  ): Promise<FastifyReply> {
    const { publicacion, refused } = props
    const [photos, next] = await Promise.all([photosOf(store, [publicacion]), nextToModerate(store, publicacion)])
    return page(
      reply,
      publicacionPage({ ...props, photos: photos.get(publicacion.id) ?? [], next }),
      refused ? 400 : 200,
    )
  }

  app.get<ById>('/publicaciones/:id', async ({ ctx, params }, reply) =>
    show(reply, { ctx, publicacion: await find(params.id) }),
  )

  app.post<ById>('/publicaciones/:id/suspender', formRoute(2 * MAX_REASON), async ({ ctx, params, form }, reply) => {
    const publicacion = await find(params.id)
    const { given, errors } = readFields(reasonFields(), form, ({ Razon, Motivo }) =>
      Razon || Motivo ? {} : { Razon: [t('consola.listing.reasonNeeded')] },
    )
    if (errors) return show(reply, { ctx, publicacion, refused: { given, errors } })
    const motivo = [given.Razon, given.Motivo].filter(Boolean).join(' ')
    const suspended = await unlessChanged(suspend(deps, moderationTarget(publicacion, form), motivo))
    if (!suspended) return redirectWithNotice(reply, 'aviso-cambiado', publicacionHref(publicacion))
    await ctx.audit('aviso.suspender', String(publicacion.id), { motivo })
    const next = form.has(GO_ON) ? await nextToModerate(store, publicacion) : undefined
    return redirectWithNotice(reply, 'aviso-suspendido', publicacionHref({ id: next ?? publicacion.id }))
  })

  app.post<ById>('/publicaciones/:id/fotos', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    const publicacion = await find(params.id)
    await ctx.change({ act: 'aviso.fotos', subject: String(publicacion.id) }, (tx) => retryPhotos(tx, publicacion.id))
    return redirectWithNotice(reply, 'aviso-fotos', publicacionHref(publicacion))
  })

  app.post<ById>('/publicaciones/:id/reactivar', CONFIRMATION_FORM, async ({ ctx, params, form }, reply) => {
    const publicacion = await find(params.id)
    const reactivated = await unlessChanged(reactivate(deps, moderationTarget(publicacion, form)))
    if (!reactivated) return redirectWithNotice(reply, 'aviso-cambiado', publicacionHref(publicacion))
    await ctx.audit('aviso.reactivar', String(publicacion.id))
    return redirectWithNotice(
      reply,
      reactivated.estado === 'Activa' ? 'aviso-reactivado' : 'aviso-en-espera',
      publicacionHref(publicacion),
    )
  })
}

/** The page says which version of the listing it shows: the partner may change it while somebody judges it. */
const SEEN = 'Visto'
const seenVersion = ({ modificada }: ListedPublicacion) => ({ [SEEN]: modificada.toISOString() })

function moderationTarget({ id, modo }: ListedPublicacion, form: URLSearchParams): ModerationTarget {
  const seen = new Date(form.get(SEEN) ?? '')
  return { aviso: id, modo, by: 'mercado', seen: Number.isNaN(seen.getTime()) ? undefined : seen }
}

/** Undefined if the listing changed after the page was made, also by a colleague's decision. */
const unlessChanged = <T,>(decision: Promise<T>): Promise<T | undefined> =>
  decision.catch((error) => {
    if (error instanceof ChangedSinceSeen) return undefined
    throw error
  })

const MAX_REASON = 500
const GO_ON = 'Seguir'
const reasonFields = () => ({
  Razon: {
    label: t('consola.listing.reason'),
    choices: RAZONES.map((key) => [inSpanish(key), t(key)] as const),
    placeholder: t('consola.listing.reason.other'),
    optional: true,
  },
  Motivo: {
    label: t('consola.listing.motivo'),
    hint: t('consola.listing.motivo.hint'),
    optional: true,
    max: MAX_REASON,
    rows: 3,
  },
})

interface Props {
  ctx: ConsoleContext
  publicacion: ListedPublicacion
  photos: Photo[]
  /** The listing to look at after this one. */
  next: number | undefined
  refused?: Refused | undefined
}

function publicacionPage({ ctx, publicacion, photos, next, refused }: Props) {
  return (
    <ConsolePage
      ctx={ctx}
      title={publicacionName(publicacion)}
      section={PUBLICACIONES}
      parentLink={{ href: PUBLICACIONES, label: t('consola.nav.publicaciones') }}
      faulty={refused !== undefined}
      intro={
        <p class="facts">
          <PublicacionEstado {...publicacion} />
          <ModoBadge modo={publicacion.modo} />
          <span>{t('consola.listings.number', { id: String(publicacion.id) })}</span>
          {publicacion.estado === 'Activa' && <a href={`/aviso/${publicacion.id}`}>{t('consola.listing.public')}</a>}
        </p>
      }
    >
      <Visibility publicacion={publicacion} />
      {photos.length > 0 && <PhotoSection publicacion={publicacion} photos={photos} />}
      <div class="with-side even">
        <Section title={t('consola.listing.car')}>
          <Facts rows={carFacts(publicacion)} />
        </Section>
        <Section title={t('consola.listing.owner')}>
          <Facts rows={ownerFacts(ctx, publicacion)} />
        </Section>
      </div>
      {publicacion.estado !== 'Archivada' && <Moderation publicacion={publicacion} next={next} refused={refused} />}
      {next !== undefined && (
        <p>
          <SecondaryLink href={publicacionHref({ id: next })}>{t('consola.listing.next')}</SecondaryLink>
        </p>
      )}
    </ConsolePage>
  )
}

function Visibility({ publicacion }: { publicacion: ListedPublicacion }) {
  if (publicacion.estado === 'Activa') return null
  if (publicacion.estado === 'Archivada') return <p class="empty">{t('consola.listing.archived')}</p>
  return (
    <div class="notice attention reasons">
      <SuspensionReasons {...publicacion} />
    </div>
  )
}

const PhotoSection = ({ publicacion, photos }: Pick<Props, 'publicacion' | 'photos'>) => (
  <Section title={t('consola.listing.photos')}>
    <PhotoStates photos={photos} name={publicacionName(publicacion)} />
    {photos.some(({ estado }) => estado === 'fallida') && (
      <PostButton action={`${publicacionHref(publicacion)}/fotos`} class="secondary">
        {t('aviso.photo.again')}
      </PostButton>
    )}
  </Section>
)

function Moderation({ publicacion, next, refused }: Pick<Props, 'publicacion' | 'next' | 'refused'>) {
  if (publicacion.suspensiones.includes('mercado'))
    return (
      <Section title={t('consola.listing.moderation')}>
        <p>{t('consola.listing.reactivate.text')}</p>
        <PostButton action={`${publicacionHref(publicacion)}/reactivar`} hidden={seenVersion(publicacion)}>
          {t('consola.listing.reactivate')}
        </PostButton>
      </Section>
    )
  return (
    <Section title={t('consola.listing.moderation')}>
      <Form
        action={`${publicacionHref(publicacion)}/suspender`}
        button={t('consola.listing.suspend')}
        buttonClass="danger"
        {...refused}
      >
        <Hidden values={seenVersion(publicacion)} />
        <p>{t('consola.listing.suspend.text')}</p>
        <Fields fields={reasonFields()} />
        {next !== undefined && (
          <Tick name={GO_ON} label={t('consola.listing.goOn')} hint={t('consola.listing.goOn.hint')} checked />
        )}
      </Form>
    </Section>
  )
}

const carFacts = (publicacion: ListedPublicacion): Fact[] => [
  [t('consola.head.price'), priceOf(publicacion)],
  [t('consola.head.kilometres'), publicacion.kilometraje === null ? null : formatNumber(publicacion.kilometraje)],
  [t('consola.listing.fact.colour'), publicacion.color],
  [t('consola.listing.fact.body'), publicacion.carroceria],
  [t('aviso.fact.fuel'), catalogueLabel('fuel', publicacion.propulsion)],
  [t('aviso.fact.transmission'), catalogueLabel('transmission', publicacion.transmision)],
  [t('consola.listing.fact.place'), formatPlace(publicacion.ciudad, publicacion.region)],
  [t('consola.listing.fact.description'), publicacion.descripcion],
]

const ownerFacts = (ctx: ConsoleContext, publicacion: ListedPublicacion): Fact[] => [
  [t('consola.head.agency'), <a href={agenciaHref(publicacion.agencia)}>{publicacion.agencia.nombre}</a>],
  [t('consola.listing.fact.assigned'), publicacion.operador],
  [
    t('consola.listing.fact.publishedBy'),
    <a href={`/consola/apps/${publicacion.app.appKey}`}>{publicacion.app.nombre}</a>,
  ],
  [EXTERNAL_ID, <code>{publicacion.externalId}</code>],
  [t('consola.listing.fact.stock'), publicacion.refStock],
  [
    t('consola.listing.fact.exposure'),
    publicacion.exposicion && t(`consola.listing.exposure.${publicacion.exposicion}`),
  ],
  [t('consola.listing.fact.published'), <Moment at={publicacion.creada} when={ctx} />],
  [t('consola.listings.modified'), <Moment at={publicacion.modificada} when={ctx} />],
  [
    t('consola.listing.fact.inquiries'),
    <a href={withQuery('/consola/consultas', ctx.sealMails({ agencia: publicacion.agencia.adminMail }))}>
      {t('consola.listing.inquiriesOf')}
    </a>,
  ],
]
