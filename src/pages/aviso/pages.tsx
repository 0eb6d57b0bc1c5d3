import type { Agencia } from '../../resources/agencias/agencia.ts'
import { money } from '../../resources/consultas/labels.ts'
import { type Publicacion, priceOf } from '../../resources/publicaciones/publicacion.ts'
import { formatNumber } from '../format.tsx'
import { publicacionName } from '../labels.tsx'
import { Layout, NarrowPage, TestMode } from '../layout.tsx'
import { ButtonLink, type Fact, Facts, Notice, Telephone } from '../parts.tsx'
import { InquiryForm, type InquiryFormProps, type InquiryValues } from './form.tsx'
import { Photos } from './photos.tsx'

const PROPULSIONES: Record<string, string> = {
  nafta: 'Nafta',
  diesel: 'Diésel',
  gnc: 'GNC',
  hibrido: 'Híbrido',
  'hibrido-enchufable': 'Híbrido enchufable',
  electrico: 'Eléctrico',
}
const TRANSMISIONES: Record<string, string> = { manual: 'Manual', automatica: 'Automática' }

export function carPage(listed: Listed & { values: InquiryValues; colour: string | undefined }) {
  const { aviso, agencia, values, colour } = listed
  const name = publicacionName(aviso)
  return (
    <Layout
      title={name}
      description={[name, formatPrice(aviso), place(aviso)].filter(Boolean).join(' · ')}
      visitor="unknown"
      indexed={aviso.modo === 'produccion'}
    >
      <article class="car">
        <Photos aviso={aviso} name={name} colour={colour} />
        <header class="lead">
          <TestMode modo={aviso.modo} />
          <h1>{name}</h1>
          <p class="price">{formatPrice(aviso) ?? 'Consulte el precio'}</p>
          <FactLine facts={[mileageOf(aviso), aviso.color, place(aviso)]} />
          <Seller {...listed} />
          <p>
            <ButtonLink href="#consultar">Consultar</ButtonLink>
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
        </section>
        <section id="consultar">
          <h2>Consultar a {agencia.nombre}</h2>
          <InquiryForm action={`/aviso/${aviso.id}/consultar`} values={values} />
        </section>
      </article>
      {/* A block of data, which no browser runs; structuredData escapes what could end it. */}
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: structuredData(aviso, agencia.nombre) }} />
    </Layout>
  )
}

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
function structuredData(aviso: Publicacion, agencia: string): string {
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
    ...(aviso.fotos.length > 0 && { image: aviso.fotos }),
    offers: {
      '@type': 'Offer',
      availability: 'https://schema.org/InStock',
      ...(price && { price: price.Importe, priceCurrency: price.Moneda }),
      seller: { '@type': 'AutoDealer', name: agencia },
    },
  }
  // Text of a partner must not end the script element.
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

export interface Listed {
  aviso: Publicacion
  agencia: Pick<Agencia, 'nombre' | 'telefono' | 'ciudad' | 'region'>
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
