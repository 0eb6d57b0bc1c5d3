import type { Support } from '../../mail/content.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { Auto } from '../../resources/consultas/auto.ts'
import { carName, money } from '../../resources/consultas/labels.ts'
import { type Publicacion, priceOf } from '../../resources/publicaciones/publicacion.ts'
import { inFigures } from '../format.tsx'
import { Layout } from '../layout.tsx'
import { ButtonLink, type Fact, Facts, Notice } from '../parts.tsx'
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

/** The public page of a listing. */
export function carPage(listed: Listed & { values: InquiryValues; colour: string | undefined }) {
  const { aviso, agencia, support, values, colour } = listed
  const name = nameOf(aviso)
  return (
    <Layout
      title={name}
      description={[name, formatPrice(listed), placeOf(listed)].filter(Boolean).join(' · ')}
      visitor="unknown"
      indexed={aviso.modo === 'produccion'}
      support={support}
    >
      <article class="car">
        <Photos aviso={aviso} name={name} colour={colour} />
        <header class="lead">
          <Badge aviso={aviso} />
          <h1>{name}</h1>
          <p class="price">{formatPrice(listed) ?? 'Consulte el precio'}</p>
          <p class="facts">
            {factsOf(listed).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
          <Seller {...listed} />
          <p>
            <ButtonLink href="#consultar">Consultar</ButtonLink>
          </p>
        </header>
        <section class="details">
          <h2>Datos del auto</h2>
          <Facts rows={dataOf(listed)} />
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

const formatPrice = ({ aviso }: Listed): string | undefined => {
  const price = priceOf(aviso)
  return price && price.Importe > 0 ? money(price) : undefined
}

const mileageOf = ({ aviso: { kilometraje } }: Listed): string | false =>
  kilometraje !== null && (kilometraje === 0 ? '0 km' : `${inFigures(kilometraje)} km`)

const placeOf = ({ aviso }: Listed): string => place(aviso)

const factsOf = (listed: Listed): string[] =>
  [mileageOf(listed), listed.aviso.color, placeOf(listed)].filter((fact): fact is string => Boolean(fact))

function dataOf(listed: Listed): Fact[] {
  const { aviso } = listed
  return [
    ['Marca', aviso.marca],
    ['Modelo', aviso.modelo],
    ['Versión', aviso.version],
    ['Año', aviso.versionYear?.toString()],
    ['Kilometraje', mileageOf(listed)],
    ['Color', aviso.color],
    ['Carrocería', aviso.carroceria],
    ['Combustible', aviso.propulsion && (PROPULSIONES[aviso.propulsion] ?? aviso.propulsion)],
    ['Transmisión', aviso.transmision && (TRANSMISIONES[aviso.transmision] ?? aviso.transmision)],
    ['Ubicación', placeOf(listed)],
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
          <a href={`tel:${agencia.telefono.replace(/[^\d+]/g, '')}`}>{agencia.telefono}</a>
        </>
      )}
    </p>
  )
}

/** The page of an archived or suspended listing; inquiries are still possible. */
export function goneCarPage({ aviso, agencia, support }: Listed) {
  const title =
    aviso.estado === 'Archivada' ? 'Este auto ya no está publicado' : 'Este auto no está publicado por ahora'
  return (
    <Layout title={title} visitor="unknown" support={support}>
      <div class="narrow">
        <header class="lead">
          <Badge aviso={aviso} />
          <h1>{title}</h1>
          <p>{nameOf(aviso)}</p>
        </header>
        <Notice>
          <p>
            Lo ofrecía <strong>{agencia.nombre}</strong>, que puede ofrecerle otro parecido.
          </p>
        </Notice>
        <p>
          <ButtonLink href={`/aviso/${aviso.id}/consultar`}>Consultar a {agencia.nombre}</ButtonLink>
        </p>
      </div>
    </Layout>
  )
}

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
  support: Support
}

const nameOf = ({ marca, modelo, version, versionYear }: Publicacion): string =>
  carName({ Marca: marca, Modelo: modelo, Version: version, VersionYear: versionYear } as Auto)

/** The inquiry form. */
export function inquiryPage({ aviso, agencia, support, ...form }: Listed & Omit<InquiryFormProps, 'action'>) {
  const title = `Consultar por ${nameOf(aviso)}`
  return (
    <Layout title={form.errors ? `Error: ${title}` : title} visitor="unknown" support={support}>
      <div class="narrow">
        <header class="lead">
          <Badge aviso={aviso} />
          <h1>{title}</h1>
          <CarFacts aviso={aviso} />
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
export function thanksPage({ aviso, agencia, support }: Listed) {
  return (
    <Layout title="Su consulta fue enviada" visitor="unknown" support={support}>
      <div class="narrow">
        <header class="lead">
          <Badge aviso={aviso} />
          <h1>Su consulta fue enviada</h1>
          <p>
            <strong>{agencia.nombre}</strong> la recibió y le responderá directamente. Si dejó un correo, le enviamos
            una constancia.
          </p>
        </header>
        {agencia.telefono && (
          <p>
            ¿No quiere esperar? Llame a {agencia.nombre}:{' '}
            <a href={`tel:${agencia.telefono.replace(/[^\d+]/g, '')}`}>{agencia.telefono}</a>
          </p>
        )}
      </div>
    </Layout>
  )
}

export const unknownListingPage = ({ support }: { support: Support }) => (
  <Layout title="No encontramos ese aviso" visitor="unknown" support={support}>
    <div class="narrow">
      <header class="lead">
        <h1>No encontramos ese aviso</h1>
        <p>Revise la dirección, o vuelva a la página del auto y abra la consulta desde allí.</p>
      </header>
    </div>
  </Layout>
)

export const place = ({ ciudad, region }: Pick<Agencia, 'ciudad' | 'region'>): string =>
  [ciudad, region === ciudad ? null : region].filter(Boolean).join(', ')

function CarFacts({ aviso }: { aviso: Publicacion }) {
  const { precioMoneda, precioImporte, kilometraje, color } = aviso
  const facts = [
    precioMoneda !== null && precioImporte !== null && money({ Moneda: precioMoneda, Importe: precioImporte }),
    kilometraje !== null && `${inFigures(kilometraje)} km`,
    color,
  ].filter(Boolean)
  return facts.length > 0 ? (
    <p class="facts">
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  ) : null
}

const Badge = ({ aviso }: { aviso: Publicacion }) =>
  aviso.modo === 'prueba' ? (
    <p class="overline">
      <span class="badge warning">Modo de prueba</span>
    </p>
  ) : null
