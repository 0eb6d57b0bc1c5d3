import type { ComponentChildren } from 'preact'
import type { Kept } from '../../../resources/consultas/by-sid.ts'
import { autoOf, interesadoOf } from '../../../resources/consultas/consulta.ts'
import type { ConsultaTold } from '../../../resources/consultas/staff.ts'
import { momentOf } from '../../../webhooks/ulid.ts'
import { inFigures } from '../../figures.ts'
import { EstadoBadge, formatMoney, formatOperation, INTERES_LABELS, ORIGEN_LABELS, personName } from '../../labels.tsx'
import { Moment } from '../../moment.tsx'
import { agenciaHref } from '../agencias/parts.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { ModoBadge } from '../modo.tsx'
import { CONSULTAS, carName, consultaHref } from './parts.tsx'
import { Tellings } from './tellings.tsx'

interface Props {
  ctx: ConsoleContext
  kept: Kept
  told: ConsultaTold[]
  /** Those that see it today. */
  seeing: { appKey: string; nombre: string }[]
}

/** One inquiry: who asks, what about, whose it is, and whom it was told. */
export function consultaPage({ ctx, kept, told, seeing }: Props) {
  const { consulta } = kept
  return (
    <ConsolePage
      ctx={ctx}
      title={personName(consulta)}
      current={CONSULTAS}
      above={{ href: CONSULTAS, label: 'Consultas' }}
      lead={
        <p class="facts">
          <EstadoBadge estado={consulta.estado} />
          <ModoBadge modo={consulta.modo} />
          <Moment at={momentOf(consulta.sid)} when={ctx} />
          <code class="select-all">{consulta.sid}</code>
        </p>
      }
    >
      {kept.suprimida && <p class="empty">La persona pidió que se supriman sus datos. La consulta queda, sin ellos.</p>}
      {consulta.repite && (
        <p>
          Ya había preguntado por este auto:{' '}
          <a href={consultaHref({ sid: consulta.repite })}>ver la primera consulta</a>.
        </p>
      )}
      <div class="with-side even">
        <section>
          <h2>Quién pregunta</h2>
          <Facts rows={personFacts(kept)} none="Sus datos se suprimieron." />
        </section>
        <section>
          <h2>Por qué auto</h2>
          <Facts rows={carFacts(kept)} />
        </section>
      </div>
      <Tellings consulta={consulta} told={told} seeing={seeing} />
    </ConsolePage>
  )
}

type Row = [string, ComponentChildren]

const Facts = ({ rows, none }: { rows: Row[]; none?: string }) => {
  const said = rows.filter(([, value]) => value)
  if (said.length === 0) return <p>{none}</p>
  return (
    <dl class="data">
      {said.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function personFacts({ consulta, suprimida }: Kept): Row[] {
  if (suprimida) return []
  const person = interesadoOf(consulta)
  return [
    ['Nombre', [person.Nombre, person.Apellido].filter(Boolean).join(' ')],
    ['Correo', person.Email],
    ['Teléfono', person.Telefono],
    ['Documento', person.DocIdentidad],
    ['Vive en', [person.Ciudad, person.Provincia].filter(Boolean).join(', ')],
    ['Le interesa', person.Interes && INTERES_LABELS[person.Interes]],
    ['Escribió', person.Comentario],
    ...formatOperation(person.InfoOperacion),
  ]
}

function carFacts({ consulta, agencia }: Kept): Row[] {
  const auto = autoOf(consulta)
  return [
    ['Auto', carName(consulta)],
    ['Precio', auto.Precio && formatMoney(auto.Precio)],
    ['Kilómetros', auto.Kilometraje === null ? null : inFigures(auto.Kilometraje)],
    ['ExternalId', auto.ExternalId],
    ['De dónde', consulta.tipoAnuncio === 'catalogo' ? 'Un modelo del catálogo' : 'Un aviso'],
    ['Agencia', <a href={agenciaHref({ id: consulta.agenciaId })}>{agencia.nombre}</a>],
    ['A cargo de', consulta.operador],
    ['Llegó por', ORIGEN_LABELS[consulta.origenLead]],
  ]
}
