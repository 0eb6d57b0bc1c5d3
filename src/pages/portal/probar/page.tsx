import type { VNode } from 'preact'
import type { Errors } from '../../../http/problems.ts'
import { Area, FaultList, Field, Select } from '../../fields.tsx'
import { Method } from '../../parts.tsx'
import { type PortalContext, PortalPage } from '../context.tsx'
import { AnswerSection, RequestSection } from './answer.tsx'
import type { CallAnswer, SignedCall } from './call.ts'
import type { ExampleGroup } from './examples.ts'
import { type Asked, METODOS } from './params.ts'

export interface TryProps {
  ctx: PortalContext
  asked: Asked
  /** From `examplesNav`. */
  examples: VNode
  publicUrl: string
  scheme: string
  errors?: Errors | undefined
  /** What was sent and what came back, where something was. */
  tried?: { call: SignedCall; answer: CallAnswer } | undefined
}

const LABELS = { ruta: 'Dirección', cuerpo: 'Cuerpo', accept: 'Accept', etag: 'If-None-Match' }

/** The API, tried by hand: the portal signs as the app does. */
export function tryPage({ ctx, asked, examples, publicUrl, scheme, errors, tried }: TryProps) {
  const at = `${ctx.at}/probar`
  return (
    <PortalPage
      ctx={ctx}
      section="/probar"
      title="Probar la API"
      lead={
        <p>
          El portal firma con la clave de su app y llama de verdad.{' '}
          {ctx.app.modo === 'produccion'
            ? 'Su app es de producción: lo que cambie aquí, cambia para las agencias.'
            : 'Su app es de prueba: puede cambiar lo que quiera.'}
        </p>
      }
      faulty={Boolean(errors)}
      script
    >
      <div class="with-side">
        <div>
          <RequestForm at={at} asked={asked} errors={errors} />
          {tried && <AnswerSection answer={tried.answer} at={at} />}
          {tried && <RequestSection call={tried.call} publicUrl={publicUrl} scheme={scheme} />}
        </div>
        {examples}
      </div>
    </PortalPage>
  )
}

const RequestForm = ({ at, asked, errors }: { at: string; asked: Asked; errors: Errors | undefined }) => (
  <form method="post" action={at} class="sheet trying" novalidate>
    <FaultList errors={errors} labels={LABELS} />
    <div class="line">
      <Select name="metodo" label="Método" choices={METODOS} value={asked.metodo} />
      <Field
        name="ruta"
        label={LABELS.ruta}
        value={asked.ruta}
        errors={errors}
        more={{ placeholder: '/v3/colores', autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
    </div>
    <details open={asked.cuerpo !== ''}>
      <summary>Cuerpo (JSON)</summary>
      <Area
        name="cuerpo"
        label={LABELS.cuerpo}
        hint="Con POST, PUT y PATCH."
        value={asked.cuerpo}
        errors={errors}
        optional
        more={{ rows: 10, spellcheck: false, class: 'mono' }}
      />
    </details>
    <details open={asked.accept !== '' || asked.etag !== '' || Boolean(errors?.accept ?? errors?.etag)}>
      <summary>Encabezados</summary>
      <Field
        name="accept"
        label={LABELS.accept}
        value={asked.accept}
        errors={errors}
        optional
        more={{ placeholder: 'application/json', autocomplete: 'off', spellcheck: false }}
      />
      <Field
        name="etag"
        label={LABELS.etag}
        hint="El ETag de una respuesta anterior: si nada cambió, la respuesta es 304."
        value={asked.etag}
        errors={errors}
        optional
        more={{ autocomplete: 'off', spellcheck: false }}
      />
    </details>
    <button type="submit">Firmar y enviar</button>
  </form>
)

/** What can be tried, for a page of any app: links lead on from where one is. */
export const examplesNav = (groups: readonly ExampleGroup[]): VNode => (
  <nav aria-labelledby="ejemplos" class="examples">
    <h2 id="ejemplos">Ejemplos</h2>
    <p class="hint">Elija uno: aparece escrito, y lo envía cuando quiera.</p>
    {groups.map(({ tag, examples }) => (
      <details key={tag}>
        <summary>{tag}</summary>
        <ul>
          {examples.map(({ operationId, summary, metodo }) => (
            <li key={operationId}>
              <a href={`?ejemplo=${operationId}`}>
                <Method name={metodo.toLowerCase()} /> {summary}
              </a>
            </li>
          ))}
        </ul>
      </details>
    ))}
  </nav>
)
