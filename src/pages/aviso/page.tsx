import type { Support } from '../../mail/content.ts'
import type { Agencia } from '../../resources/agencias/agencia.ts'
import type { Auto } from '../../resources/consultas/auto.ts'
import { carName, money } from '../../resources/consultas/labels.ts'
import type { Publicacion } from '../../resources/publicaciones/publicacion.ts'
import { inFigures } from '../format.tsx'
import { Layout } from '../layout.tsx'
import { Notice } from '../parts.tsx'
import { InquiryForm, type InquiryFormProps } from './form.tsx'

export interface Listed {
  aviso: Publicacion
  agencia: Pick<Agencia, 'nombre' | 'telefono' | 'ciudad' | 'region'>
  support: Support
}

export const nameOf = ({ marca, modelo, version, versionYear }: Publicacion): string =>
  carName({ Marca: marca, Modelo: modelo, Version: version, VersionYear: versionYear } as Auto)

/** The form with which anybody asks about a listing. */
export function inquiryPage({ aviso, agencia, support, ...form }: Listed & Omit<InquiryFormProps, 'action'>) {
  const title = `Consultar por ${nameOf(aviso)}`
  return (
    <Layout title={form.errors ? `Error: ${title}` : title} visitor="unknown" support={support}>
      <div class="narrow">
        <header class="lead">
          <Badge aviso={aviso} />
          <h1>{title}</h1>
          <Facts aviso={aviso} />
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

/** After it was sent; nothing here is about who sent it, so that it may be loaded again. */
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

function Facts({ aviso }: { aviso: Publicacion }) {
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

export const Badge = ({ aviso }: { aviso: Publicacion }) =>
  aviso.modo === 'prueba' ? (
    <p class="overline">
      <span class="badge warning">Modo de prueba</span>
    </p>
  ) : null
