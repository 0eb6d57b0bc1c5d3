import { withQuery } from '../../../http/links.ts'
import { t } from '../../../i18n/messages.tsx'
import type { Photo } from '../../../photos/photo.ts'
import type { ListedPublicacion } from '../../../resources/publicaciones/staff.ts'
import { Acts } from '../../fields.tsx'
import { formatNumber, formatPlace, Moment } from '../../format.tsx'
import { catalogueLabel, publicacionName, SuspensionReasons } from '../../labels.tsx'
import { type Fact, Facts, PostButton, SecondaryLink, Section } from '../../parts.tsx'
import { PhotoStates } from '../../photo-states.tsx'
import { consolaAgenciaHref } from '../agencias/list.tsx'
import { type ConsoleContext, ConsolePage, ModoBadge } from '../context.tsx'
import { consolaPublicacionHref, EXTERNAL_ID, PUBLICACIONES, PublicacionEstado, priceOf } from './list.tsx'
import { Moderation, type ModerationProps } from './moderation.tsx'

interface Props extends ModerationProps {
  ctx: ConsoleContext
  photos: Photo[]
}

export function publicacionPage({ ctx, publicacion, photos, next, refused }: Props) {
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

const PhotoSection = ({ publicacion, photos }: Pick<Props, 'publicacion' | 'photos'>) => (
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
