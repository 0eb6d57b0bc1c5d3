import { withQuery } from '../../http/links.ts'
import { formatMoney } from '../../i18n/format.ts'
import { rich, t } from '../../i18n/messages.tsx'
import { largestUpTo, photoHref } from '../../photos/photo.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { type Publicacion, priceOf } from '../../resources/publicaciones/publicacion.ts'
import type { Sucursal } from '../../resources/sucursales/sucursal.ts'
import { ASSETS } from '../assets.ts'
import { OpeningHours } from '../cuenta/sucursales/hours.tsx'
import { formatNumber, formatPlace } from '../format.tsx'
import { catalogueLabel, publicacionName } from '../labels.tsx'
import { Layout, NarrowPage, TestMode } from '../layout.tsx'
import { BrandName } from '../page.ts'
import { ButtonLink, type Fact, Facts, Notice, SecondaryLink, Telephone } from '../parts.tsx'
import { publicHref } from '../public-href.ts'
import { InquiryForm, type InquiryFormProps, type InquiryValues } from './form.tsx'
import { Photos, type ShownPhoto } from './photos.tsx'

interface CarPageProps extends Listed {
  sucursales: Sucursal[]
  photos: ShownPhoto[]
  values: InquiryValues
  /** As a CSS colour. */
  colour: string | undefined
  publicUrl: string
}

export function carPage({ publicacion, agencia, sucursales, photos, values, colour, publicUrl }: CarPageProps) {
  const name = publicacionName(publicacion)
  const description = [name, formatPrice(publicacion), place(publicacion)].filter(Boolean).join(' · ')
  const url = `${publicUrl}/aviso/${publicacion.id}`
  const images = photos.map((photo) => imageUrl(photo, publicUrl))
  const data = structuredData(publicacion, agencia, { images, url })
  // How the page looks where its link is shared (https://ogp.me).
  const preview = (
    <>
      <link rel="canonical" href={url} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={name} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {images[0] && <meta property="og:image" content={images[0]} />}
      {images[0] && <meta property="og:image:alt" content={name} />}
      <meta name="twitter:card" content={images[0] ? 'summary_large_image' : 'summary'} />
      <script src={ASSETS.gallery.href} defer />
    </>
  )
  return (
    <Layout
      title={name}
      description={description}
      visitor="unknown"
      indexed={publicacion.modo === 'produccion'}
      head={preview}
    >
      <article class="car">
        <Photos publicacion={publicacion} photos={photos} name={name} colour={colour} />
        <header class="lead">
          <TestMode modo={publicacion.modo} />
          <h1>{name}</h1>
          <p class="price">{formatPrice(publicacion) ?? t('aviso.price.ask')}</p>
          <FactLine facts={[mileageOf(publicacion), catalogueLabel('colour', publicacion.color), place(publicacion)]} />
          <Seller publicacion={publicacion} agencia={agencia} />
          <p class="row">
            <ButtonLink href="#consultar">{t('aviso.ask')}</ButtonLink>
            {agencia.whatsapp && <WhatsApp number={agencia.whatsapp} about={name} />}
          </p>
        </header>
        <section class="details">
          <h2>{t('aviso.data')}</h2>
          <Facts rows={dataOf(publicacion)} />
          {publicacion.descripcion && (
            <>
              <h2>{t('aviso.description')}</h2>
              <p class="described">{publicacion.descripcion}</p>
            </>
          )}
          <Places agencia={agencia} sucursales={sucursales} about={name} />
        </section>
        <section id="consultar">
          <h2>{t('aviso.askTo', { agency: agencia.nombre })}</h2>
          <InquiryForm action={`/aviso/${publicacion.id}/consultar`} values={values} />
        </section>
      </article>
      {/* A block of data, which no browser runs; structuredData escapes what could end it. */}
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: data }} />
    </Layout>
  )
}

/** As JPEG: not every messenger shows WebP. */
const imageUrl = ({ url, stored }: ShownPhoto, publicUrl: string): string =>
  stored ? `${publicUrl}${photoHref(stored, largestUpTo(stored, 1080), 'jpg')}` : url

/** Opens a chat with the agency that begins with the car. */
const WhatsApp = ({ number, about }: { number: string; about: string }) => (
  <a
    class="button secondary"
    href={withQuery(`https://wa.me/${number.replace(/\D/g, '')}`, { text: t('aviso.whatsapp.text', { car: about }) })}
    rel="noreferrer"
  >
    WhatsApp
  </a>
)

/** Where the agency receives people, and when. */
function Places({ agencia, sucursales, about }: Pick<CarPageProps, 'agencia' | 'sucursales'> & { about: string }) {
  const address = addressOf(agencia)
  if (!agencia.direccion && sucursales.length === 0) return null
  return (
    <>
      <h2>{t('aviso.where')}</h2>
      {agencia.direccion && <p>{rich('aviso.whereAgency', { agency: agencia.nombre, address })}</p>}
      {sucursales.map((each) => (
        <section key={each.id} class="branch">
          <h3>{each.nombre}</h3>
          {addressOf(each) && <p>{addressOf(each)}</p>}
          {(each.telefono || each.whatsapp) && (
            <p class="facts">
              {each.telefono && <Telephone number={each.telefono} />}
              {each.whatsapp && each.whatsapp !== agencia.whatsapp && <WhatsApp number={each.whatsapp} about={about} />}
            </p>
          )}
          <OpeningHours horarios={each.horarios} />
        </section>
      ))}
    </>
  )
}

const addressOf = ({ direccion, codigoPostal, ciudad, region }: Address): string =>
  formatPlace(direccion, codigoPostal, ciudad, region)

type Address = Pick<Agencia, 'direccion' | 'codigoPostal' | 'ciudad' | 'region'>

const formatPrice = (publicacion: Publicacion): string | undefined => {
  const price = priceOf(publicacion)
  return price && price.Importe > 0 ? formatMoney(price) : undefined
}

const mileageOf = ({ kilometraje }: Publicacion): string | false =>
  kilometraje !== null && (kilometraje === 0 ? '0 km' : `${formatNumber(kilometraje)} km`)

function dataOf(publicacion: Publicacion): Fact[] {
  return [
    [t('aviso.fact.brand'), publicacion.marca],
    [t('aviso.fact.model'), publicacion.modelo],
    [t('aviso.fact.version'), publicacion.version],
    [t('aviso.fact.year'), publicacion.versionYear?.toString()],
    [t('aviso.fact.mileage'), mileageOf(publicacion)],
    [t('aviso.fact.colour'), catalogueLabel('colour', publicacion.color)],
    [t('aviso.fact.body'), catalogueLabel('body', publicacion.carroceria)],
    [t('aviso.fact.fuel'), catalogueLabel('fuel', publicacion.propulsion)],
    [t('aviso.fact.transmission'), catalogueLabel('transmission', publicacion.transmision)],
    [t('aviso.fact.place'), place(publicacion)],
    ...publicacion.datosTecnicos.map(({ Nombre, Valor }): Fact => [Nombre, Valor]),
    [t('aviso.fact.listing'), String(publicacion.id)],
  ]
}

const sellerOf = (agencia: Agencia) => ({ agency: agencia.nombre, place: place(agencia) })

const phoneLink = (number: string) => () => <Telephone number={number} />

function Seller({ agencia }: Listed) {
  return (
    <p class="seller">
      {rich(place(agencia) ? 'aviso.offeredByIn' : 'aviso.offeredBy', sellerOf(agencia))}
      {agencia.telefono && (
        <>
          {' · '}
          <Telephone number={agencia.telefono} />
        </>
      )}
    </p>
  )
}

/** The page of an archived or suspended listing; inquiries are still possible. */
export const goneCarPage = ({ publicacion, agencia }: Listed) => (
  <NarrowPage
    title={t(publicacion.estado === 'Archivada' ? 'aviso.gone.archived' : 'aviso.gone.suspended')}
    overline={<TestMode modo={publicacion.modo} />}
    lead={publicacionName(publicacion)}
  >
    <Notice>
      <p>{rich('aviso.gone.agency', sellerOf(agencia))}</p>
    </Notice>
    <p>
      <ButtonLink href={`/aviso/${publicacion.id}/consultar`}>
        {t('aviso.askTo', { agency: agencia.nombre })}
      </ButtonLink>
    </p>
  </NarrowPage>
)

/** The car for search engines (https://schema.org/Car), as the text of a script element. */
function structuredData(
  publicacion: Publicacion,
  { nombre, telefono, ...address }: Agencia,
  { images, url }: { images: string[]; url: string },
): string {
  const price = priceOf(publicacion)
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Car',
    name: [publicacion.marca, publicacion.modelo, publicacion.version].filter(Boolean).join(' '),
    brand: { '@type': 'Brand', name: publicacion.marca },
    model: publicacion.modelo,
    ...(publicacion.versionYear && { vehicleModelDate: String(publicacion.versionYear) }),
    ...(publicacion.kilometraje !== null && {
      mileageFromOdometer: { '@type': 'QuantitativeValue', value: publicacion.kilometraje, unitCode: 'KMT' },
      itemCondition: `https://schema.org/${publicacion.kilometraje === 0 ? 'NewCondition' : 'UsedCondition'}`,
    }),
    ...(publicacion.color && { color: publicacion.color }),
    ...(publicacion.carroceria && { bodyType: publicacion.carroceria }),
    ...(images.length > 0 && { image: images }),
    url,
    offers: {
      '@type': 'Offer',
      availability: 'https://schema.org/InStock',
      ...(price && { price: price.Importe, priceCurrency: price.Moneda }),
      seller: {
        '@type': 'AutoDealer',
        name: nombre,
        ...(telefono && { telephone: telefono }),
        ...(addressOf(address) && { address: addressOf(address) }),
      },
    },
  }
  // Text of a partner must not end the script element.
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

export interface Listed {
  publicacion: Publicacion
  agencia: Agencia
}

export function inquiryPage({ publicacion, agencia, ...form }: Listed & Omit<InquiryFormProps, 'action'>) {
  const title = t('aviso.askAbout', { car: publicacionName(publicacion) })
  const price = priceOf(publicacion)
  const { kilometraje, color } = publicacion
  const facts = [
    price && formatMoney(price),
    kilometraje !== null && `${formatNumber(kilometraje)} km`,
    catalogueLabel('colour', color),
  ]
  return (
    <Layout title={form.errors ? t('aviso.error', { title }) : title} visitor="unknown">
      <div class="narrow">
        <header class="lead">
          <TestMode modo={publicacion.modo} />
          <h1>{title}</h1>
          <FactLine facts={facts} />
          <p>{rich(place(agencia) ? 'aviso.answersDirectlyIn' : 'aviso.answersDirectly', sellerOf(agencia))}</p>
        </header>
        {publicacion.estado !== 'Activa' && (
          <Notice>
            <p>{t('aviso.gone.form', { agency: agencia.nombre })}</p>
          </Notice>
        )}
        <InquiryForm action={`/aviso/${publicacion.id}/consultar`} {...form} />
      </div>
    </Layout>
  )
}

/** After an inquiry was sent. It names no person, so it can be reloaded. */
export const thanksPage = ({ publicacion, agencia }: Listed) => (
  <NarrowPage
    title={t('aviso.thanks.title')}
    overline={<TestMode modo={publicacion.modo} />}
    lead={rich('aviso.thanks.lead', sellerOf(agencia))}
  >
    {agencia.telefono && (
      <p>{rich('aviso.thanks.call', { ...sellerOf(agencia), phone: phoneLink(agencia.telefono) })}</p>
    )}
    <p>
      <SecondaryLink href={`/aviso/${publicacion.id}`}>{t('aviso.thanks.back')}</SecondaryLink>
    </p>
  </NarrowPage>
)

export const unknownAvisoPage = () => (
  <NarrowPage title={t('aviso.unknown.title')} lead={t('aviso.unknown.lead')}>
    <p>
      <SecondaryLink href={publicHref('/')}>{rich('aviso.unknown.home', { marca: <BrandName /> })}</SecondaryLink>
    </p>
  </NarrowPage>
)

const place = ({ ciudad, region }: Pick<Agencia, 'ciudad' | 'region'>): string => formatPlace(ciudad, region)

function FactLine({ facts }: { facts: (string | null | undefined | false)[] }) {
  const known = facts.filter(Boolean)
  if (known.length === 0) return null
  return (
    <p class="facts">
      {known.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  )
}
