import { fullName } from '../../../accounts/account.ts'
import type { Suppression } from '../../../resources/consultas/suppress.ts'
import { formatDay, inFigures, Moment } from '../../format.tsx'
import { Facts } from '../../parts.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { SUPRESIONES } from './list.tsx'

interface Props {
  ctx: ConsoleContext
  suppression: Suppression
}

/** The proof that a person's data were erased. */
export const receiptPage = ({ ctx, suppression: { id, at, by, ...reached } }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Constancia de supresión"
    section={SUPRESIONES}
    above={{ href: SUPRESIONES, label: 'Supresiones' }}
    lead={
      <p>
        <code>{id}</code>
      </p>
    }
  >
    <section>
      <Facts
        rows={[
          ['Cuándo', <Moment at={at} when={ctx} />],
          ['Quién la atendió', by ? fullName(by) : 'Línea de comandos'],
          ['Consultas sin la persona', inFigures(reached.consultas)],
          ['Eventos vaciados', inFigures(reached.eventos)],
          ['Respuestas de apps olvidadas', inFigures(reached.respuestas)],
          ['Correos borrados', inFigures(reached.correos)],
          [
            'Consultas que quedan y comparten correo o teléfono',
            reached.relacionadas > 0 && inFigures(reached.relacionadas),
          ],
          ['Apps avisadas', inFigures(reached.apps)],
        ]}
      />
    </section>
    <section>
      <h2>Para responderle a la persona</h2>
      <blockquote>
        <p>
          El {formatDay(at, ctx.timeZone)} suprimimos sus datos personales de nuestros registros, como nos pidió.
          {reached.apps > 0 &&
            ` También avisamos a ${reached.apps === 1 ? 'la empresa que los había recibido' : `las ${reached.apps} empresas que los habían recibido`} para que hagan lo mismo.`}{' '}
          La constancia es {id}.
        </p>
      </blockquote>
      <p class="hint">
        La constancia no nombra a la persona: si vuelve a pedirlo, se la reconoce sin guardar quién es.
      </p>
    </section>
  </ConsolePage>
)
