import { STATUS_CODES } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { signatureNames } from '../../auth/signature.ts'
import { unauthorized } from '../../auth/unauthorized.ts'
import { MAX_BODY_BYTES } from '../../http/body.ts'
import { CODE_LIST } from '../../http/codes.ts'
import { chooseType } from '../../http/negotiation.ts'
import {
  changedSinceRead,
  conflict,
  fault,
  forbidden,
  internalError,
  invalid,
  methodNotAllowed,
  notAcceptable,
  notFound,
  PROBLEM_TYPE,
  PROBLEMS,
  type Problem,
  type ProblemName,
  problemBody,
  tooLarge,
  tooManyRequests,
  unavailable,
  unsupportedType,
} from '../../http/problems.ts'
import type { Names } from '../docs/examples.ts'
import { Layout } from '../layout.tsx'
import { readMarkdown, renderMarkdown } from '../markdown.tsx'
import { PUBLIC, page, renderOnce } from '../page.ts'
import { Code, Json, Section, Status } from '../parts.tsx'

/** /problemas: the pages that the `Type` of a problem leads to. */
export function problemsRoutes(app: FastifyInstance, names: Names): void {
  const contents = renderOnce(contentsPage)
  const list = codesEntry(names.publicUrl)
  app.get('/problemas', PUBLIC, ({ headers }, reply) => {
    reply.header('vary', 'Accept')
    if (chooseType(headers.accept, ['text/html', 'application/json']) !== 'application/json')
      return page(reply, contents())
    return reply.type('application/json').send(list)
  })

  const rendered = (name: ProblemName) => [name as string, renderOnce(() => problemPage(name, names))] as const
  const problems = new Map((Object.keys(PROBLEMS) as ProblemName[]).map(rendered))
  app.get<{ Params: { nombre: string } }>('/problemas/:nombre', PUBLIC, ({ params: { nombre } }, reply) => {
    const problem = problems.get(nombre)
    return problem ? page(reply, problem()) : page(reply, unknownProblemPage(nombre), 404)
  })
}

/** Every code, for programs. */
const codesEntry = (publicUrl: string) => ({
  _entries: CODE_LIST.map(({ code, problem, meaning, remedy, status = PROBLEMS[problem].status }) => ({
    Codigo: code,
    Status: status,
    Type: `${publicUrl}/problemas/${problem}`,
    Significado: meaning,
    Remedio: remedy,
  })),
})

const read = (name: string) => readMarkdown(new URL(`./es/${name}.md`, import.meta.url))

const CONTENTS = read('inicio')
const TEXTS = Object.fromEntries(Object.keys(PROBLEMS).map((name) => [name, read(name)]))

const examples = (signaturePrefix: string): Record<ProblemName, [problem: Problem, instance: string]> => ({
  'solicitud-invalida': [
    invalid({
      AdminMail: [fault('formato', 'Debe ser una dirección de correo.')],
      Telefono: [fault('muy-corto', 'Debe tener al menos 8 caracteres.')],
    }),
    '/v3/agencias',
  ],
  'metodo-no-permitido': [methodNotAllowed('GET, HEAD, OPTIONS'), '/v3/colores'],
  'no-aceptable': [notAcceptable(['application/json', 'text/json']), '/v3'],
  'demasiado-grande': [tooLarge(MAX_BODY_BYTES), '/v3/agencias'],
  'tipo-no-admitido': [unsupportedType(), '/v3/agencias'],
  'sin-autorizacion': [unauthorized('fecha-fuera-de-rango', signatureNames(signaturePrefix)), '/v3/colores'],
  prohibido: [
    forbidden('La app no tiene permiso sobre esa agencia.', 'sin-asociacion'),
    '/v3/agencias/ventas@agencia.example/desasociar',
  ],
  'demasiadas-solicitudes': [
    tooManyRequests(2, 'La app superó su límite de solicitudes por segundo.', 'limite-de-solicitudes'),
    '/v3/colores',
  ],
  'no-existe': [notFound('No existe el color.'), '/v3/colores/999'],
  conflicto: [
    conflict(
      { _: [fault('ya-configurado', 'Ya está configurado.')] },
      'El topic ya está configurado: para cambiarlo, use PUT.',
    ),
    '/v3/appnotificaciones/consulta.recibida',
  ],
  'version-distinta': [changedSinceRead(), '/v3/agencias/ventas@agencia.example'],
  'error-interno': [internalError('6f1c7a52-1d0f-4a57-9a8e-0b1d5d1f6c1e'), '/v3/colores'],
  'no-disponible': [unavailable(), '/v3/agencias'],
})

function contentsPage() {
  const { title, lead, sections } = CONTENTS
  return (
    <Layout title={title} section="/problemas" description="Qué significa cada rechazo de la API y qué hacer.">
      <header class="lead">
        <h1>{title}</h1>
        {renderMarkdown(lead, { values: {} })}
      </header>
      <ProblemList />
      {sections.map(({ title, tokens }) => (
        <Section title={title}>{renderMarkdown(tokens, { values: {} })}</Section>
      ))}
      <Section title="Todos los códigos">
        {(Object.keys(PROBLEMS) as ProblemName[]).map((name) => (
          <>
            <h3>{PROBLEMS[name].title}</h3>
            <CodeList name={name} />
          </>
        ))}
      </Section>
    </Layout>
  )
}

function unknownProblemPage(name: string) {
  return (
    <Layout title="No existe ese problema" section="/problemas">
      <header class="lead">
        <h1>No existe ese problema</h1>
        <p>
          Ningún problema se llama <code>{name}</code>. Quizá la dirección se copió incompleta: el nombre es la última
          parte de <code>Type</code>. Estos son todos:
        </p>
      </header>
      <ProblemList />
    </Layout>
  )
}

export const ProblemList = () => (
  <ul class="problem-list">
    {Object.entries(PROBLEMS).map(([name, { status, title }]) => (
      <li key={name}>
        <Status code={status} />
        <a href={`/problemas/${name}`}>{title}</a>
        <code>{name}</code>
      </li>
    ))}
  </ul>
)

function problemPage(name: ProblemName, { publicUrl, signaturePrefix }: Names) {
  const { status, title } = PROBLEMS[name]
  const { lead = [], sections: [why, remedy] = [] } = TEXTS[name] ?? {}
  const [example, instance] = examples(signaturePrefix)[name]
  const scope = { values: { signaturePrefix } }
  return (
    <Layout title={title} section="/problemas">
      <header class="lead">
        <p class="overline">
          <a href="/problemas">Problemas</a> <span aria-hidden="true">/</span> <code>{name}</code>
        </p>
        <h1>{title}</h1>
        <p class="facts">
          <span>
            <Status code={status} /> {STATUS_CODES[status]}
          </span>
        </p>
        {renderMarkdown(lead, scope)}
      </header>
      <div class="columns">
        {[why, remedy].map((section) => (
          <Section title={section?.title ?? ''}>{renderMarkdown(section?.tokens ?? [], scope)}</Section>
        ))}
      </div>
      <Section title="Los códigos">
        <CodeList name={name} />
      </Section>
      <Section title="Ejemplo">
        <Code label="Respuesta">
          {head(example)}
          <Json value={problemBody(example, publicUrl, instance)} />
        </Code>
      </Section>
    </Layout>
  )
}

/** The codes of a problem: what each means, and what to do. */
const CodeList = ({ name }: { name: ProblemName }) => (
  <dl class="codes">
    {CODE_LIST.filter(({ problem }) => problem === name).map(({ code, meaning, remedy, status }) => (
      <div key={code} id={code}>
        <dt>
          <a class="anchor" href={`#${code}`}>
            <code>{code}</code>
          </a>{' '}
          {status && <Status code={status} />}
        </dt>
        <dd>{meaning}</dd>
        <dd>{remedy}</dd>
      </div>
    ))}
  </dl>
)

function head({ status, headers }: Problem): string {
  const lines = Object.entries({ 'content-type': PROBLEM_TYPE, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\n')
}
