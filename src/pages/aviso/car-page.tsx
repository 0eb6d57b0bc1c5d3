import { money } from '../../resources/consultas/labels.ts'
import { priceOf } from '../../resources/publicaciones/publicacion.ts'
import { inFigures } from '../format.tsx'
import { Layout } from '../layout.tsx'
import { Notice } from '../parts.tsx'
import { InquiryForm } from './form.tsx'
import { Badge, type Listed, nameOf, place } from './page.tsx'
import { Photos } from './photos.tsx'
import { structuredData } from './structured-data.ts'
import type { InquiryValues } from './values.ts'

const PROPULSIONES: Record<string, string> = {
  nafta: 'Nafta',
  diesel: 'Diésel',
  gnc: 'GNC',
  hibrido: 'Híbrido',
  'hibrido-enchufable': 'Híbrido enchufable',
  electrico: 'Eléctrico',
}
const TRANSMISIONES: Record<string, string> = { manual: 'Manual', automatica: 'Automática' }

/** A car on offer, as anybody sees it: what it looks like, what it costs, who offers it, and how to ask. */
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
            <a class="button" href="#consultar">
              Consultar
            </a>
          </p>
        </header>
        <section class="details">
          <h2>Datos del auto</h2>
          <dl class="data">
            {dataOf(listed).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
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

function dataOf(listed: Listed): [string, string][] {
  const { aviso } = listed
  const known: [string, string | null | undefined | false][] = [
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
    ...aviso.datosTecnicos.map(({ Nombre, Valor }): [string, string] => [Nombre, Valor]),
    ['Aviso', String(aviso.id)],
  ]
  return known.filter((pair): pair is [string, string] => Boolean(pair[1]))
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

/** A listing that is not shown: gone for good, or for now. A question is still welcome. */
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
          <a class="button" href={`/aviso/${aviso.id}/consultar`}>
            Consultar a {agencia.nombre}
          </a>
        </p>
      </div>
    </Layout>
  )
}
