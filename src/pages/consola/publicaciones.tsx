import type { FastifyReply } from 'fastify'
import { findApp, listApps } from '../../apps/store.ts'
import { withQuery } from '../../http/links.ts'
import { notFound } from '../../http/problems.ts'
import { message, t } from '../../i18n/messages.tsx'
import { inSpanish } from '../../i18n/stored.ts'
import { type Photo, photosOf, retryPhotos } from '../../photos/photo.ts'
import { agenciasWithMail } from '../../resources/agencias/staff.ts'
import { money } from '../../resources/consultas/labels.ts'
import { type ModerationTarget, reactivate, suspend } from '../../resources/publicaciones/moderate.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import {
  ESTADO_FILTERS,
  exportPublicaciones,
  findPublicacionForStaff,
  type ListedPublicacion,
  listPublicacionesForStaff,
  nextToModerate,
} from '../../resources/publicaciones/staff.ts'
import { Form, Tick } from '../fields.tsx'
import { loadedFilter, numberFilter, selectFilter, textFilter } from '../filter.tsx'
import { CONFIRMATION_FORM, formRoute } from '../form.ts'
import { Fields, type Refused, readFields } from '../form-fields.tsx'
import { formatNumber, formatPlace, Moment } from '../format.tsx'
import { catalogueLabel, publicacionName, RAZONES, SuspensionReasons } from '../labels.tsx'
import { defineList, numberedPage, serveList, timeOrders } from '../list.tsx'
import { page } from '../page.ts'
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

const avisoHref = ({ id }: { id: number }): string => `${PUBLICACIONES}/${id}`

const estados = () => ESTADO_FILTERS.map((estado) => [estado, t(`consola.listings.estado.${estado}`)] as const)
const TONES = { Activa: 'ok', Suspendida: '', Archivada: '' }

/** The state of a listing; one that the marketplace suspended stands out. */
const AvisoEstado = ({ estado, suspensiones }: Pick<Publicacion, 'estado' | 'suspensiones'>) =>
  estado === 'Suspendida' && suspensiones.includes('mercado') ? (
    <span class="badge error">{t('consola.listing.badge.moderada')}</span>
  ) : (
    <span class={`badge ${TONES[estado]}`}>{t(`consola.listing.badge.${estado}`)}</span>
  )

const priceOf = ({ precioMoneda, precioImporte }: Publicacion): string | null =>
  precioMoneda && precioImporte !== null ? money({ Moneda: precioMoneda, Importe: precioImporte }) : null

const AVISOS_LIST = defineList(() => ({
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
          <RowLink href={avisoHref(row)}>
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
      cell: (row) => <AvisoEstado {...row} />,
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

  serveList(app, '/publicaciones', deps, AVISOS_LIST)

  async function find(id: string): Promise<ListedPublicacion> {
    const found = /^\d{1,9}$/.test(id) ? await findPublicacionForStaff(store, Number(id)) : undefined
    if (!found) throw notFound(message('consola.listing.noSuch'))
    return found
  }

  async function show(reply: FastifyReply, props: Pick<Props, 'ctx' | 'aviso' | 'refused'>): Promise<FastifyReply> {
    const { aviso, refused } = props
    const [photos, next] = await Promise.all([photosOf(store, [aviso]), nextToModerate(store, aviso)])
    return page(reply, avisoPage({ ...props, photos: photos.get(aviso.id) ?? [], next }), refused ? 400 : 200)
  }

  app.get<ById>('/publicaciones/:id', async ({ ctx, params }, reply) =>
    show(reply, { ctx, aviso: await find(params.id) }),
  )

  app.post<ById>('/publicaciones/:id/suspender', formRoute(2 * MAX_REASON), async ({ ctx, params, form }, reply) => {
    const aviso = await find(params.id)
    const { given, errors } = readFields(reasonFields(), form, ({ Razon, Motivo }) =>
      Razon || Motivo ? {} : { Razon: [t('consola.listing.reasonNeeded')] },
    )
    if (errors) return show(reply, { ctx, aviso, refused: { given, errors } })
    const motivo = [given.Razon, given.Motivo].filter(Boolean).join(' ')
    await suspend(deps, moderationTarget(aviso), motivo)
    await ctx.audit('aviso.suspender', String(aviso.id), { motivo })
    const next = form.has(GO_ON) ? await nextToModerate(store, aviso) : undefined
    return redirectWithNotice(reply, 'aviso-suspendido', avisoHref({ id: next ?? aviso.id }))
  })

  app.post<ById>('/publicaciones/:id/fotos', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    const aviso = await find(params.id)
    await ctx.change({ act: 'aviso.fotos', subject: String(aviso.id) }, (tx) => retryPhotos(tx, aviso.id))
    return redirectWithNotice(reply, 'aviso-fotos', avisoHref(aviso))
  })

  app.post<ById>('/publicaciones/:id/reactivar', CONFIRMATION_FORM, async ({ ctx, params }, reply) => {
    const aviso = await find(params.id)
    const { estado } = await reactivate(deps, moderationTarget(aviso))
    await ctx.audit('aviso.reactivar', String(aviso.id))
    return redirectWithNotice(reply, estado === 'Activa' ? 'aviso-reactivado' : 'aviso-en-espera', avisoHref(aviso))
  })
}

const moderationTarget = ({ id, modo }: ListedPublicacion): ModerationTarget => ({ aviso: id, modo, by: 'mercado' })

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
  aviso: ListedPublicacion
  photos: Photo[]
  /** The listing to look at after this one. */
  next: number | undefined
  refused?: Refused | undefined
}

function avisoPage({ ctx, aviso, photos, next, refused }: Props) {
  return (
    <ConsolePage
      ctx={ctx}
      title={publicacionName(aviso)}
      section={PUBLICACIONES}
      parentLink={{ href: PUBLICACIONES, label: t('consola.nav.publicaciones') }}
      faulty={refused !== undefined}
      intro={
        <p class="facts">
          <AvisoEstado {...aviso} />
          <ModoBadge modo={aviso.modo} />
          <span>{t('consola.listings.number', { id: String(aviso.id) })}</span>
          {aviso.estado === 'Activa' && <a href={`/aviso/${aviso.id}`}>{t('consola.listing.public')}</a>}
        </p>
      }
    >
      <Visibility aviso={aviso} />
      {photos.length > 0 && <PhotoSection aviso={aviso} photos={photos} />}
      <div class="with-side even">
        <Section title={t('consola.listing.car')}>
          <Facts rows={carFacts(aviso)} />
        </Section>
        <Section title={t('consola.listing.owner')}>
          <Facts rows={ownerFacts(ctx, aviso)} />
        </Section>
      </div>
      {aviso.estado !== 'Archivada' && <Moderation aviso={aviso} next={next} refused={refused} />}
      {next !== undefined && (
        <p>
          <SecondaryLink href={avisoHref({ id: next })}>{t('consola.listing.next')}</SecondaryLink>
        </p>
      )}
    </ConsolePage>
  )
}

function Visibility({ aviso }: { aviso: ListedPublicacion }) {
  if (aviso.estado === 'Activa') return null
  if (aviso.estado === 'Archivada') return <p class="empty">{t('consola.listing.archived')}</p>
  return (
    <div class="notice attention reasons">
      <SuspensionReasons {...aviso} />
    </div>
  )
}

const PhotoSection = ({ aviso, photos }: Pick<Props, 'aviso' | 'photos'>) => (
  <Section title={t('consola.listing.photos')}>
    <PhotoStates photos={photos} name={publicacionName(aviso)} />
    {photos.some(({ estado }) => estado === 'fallida') && (
      <PostButton action={`${avisoHref(aviso)}/fotos`} class="secondary">
        {t('aviso.photo.again')}
      </PostButton>
    )}
  </Section>
)

function Moderation({ aviso, next, refused }: Pick<Props, 'aviso' | 'next' | 'refused'>) {
  if (aviso.suspensiones.includes('mercado'))
    return (
      <Section title={t('consola.listing.moderation')}>
        <p>{t('consola.listing.reactivate.text')}</p>
        <PostButton action={`${avisoHref(aviso)}/reactivar`}>{t('consola.listing.reactivate')}</PostButton>
      </Section>
    )
  return (
    <Section title={t('consola.listing.moderation')}>
      <Form
        action={`${avisoHref(aviso)}/suspender`}
        button={t('consola.listing.suspend')}
        buttonClass="danger"
        {...refused}
      >
        <p>{t('consola.listing.suspend.text')}</p>
        <Fields fields={reasonFields()} />
        {next !== undefined && (
          <Tick name={GO_ON} label={t('consola.listing.goOn')} hint={t('consola.listing.goOn.hint')} checked />
        )}
      </Form>
    </Section>
  )
}

const carFacts = (aviso: ListedPublicacion): Fact[] => [
  [t('consola.head.price'), priceOf(aviso)],
  [t('consola.head.kilometres'), aviso.kilometraje === null ? null : formatNumber(aviso.kilometraje)],
  [t('consola.listing.fact.colour'), aviso.color],
  [t('consola.listing.fact.body'), aviso.carroceria],
  [t('aviso.fact.fuel'), catalogueLabel('fuel', aviso.propulsion)],
  [t('aviso.fact.transmission'), catalogueLabel('transmission', aviso.transmision)],
  [t('consola.listing.fact.place'), formatPlace(aviso.ciudad, aviso.region)],
  [t('consola.listing.fact.description'), aviso.descripcion],
]

const ownerFacts = (ctx: ConsoleContext, aviso: ListedPublicacion): Fact[] => [
  [t('consola.head.agency'), <a href={agenciaHref(aviso.agencia)}>{aviso.agencia.nombre}</a>],
  [t('consola.listing.fact.assigned'), aviso.operador],
  [t('consola.listing.fact.publishedBy'), <a href={`/consola/apps/${aviso.app.appKey}`}>{aviso.app.nombre}</a>],
  [EXTERNAL_ID, <code>{aviso.externalId}</code>],
  [t('consola.listing.fact.stock'), aviso.refStock],
  [t('consola.listing.fact.exposure'), aviso.exposicion && t(`consola.listing.exposure.${aviso.exposicion}`)],
  [t('consola.listing.fact.published'), <Moment at={aviso.creada} when={ctx} />],
  [t('consola.listings.modified'), <Moment at={aviso.modificada} when={ctx} />],
  [
    t('consola.listing.fact.inquiries'),
    <a href={withQuery('/consola/consultas', ctx.sealMails({ agencia: aviso.agencia.adminMail }))}>
      {t('consola.listing.inquiriesOf')}
    </a>,
  ],
]
