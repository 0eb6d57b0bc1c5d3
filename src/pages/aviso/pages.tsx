import { withQuery } from '../../http/links.ts'
import { largestUpTo, photoHref } from '../../photos/photo.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import { money } from '../../resources/consultas/labels.ts'
import { type Publicacion, priceOf } from '../../resources/publicaciones/publicacion.ts'
import type { Sucursal } from '../../resources/sucursales/sucursal.ts'
import { GALLERY_HREF } from '../assets.ts'
import { OpeningHours } from '../cuenta/sucursales/hours.tsx'
import { formatNumber } from '../format.tsx'
import { publicacionName } from '../labels.tsx'
import { Layout, NarrowPage, TestMode } from '../layout.tsx'
import { ButtonLink, type Fact, Facts, Notice, Telephone } from '../parts.tsx'
import { InquiryForm, type InquiryFormProps, type InquiryValues } from './form.tsx'
import { Photos, type ShownPhoto } from './photos.tsx'

const PROPULSIONES: Record<string, string> = {
  nafta: 'Nafta',
  diesel: 'Diésel',
  gnc: 'GNC',
  hibrido: 'Híbrido',
  'hibrido-enchufable': 'Híbrido enchufable',
  electrico: 'Eléctrico',
}
const TRANSMISIONES: Record<string, string> = { manual: 'Manual', automatica: 'Automática' }

interface CarPageProps extends Listed {
  sucursales: Sucursal[]
  photos: ShownPhoto[]
  values: InquiryValues
  /** As a CSS colour. */
  colour: string | undefined
  publicUrl: string
}

export function carPage({ aviso, agencia, sucursales, photos, values, colour, publicUrl }: CarPageProps) {
  const name = publicacionName(aviso)
  const description = [name, formatPrice(aviso), place(aviso)].filter(Boolean).join(' · ')
  const preview = { name, description, url: `${publicUrl}/aviso/${aviso.id}`, photo: photos[0], publicUrl }
  const data = structuredData(aviso, agencia, {
    images: photos.map((photo) => imageUrl(photo, publicUrl)),
    url: preview.url,
  })
  return (
    <Layout
      title={name}
      description={description}
      visitor="unknown"
      indexed={aviso.modo === 'produccion'}
      head={<Preview {...preview} />}
    >
      <article class="car">
        <Photos aviso={aviso} photos={photos} name={name} colour={colour} />
        <header class="lead">
          <TestMode modo={aviso.modo} />
          <h1>{name}</h1>
          <p class="price">{formatPrice(aviso) ?? 'Consulte el precio'}</p>
          <FactLine facts={[mileageOf(aviso), aviso.color, place(aviso)]} />
          <Seller aviso={aviso} agencia={agencia} />
          <p class="row">
            <ButtonLink href="#consultar">Consultar</ButtonLink>
            {agencia.whatsapp && <WhatsApp number={agencia.whatsapp} about={name} />}
          </p>
        </header>
        <section class="details">
          <h2>Datos del auto</h2>
          <Facts rows={dataOf(aviso)} />
          {aviso.descripcion && (
            <>
              <h2>Descripción</h2>
              <p class="described">{aviso.descripcion}</p>
            </>
          )}
          <Places agencia={agencia} sucursales={sucursales} about={name} />
        </section>
        <section id="consultar">
          <h2>Consultar a {agencia.nombre}</h2>
          <InquiryForm action={`/aviso/${aviso.id}/consultar`} values={values} />
        </section>
      </article>
      {/* A block of data, which no browser runs; structuredData escapes what could end it. */}
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: data }} />
    </Layout>
  )
}

interface PreviewProps {
  name: string
  description: string
  url: string
  photo: ShownPhoto | undefined
  publicUrl: string
}

/** How the page looks where its link is shared (https://ogp.me). */
const Preview = ({ name, description, url, photo, publicUrl }: PreviewProps) => (
  <>
    <link rel="canonical" href={url} />
    <meta property="og:type" content="website" />
    <meta property="og:title" content={name} />
    <meta property="og:description" content={description} />
    <meta property="og:url" content={url} />
    {photo && <meta property="og:image" content={imageUrl(photo, publicUrl)} />}
    {photo && <meta property="og:image:alt" content={name} />}
    <meta name="twitter:card" content={photo ? 'summary_large_image' : 'summary'} />
    <script src={GALLERY_HREF} defer />
  </>
)

/** As JPEG: not every messenger shows WebP. */
const imageUrl = ({ url, stored }: ShownPhoto, publicUrl: string): string =>
  stored ? `${publicUrl}${photoHref(stored, largestUpTo(stored, 1080), 'jpg')}` : url

/** Opens a chat with the agency that begins with the car. */
const WhatsApp = ({ number, about }: { number: string; about: string }) => (
  <a
    class="button secondary"
    href={withQuery(`https://wa.me/${number.replace(/\D/g, '')}`, { text: `Hola, consulto por ${about}.` })}
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
      <h2>Dónde verlo</h2>
      {agencia.direccion && (
        <p>
          <strong>{agencia.nombre}</strong>, {address}
        </p>
      )}
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
  [direccion, codigoPostal, place({ ciudad, region })].filter(Boolean).join(', ')

type Address = Pick<Agencia, 'direccion' | 'codigoPostal' | 'ciudad' | 'region'>

const formatPrice = (aviso: Publicacion): string | undefined => {
  const price = priceOf(aviso)
  return price && price.Importe > 0 ? money(price) : undefined
}

const mileageOf = ({ kilometraje }: Publicacion): string | false =>
  kilometraje !== null && (kilometraje === 0 ? '0 km' : `${formatNumber(kilometraje)} km`)

function dataOf(aviso: Publicacion): Fact[] {
  return [
    ['Marca', aviso.marca],
    ['Modelo', aviso.modelo],
    ['Versión', aviso.version],
    ['Año', aviso.versionYear?.toString()],
    ['Kilometraje', mileageOf(aviso)],
    ['Color', aviso.color],
    ['Carrocería', aviso.carroceria],
    ['Combustible', aviso.propulsion && (PROPULSIONES[aviso.propulsion] ?? aviso.propulsion)],
    ['Transmisión', aviso.transmision && (TRANSMISIONES[aviso.transmision] ?? aviso.transmision)],
    ['Ubicación', place(aviso)],
    ...aviso.datosTecnicos.map(({ Nombre, Valor }): Fact => [Nombre, Valor]),
    ['Aviso', String(aviso.id)],
  ]
}

function Seller({ agencia }: Listed) {
  return (
    <p class="seller">
      Lo ofrece <strong>{agencia.nombre}</strong>
      {place(agencia) && `, ${place(agencia)}`}
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
export const goneCarPage = ({ aviso, agencia }: Listed) => (
  <NarrowPage
    title={aviso.estado === 'Archivada' ? 'Este auto ya no está publicado' : 'Este auto no está publicado por ahora'}
    overline={<TestMode modo={aviso.modo} />}
    lead={publicacionName(aviso)}
  >
    <Notice>
      <p>
        Lo ofrecía <strong>{agencia.nombre}</strong>, que puede ofrecerle otro parecido.
      </p>
    </Notice>
    <p>
      <ButtonLink href={`/aviso/${aviso.id}/consultar`}>Consultar a {agencia.nombre}</ButtonLink>
    </p>
  </NarrowPage>
)

/** The car for search engines (https://schema.org/Car), as the text of a script element. */
function structuredData(
  aviso: Publicacion,
  { nombre, telefono, ...address }: Agencia,
  { images, url }: { images: string[]; url: string },
): string {
  const price = priceOf(aviso)
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Car',
    name: [aviso.marca, aviso.modelo, aviso.version].filter(Boolean).join(' '),
    brand: { '@type': 'Brand', name: aviso.marca },
    model: aviso.modelo,
    ...(aviso.versionYear && { vehicleModelDate: String(aviso.versionYear) }),
    ...(aviso.kilometraje !== null && {
      mileageFromOdometer: { '@type': 'QuantitativeValue', value: aviso.kilometraje, unitCode: 'KMT' },
      itemCondition: `https://schema.org/${aviso.kilometraje === 0 ? 'NewCondition' : 'UsedCondition'}`,
    }),
    ...(aviso.color && { color: aviso.color }),
    ...(aviso.carroceria && { bodyType: aviso.carroceria }),
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
  aviso: Publicacion
  agencia: Agencia
}

export function inquiryPage({ aviso, agencia, ...form }: Listed & Omit<InquiryFormProps, 'action'>) {
  const title = `Consultar por ${publicacionName(aviso)}`
  const price = priceOf(aviso)
  const { kilometraje, color } = aviso
  const facts = [price && money(price), kilometraje !== null && `${formatNumber(kilometraje)} km`, color]
  return (
    <Layout title={form.errors ? `Error: ${title}` : title} visitor="unknown">
      <div class="narrow">
        <header class="lead">
          <TestMode modo={aviso.modo} />
          <h1>{title}</h1>
          <FactLine facts={facts} />
          <p>
            Lo ofrece <strong>{agencia.nombre}</strong>
            {place(agencia) && `, ${place(agencia)}`}. Le responderá directamente.
          </p>
        </header>
        {aviso.estado !== 'Activa' && (
          <Notice>
            <p>
              Este auto ya no está publicado. Su consulta llega igual a {agencia.nombre}, que puede ofrecerle otro
              parecido.
            </p>
          </Notice>
        )}
        <InquiryForm action={`/aviso/${aviso.id}/consultar`} {...form} />
      </div>
    </Layout>
  )
}

/** After an inquiry was sent. It names no person, so it can be reloaded. */
export const thanksPage = ({ aviso, agencia }: Listed) => (
  <NarrowPage
    title="Su consulta fue enviada"
    overline={<TestMode modo={aviso.modo} />}
    lead={
      <>
        <strong>{agencia.nombre}</strong> la recibió y le responderá directamente. Si dejó un correo, le enviamos una
        constancia.
      </>
    }
  >
    {agencia.telefono && (
      <p>
        ¿No quiere esperar? Llame a {agencia.nombre}: <Telephone number={agencia.telefono} />
      </p>
    )}
  </NarrowPage>
)

export const unknownListingPage = () => (
  <NarrowPage
    title="No encontramos ese aviso"
    lead="Revise la dirección, o vuelva a la página del auto y abra la consulta desde allí."
  />
)

export const place = ({ ciudad, region }: Pick<Agencia, 'ciudad' | 'region'>): string =>
  [ciudad, region === ciudad ? null : region].filter(Boolean).join(', ')

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
