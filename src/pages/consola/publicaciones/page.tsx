import { withQuery } from '../../../http/links.ts'
import { t } from '../../../i18n/messages.tsx'
import { inSpanish } from '../../../i18n/stored.ts'
import { type Photo, photosOf } from '../../../photos/photo.ts'
import { ChangedSinceSeen, type ModerationTarget } from '../../../resources/publicaciones/moderate.ts'
import { type ListedPublicacion, nextToModerate } from '../../../resources/publicaciones/staff.ts'
import type { Db } from '../../../store/db.ts'
import { Acts, Form, Hidden, Tick } from '../../fields.tsx'
import { Fields, type Refused } from '../../form-fields.tsx'
import { formatNumber, formatPlace, Moment } from '../../format.tsx'
import { catalogueLabel, publicacionName, RAZONES, SuspensionReasons } from '../../labels.tsx'
import { type Fact, Facts, PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { PhotoStates } from '../../photo-states.tsx'
import { consolaAgenciaHref } from '../agencias/list.tsx'
import { type ConsoleContext, ConsolePage, ModoBadge } from '../context.tsx'
import { consolaPublicacionHref, EXTERNAL_ID, PUBLICACIONES, PublicacionEstado, priceOf } from './list.tsx'

export async function publicacionPage(db: Db, ctx: ConsoleContext, publicacion: ListedPublicacion, refused?: Refused) {
  const [allPhotos, next] = await Promise.all([photosOf(db, [publicacion]), nextToModerate(db, publicacion)])
  const photos = allPhotos.get(publicacion.id) ?? []
  return (
    <ConsolePage
      ctx={ctx}
      title={publicacionName(publicacion)}
      parentLink={{ href: PUBLICACIONES, label: t('consola.nav.publicaciones') }}
      intro={
        <p class="facts">
          <PublicacionEstado {...publicacion} />
          <ModoBadge modo={publicacion.modo} />
          <span>{t('consola.listings.number', { id: String(publicacion.id) })}</span>
          {publicacion.estado === 'Activa' && <a href={`/aviso/${publicacion.id}`}>{t('consola.listing.public')}</a>}
        </p>
      }
    >
      <VisibilityNotice publicacion={publicacion} />
      {photos.length > 0 && <PhotoSection publicacion={publicacion} photos={photos} />}
      <div class="with-side even">
        <Section title={t('consola.listing.car')}>
          <Facts rows={carFacts(publicacion)} />
        </Section>
        <Section title={t('consola.listing.owner')}>
          <Facts rows={ownerFacts(ctx, publicacion)} />
        </Section>
      </div>
      {publicacion.estado !== 'Archivada' && (
        <Acts>
          <Moderation publicacion={publicacion} next={next} refused={refused} />
        </Acts>
      )}
      {next !== undefined && (
        <p>
          <SecondaryLink href={consolaPublicacionHref({ id: next })}>{t('consola.listing.next')}</SecondaryLink>
        </p>
      )}
    </ConsolePage>
  )
}

function VisibilityNotice({ publicacion }: { publicacion: ListedPublicacion }) {
  if (publicacion.estado === 'Activa') return null
  if (publicacion.estado === 'Archivada') return <p class="empty">{t('consola.listing.archived')}</p>
  return (
    <div class="notice attention reasons">
      <SuspensionReasons {...publicacion} />
    </div>
  )
}

const PhotoSection = ({ publicacion, photos }: { publicacion: ListedPublicacion; photos: Photo[] }) => (
  <Section title={t('consola.listing.photos')}>
    <PhotoStates photos={photos} name={publicacionName(publicacion)} />
    {photos.some(({ estado }) => estado === 'fallida') && (
      <PostButton action={`${consolaPublicacionHref(publicacion)}/fotos`} class="secondary">
        {t('aviso.photo.again')}
      </PostButton>
    )}
  </Section>
)

const carFacts = (publicacion: ListedPublicacion): Fact[] => [
  [t('consola.head.price'), priceOf(publicacion)],
  [t('consola.head.kilometres'), publicacion.kilometraje === null ? null : formatNumber(publicacion.kilometraje)],
  [t('consola.listing.fact.colour'), catalogueLabel('colour', publicacion.color)],
  [t('consola.listing.fact.body'), catalogueLabel('body', publicacion.carroceria)],
  [t('aviso.fact.fuel'), catalogueLabel('fuel', publicacion.propulsion)],
  [t('aviso.fact.transmission'), catalogueLabel('transmission', publicacion.transmision)],
  [t('consola.listing.fact.place'), formatPlace(publicacion.ciudad, publicacion.region)],
  [t('consola.listing.fact.description'), publicacion.descripcion],
]

const ownerFacts = (ctx: ConsoleContext, publicacion: ListedPublicacion): Fact[] => [
  [t('consola.head.agency'), <a href={consolaAgenciaHref(publicacion.agencia)}>{publicacion.agencia.nombre}</a>],
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

/** The page says which version of the listing it shows: the partner may change it while somebody judges it. */
const SEEN = 'Visto'
const seenVersion = ({ modificada }: ListedPublicacion) => ({ [SEEN]: modificada.toISOString() })

export function moderationTarget({ id, modo }: ListedPublicacion, form: URLSearchParams): ModerationTarget {
  const seen = new Date(form.get(SEEN) ?? '')
  return { aviso: id, modo, by: 'mercado', seen: Number.isNaN(seen.getTime()) ? undefined : seen }
}

/** Undefined if the listing changed after the page was made, also by a colleague's decision. */
export const unlessChanged = <T,>(decision: Promise<T>): Promise<T | undefined> =>
  decision.catch((error) => {
    if (error instanceof ChangedSinceSeen) return undefined
    throw error
  })

export const MAX_REASON = 500
export const GO_ON = 'Seguir'
export const reasonFields = () => ({
  Razon: {
    label: t('consola.listing.reason'),
    choices: RAZONES.map((key) => [inSpanish(key), t(key)] as const),
    placeholder: t('consola.listing.reason.other'),
    optional: true,
  },
  Motivo: {
    label: t('consola.listing.motivo'),
    hint: t('consola.listing.motivo.hint'),
    max: MAX_REASON,
    rows: 3,
  },
})

interface ModerationProps {
  publicacion: ListedPublicacion
  /** The listing to look at after this one. */
  next: number | undefined
  refused: Refused | undefined
}

function Moderation({ publicacion, next, refused }: ModerationProps) {
  if (publicacion.suspensiones.includes('mercado'))
    return (
      <Section title={t('consola.listing.moderation')}>
        <p>{t('consola.listing.reactivate.text')}</p>
        <PostButton action={`${consolaPublicacionHref(publicacion)}/reactivar`} hidden={seenVersion(publicacion)}>
          {t('consola.listing.reactivate')}
        </PostButton>
      </Section>
    )
  return (
    <Section title={t('consola.listing.moderation')}>
      <Form
        action={`${consolaPublicacionHref(publicacion)}/suspender`}
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
