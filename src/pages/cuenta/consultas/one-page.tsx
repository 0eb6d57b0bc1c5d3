import type { Agencia } from '../../../resources/agencias/agencia.ts'
import { autoOf, type Consulta, ESTADOS, interesadoOf } from '../../../resources/consultas/consulta.ts'
import { money } from '../../../resources/consultas/labels.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { inFigures, Moment } from '../../format.tsx'
import {
  carName,
  ESTADO_LABELS,
  EstadoBadge,
  formatOperation,
  INTERES_LABELS,
  isErased,
  ORIGEN_LABELS,
  personName,
} from '../../labels.tsx'
import { type Fact, Facts } from '../../parts.tsx'
import { type AgencyContext, AgencyPage } from '../context.tsx'
import { pathAt } from '../nav.tsx'

interface Props {
  ctx: AgencyContext
  consulta: Consulta
  /** The one that it repeats, if the person may see it. */
  first: string | undefined
}

/** One inquiry: the person and how to answer, the car, the state. */
export function consultaPage({ ctx, consulta, first }: Props) {
  return (
    <AgencyPage
      ctx={ctx}
      section="/cuenta/consultas"
      above={{ href: pathAt(ctx, '/cuenta/consultas'), label: 'Consultas' }}
      title={personName(consulta)}
      lead={
        <p class="facts">
          <EstadoBadge estado={consulta.estado} />
          <Moment at={momentOf(consulta.sid)} when={ctx} />
        </p>
      }
    >
      <div class="measure inquiry">
        {isErased(consulta) ? (
          <p class="empty">La persona pidió que se supriman sus datos. La consulta queda, sin ellos.</p>
        ) : (
          <Answer consulta={consulta} />
        )}
        {consulta.repite && (
          <p>
            Ya había preguntado por este auto
            {first ? (
              <>
                : <a href={`/cuenta/consultas/${first}`}>ver la primera consulta</a>.
              </>
            ) : (
              '; aquella consulta está a cargo de otra persona.'
            )}
          </p>
        )}
        <Comment consulta={consulta} />
        <Work consulta={consulta} />
        <section>
          <h2>El auto</h2>
          <Facts rows={carFacts(consulta)} />
        </section>
        <section>
          <h2>La consulta</h2>
          <Facts rows={inquiryFacts(consulta, ctx.agencia)} />
        </section>
      </div>
    </AgencyPage>
  )
}

/** The ways to answer, large enough for a thumb. */
function Answer({ consulta }: { consulta: Consulta }) {
  const { Email, Telefono } = interesadoOf(consulta)
  const { Marca, Modelo } = autoOf(consulta)
  const subject = encodeURIComponent(`Su consulta por ${Marca} ${Modelo}`)
  const dialled = Telefono?.replace(/[^\d+]/g, '')
  return (
    <p class="row answer">
      {Telefono && (
        <a class="button" href={`tel:${dialled}`}>
          Llamar al {Telefono}
        </a>
      )}
      {dialled?.startsWith('+') && (
        <a class="button secondary" href={`https://wa.me/${dialled.slice(1)}`} rel="noreferrer">
          WhatsApp
        </a>
      )}
      {Email && (
        <a
          class={Telefono ? 'button secondary' : 'button'}
          href={`mailto:${encodeURIComponent(Email).replace('%40', '@')}?subject=${subject}`}
        >
          Escribir a {Email}
        </a>
      )}
    </p>
  )
}

function Comment({ consulta }: { consulta: Consulta }) {
  const { Comentario, Nombre } = interesadoOf(consulta)
  if (!Comentario) return null
  return (
    <figure class="message">
      <figcaption>{Nombre ? `${Nombre} escribió` : 'Escribió'}</figcaption>
      <blockquote>{Comentario}</blockquote>
    </figure>
  )
}

/** A button for each state that it is not in: one touch, and no script. */
const Work = ({ consulta }: { consulta: Consulta }) => (
  <section>
    <h2>Su trabajo</h2>
    <form method="post" action={`/cuenta/consultas/${consulta.sid}/estado`}>
      <p class="hint">Está {ESTADO_LABELS[consulta.estado].toLowerCase()}. Pasarla a:</p>
      <div class="row">
        {ESTADOS.filter((estado) => estado !== consulta.estado).map((estado) => (
          <button key={estado} type="submit" name="Estado" value={estado} class="secondary">
            {ESTADO_LABELS[estado]}
          </button>
        ))}
      </div>
    </form>
  </section>
)

function carFacts(consulta: Consulta): Fact[] {
  const auto = autoOf(consulta)
  return [
    ['Auto', carName(consulta)],
    ['Precio', auto.Precio && money(auto.Precio)],
    ['Kilómetros', auto.Kilometraje === null ? null : inFigures(auto.Kilometraje)],
    ['Color', auto.Color],
    ['Aviso', auto.ExternalId],
    ['Referencia de stock', auto.RefStock],
    ['De dónde', consulta.tipoAnuncio === 'catalogo' ? 'Un modelo del catálogo' : 'Un aviso de la agencia'],
  ]
}

function inquiryFacts(consulta: Consulta, { operadores }: Agencia): Fact[] {
  const person = interesadoOf(consulta)
  const responsible = operadores.find(({ email }) => email === consulta.operador)
  return [
    ['Le interesa', person.Interes && INTERES_LABELS[person.Interes]],
    ...formatOperation(person.InfoOperacion),
    ['Documento', person.DocIdentidad],
    ['Vive en', [person.Ciudad, person.Provincia].filter(Boolean).join(', ')],
    ['Llegó por', ORIGEN_LABELS[consulta.origenLead]],
    [
      'A cargo de',
      responsible ? `${responsible.nombre} ${responsible.apellido}`.trim() || responsible.email : consulta.operador,
    ],
  ]
}
