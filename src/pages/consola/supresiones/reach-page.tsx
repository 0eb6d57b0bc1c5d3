import type { SuppressionPreview } from '../../../resources/consultas/suppress.ts'
import { inFigures, Moment } from '../../format.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { type GivenPerson, SUPRESIONES } from './list.tsx'

interface Props {
  ctx: ConsoleContext
  given: GivenPerson
  reach: SuppressionPreview
}

const counted = (count: number, one: string, many: string) => (
  <>
    <strong>{inFigures(count)}</strong> {count === 1 ? one : many}
  </>
)

/** What would be erased, and the button that erases it. */
export function reachPage({ ctx, given, reach }: Props) {
  const who = [given.Email, given.Telefono].filter(Boolean).join(' o ')
  const nothing = reach.consultas === 0
  return (
    <ConsolePage
      ctx={ctx}
      title={nothing ? 'No hay nada de esa persona' : '¿Suprimir a esta persona?'}
      section={SUPRESIONES}
      above={{ href: SUPRESIONES, label: 'Supresiones' }}
      lead={
        <p>
          <strong>{who}</strong>
          {given.Modo && `, en ${given.Modo === 'prueba' ? 'prueba' : 'producción'}`}
        </p>
      }
    >
      {nothing ? (
        <p>
          Ninguna consulta tiene ese correo o teléfono. Puede atender el pedido igual: queda la constancia de que se
          buscó y no se encontró nada.
        </p>
      ) : (
        <ul>
          <li>
            {counted(reach.consultas, 'consulta', 'consultas')} en {counted(reach.agencias, 'agencia', 'agencias')}:
            quedan, sin la persona.
          </li>
          <li>
            {counted(reach.eventos, 'evento se vacía', 'eventos se vacían')}, también lo que espera ser entregado.
          </li>
          <li>{counted(reach.correos, 'correo se borra', 'correos se borran')}.</li>
          <li>
            {counted(reach.apps, 'app que la recibió se entera', 'apps que la recibieron se enteran')} con{' '}
            <code>consulta.suprimida</code>.
          </li>
        </ul>
      )}
      {reach.relacionadas > 0 && (
        <p class="notice">
          {counted(reach.relacionadas, 'consulta más comparte', 'consultas más comparten')} un correo o un teléfono con
          estas, y queda{reach.relacionadas === 1 ? '' : 'n'}: puede ser de la misma persona, o de otra que lo comparte.
          Pregúntele, y atienda también ese correo o teléfono.
        </p>
      )}
      {reach.before.length > 0 && (
        <p>
          Ya se pidió antes:{' '}
          {reach.before.map(({ id, at }, which) => (
            <span key={id}>
              {which > 0 && ', '}
              <a href={`${SUPRESIONES}/${id}`}>
                <Moment at={at} when={ctx} />
              </a>
            </span>
          ))}
          .
        </p>
      )}
      <p>
        <strong>No se puede deshacer.</strong> Asegúrese de que el pedido es de la persona misma.
      </p>
      <form method="post" action={`${SUPRESIONES}/suprimir`} class="row">
        {Object.entries(given).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button type="submit" class="danger">
          {nothing ? 'Dejar constancia' : 'Sí, suprimir para siempre'}
        </button>
        <a class="button secondary" href={SUPRESIONES}>
          No, volver
        </a>
      </form>
    </ConsolePage>
  )
}
