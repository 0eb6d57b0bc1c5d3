import type { ComponentChildren } from 'preact'
import { fullName } from '../../../accounts/account.ts'
import type { Suppression } from '../../../resources/consultas/suppressions.ts'
import { formatDay } from '../../dates.ts'
import { inFigures } from '../../figures.ts'
import { Moment } from '../../moment.tsx'
import { type ConsoleContext, ConsolePage } from '../context.tsx'
import { SUPRESIONES } from './list-page.tsx'

interface Props {
  ctx: ConsoleContext
  suppression: Suppression
}

/** What can be handed to whoever asked, and shown to whoever asks whether it was done. */
export const receiptPage = ({ ctx, suppression: { id, at, by, ...reached } }: Props) => (
  <ConsolePage
    ctx={ctx}
    title="Constancia de supresión"
    current={SUPRESIONES}
    above={{ href: SUPRESIONES, label: 'Supresiones' }}
    lead={
      <p>
        <code>{id}</code>
      </p>
    }
  >
    <section>
      <dl class="data">
        <Fact name="Cuándo">
          <Moment at={at} when={ctx} />
        </Fact>
        <Fact name="Quién la atendió">{by ? fullName(by) : 'Línea de comandos'}</Fact>
        <Fact name="Consultas sin la persona">{inFigures(reached.consultas)}</Fact>
        <Fact name="Eventos vaciados">{inFigures(reached.eventos)}</Fact>
        <Fact name="Respuestas de apps olvidadas">{inFigures(reached.respuestas)}</Fact>
        <Fact name="Correos borrados">{inFigures(reached.correos)}</Fact>
        {reached.relacionadas > 0 && (
          <Fact name="Consultas que quedan y comparten correo o teléfono">{inFigures(reached.relacionadas)}</Fact>
        )}
        <Fact name="Apps avisadas">{inFigures(reached.apps)}</Fact>
      </dl>
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

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
