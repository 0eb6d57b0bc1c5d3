import type { FastifyReply } from 'fastify'
import { findApp, listApps } from '../../apps/store.ts'
import { withQuery } from '../../http/links.ts'
import { notFound } from '../../http/problems.ts'
import { t } from '../../i18n/messages.tsx'
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
  MODERADAS,
  nextToModerate,
} from '../../resources/publicaciones/staff.ts'
import { MAX_CSV_ROWS } from '../csv.ts'
import { Form, Tick } from '../fields.tsx'
import { loadedFilter, numberFilter, selectFilter, textFilter } from '../filter.tsx'
import { CONFIRMATION_FORM, formRoute } from '../form.ts'
import { Fields, type Refused, readFields } from '../form-fields.tsx'
import { formatNumber, Moment } from '../format.tsx'
import { publicacionName, SuspensionReasons } from '../labels.tsx'
import { defineList, numberedPage, serveList } from '../list.tsx'
import { page } from '../page.ts'
import { type Fact, Facts, PostButton, SecondaryLink, Section } from '../parts.tsx'
import { PhotoStates, thumbnailsOf } from '../photo-states.tsx'
import { type ById, type PageDeps, redirectWithNotice } from '../signed-in.ts'
import { column, momentColumn } from '../table.tsx'
import { WithThumbnail } from '../thumbnail.tsx'
import { agenciaColumn, agenciaHref } from './agencias/list.tsx'
import { CONSOLE, type ConsoleContext, ConsolePage, type ConsolePages, ModoBadge } from './context.tsx'

const PUBLICACIONES = '/consola/publicaciones'
const MAX_EXTERNAL_ID = 255

const avisoHref = ({ id }: { id: number }): string => `${PUBLICACIONES}/${id}`

const ESTADOS = ESTADO_FILTERS.map(
  (estado) => [estado, estado === MODERADAS ? 'Suspendidas por el mercado' : `${estado}s`] as const,
)
const TONES = { Activa: 'ok', Suspendida: '', Archivada: '' }

/** The state of a listing; one that the marketplace suspended stands out. */
const AvisoEstado = ({ estado, suspensiones }: Pick<Publicacion, 'estado' | 'suspensiones'>) =>
  estado === 'Suspendida' && suspensiones.includes('mercado') ? (
    <span class="badge error">moderada</span>
  ) : (
    <span class={`badge ${TONES[estado]}`}>{estado.toLowerCase()}</span>
  )

const priceOf = ({ precioMoneda, precioImporte }: Publicacion): string | null =>
  precioMoneda && precioImporte !== null ? money({ Moneda: precioMoneda, Importe: precioImporte }) : null

const AVISOS_LIST = defineList({
  audience: CONSOLE,
  section: PUBLICACIONES,
  title: 'Avisos',
  intro: 'Los autos que publican las apps por las agencias. El mercado puede suspender uno, y solo él lo devuelve.',
  filters: {
    aviso: numberFilter('Aviso'),
    externalId: textFilter('ExternalId', { spellcheck: false, maxlength: MAX_EXTERNAL_ID }),
    agencia: textFilter('Agencia', { placeholder: 'Su correo' }),
    app: loadedFilter('App', 'Todas'),
    estado: selectFilter('Estado', 'Todos', ESTADOS),
  },
  load: async ({ store }, request) => {
    const { agencia, app, ...rest } = request.filters
    const search = {
      ...rest,
      agencias: agencia === undefined ? undefined : await agenciasWithMail(store, agencia),
      appId: app === undefined ? undefined : ((await findApp(store, app))?.id ?? 0),
    }
    const [found, apps] = await Promise.all([
      numberedPage(request, (cursor) =>
        request.csv
          ? exportPublicaciones(store, search, MAX_CSV_ROWS)
          : listPublicacionesForStaff(store, search, cursor),
      ),
      listApps(store),
    ])
    const photos = request.csv ? undefined : await thumbnailsOf(store, found.rows)
    const rows = found.rows.map((row) => ({ ...row, photo: photos?.get(row.id) }))
    return { ...found, rows, choices: { app: apps.map(({ appKey, nombre }) => [appKey, nombre] as const) } }
  },
  searchedTo: ({ found: { searchedTo } }) =>
    searchedTo &&
    `Buscamos hasta el aviso ${searchedTo.before ?? searchedTo.after}. Con ${
      searchedTo.after === undefined
        ? '«Siguientes» la búsqueda sigue hacia atrás.'
        : '«Anteriores» sigue hacia los más nuevos.'
    }`,
  columns: (ctx) => [
    { head: 'Aviso', text: ({ id }) => id },
    { head: 'Modo', text: ({ modo }) => modo },
    {
      head: 'Auto',
      cell: (row) => (
        <WithThumbnail car={row} photo={row.photo} ctx={ctx}>
          <a href={avisoHref(row)}>
            <strong>{publicacionName(row)}</strong>
          </a>
          <span class="hint below">Aviso {row.id}</span>
        </WithThumbnail>
      ),
      text: publicacionName,
    },
    {
      head: 'Estado',
      cell: (row) => <AvisoEstado {...row} />,
      text: ({ estado, suspensiones }) => [estado, ...suspensiones].join(' '),
    },
    agenciaColumn(),
    {
      head: 'App',
      cell: ({ app }) => <a href={`/consola/apps/${app.appKey}`}>{app.nombre}</a>,
      text: ({ app }) => app.nombre,
    },
    column('ExternalId', 'externalId', (id) => <span class="anywhere">{id}</span>),
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

/** /consola/publicaciones: what is on offer, and the marketplace's say in it. */
export function publicacionesConsoleRoutes(app: ConsolePages, deps: PageDeps): void {
  const { store } = deps

  serveList(app, '/publicaciones', deps, AVISOS_LIST)

  async function find(id: string): Promise<ListedPublicacion> {
    const found = /^\d{1,9}$/.test(id) ? await findPublicacionForStaff(store, Number(id)) : undefined
    if (!found) throw notFound('No hay un aviso así.')
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
    const { given, errors } = readFields(MOTIVO, form, ({ Razon, Motivo }) =>
      Razon || Motivo ? {} : { Razon: ['Elija una razón, o escriba el motivo.'] },
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
    await retryPhotos(store, aviso.id)
    await ctx.audit('aviso.fotos', String(aviso.id))
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
/** What is usually wrong, as the app and the agency read it. */
const RAZONES = [
  'Las fotos no corresponden al auto.',
  'Las fotos tienen teléfonos, correos o publicidad.',
  'El precio no es el que se pide.',
  'El auto ya se vendió o no existe.',
  'Los datos no corresponden al auto.',
  'El aviso está repetido.',
  'El texto ofende o engaña.',
]
const MOTIVO = {
  Razon: { label: 'Razón', choices: RAZONES, placeholder: 'Otra, o varias: escríbala abajo', optional: true },
  Motivo: {
    label: 'Motivo',
    hint: 'Lo leen la app y la agencia. Diga qué hay que corregir.',
    optional: true,
    max: MAX_REASON,
    rows: 3,
  },
}

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
      parentLink={{ href: PUBLICACIONES, label: 'Avisos' }}
      faulty={refused !== undefined}
      intro={
        <p class="facts">
          <AvisoEstado {...aviso} />
          <ModoBadge modo={aviso.modo} />
          <span>Aviso {aviso.id}</span>
          {aviso.estado === 'Activa' && <a href={`/aviso/${aviso.id}`}>Verlo como lo ve cualquiera</a>}
        </p>
      }
    >
      <Visibility aviso={aviso} />
      {photos.length > 0 && <PhotoSection aviso={aviso} photos={photos} />}
      <div class="with-side even">
        <Section title="El auto">
          <Facts rows={carFacts(aviso)} />
        </Section>
        <Section title="De quién es">
          <Facts rows={ownerFacts(ctx, aviso)} />
        </Section>
      </div>
      {aviso.estado !== 'Archivada' && <Moderation aviso={aviso} next={next} refused={refused} />}
      {next !== undefined && (
        <p>
          <SecondaryLink href={avisoHref({ id: next })}>Aviso siguiente →</SecondaryLink>
        </p>
      )}
    </ConsolePage>
  )
}

function Visibility({ aviso }: { aviso: ListedPublicacion }) {
  if (aviso.estado === 'Activa') return null
  if (aviso.estado === 'Archivada') return <p class="empty">Terminó, y no puede volver a mostrarse.</p>
  return (
    <div class="notice reasons">
      <SuspensionReasons {...aviso} />
    </div>
  )
}

const PhotoSection = ({ aviso, photos }: Pick<Props, 'aviso' | 'photos'>) => (
  <Section title="Fotos">
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
      <Section title="Moderación">
        <p>Si se reactiva, se muestra cuando nada más lo impida y el paquete tenga lugar. Le avisamos a la app.</p>
        <PostButton action={`${avisoHref(aviso)}/reactivar`}>Reactivar</PostButton>
      </Section>
    )
  return (
    <Section title="Moderación">
      <Form action={`${avisoHref(aviso)}/suspender`} errors={refused?.errors} button="Suspender" buttonClass="danger">
        <p>Deja de mostrarse enseguida. Ni la app ni la agencia pueden devolverlo: solo el mercado.</p>
        <Fields fields={MOTIVO} {...refused} />
        {next !== undefined && (
          <Tick name={GO_ON} label="Seguir con el aviso siguiente" hint="El anterior a este que se muestra." checked />
        )}
      </Form>
    </Section>
  )
}

const carFacts = (aviso: ListedPublicacion): Fact[] => [
  ['Precio', priceOf(aviso)],
  ['Kilómetros', aviso.kilometraje === null ? null : formatNumber(aviso.kilometraje)],
  ['Color', aviso.color],
  ['Carrocería', aviso.carroceria],
  ['Motor', [aviso.propulsion, aviso.transmision].filter(Boolean).join(', ')],
  ['Lugar', [aviso.ciudad, aviso.region].filter(Boolean).join(', ')],
  ['Descripción', aviso.descripcion],
]

const ownerFacts = (ctx: ConsoleContext, aviso: ListedPublicacion): Fact[] => [
  ['Agencia', <a href={agenciaHref(aviso.agencia)}>{aviso.agencia.nombre}</a>],
  ['A cargo de', aviso.operador],
  ['Publicado por', <a href={`/consola/apps/${aviso.app.appKey}`}>{aviso.app.nombre}</a>],
  ['ExternalId', <code>{aviso.externalId}</code>],
  ['Referencia de stock', aviso.refStock],
  ['Exposición', aviso.exposicion],
  ['Publicado', <Moment at={aviso.creada} when={ctx} />],
  ['Modificado', <Moment at={aviso.modificada} when={ctx} />],
  ['Consultas', <a href={withQuery('/consola/consultas', { agencia: aviso.agencia.adminMail })}>Las de la agencia</a>],
]
