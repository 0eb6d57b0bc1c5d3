import { STATUS_CODES } from 'node:http'
import { PROBLEM_TYPE, PROBLEMS, type Problem, type ProblemName, problemBody } from '../../http/problems.ts'
import { Layout } from '../layout.tsx'
import { Code, Json, Status } from '../parts.tsx'
import { codes } from './codes.tsx'
import type { Explanation } from './explanation.ts'

interface ProblemPageProps {
  name: ProblemName
  explanation: Explanation
  publicUrl: string
  signaturePrefix: string
}

/** What a problem means and what to do about it: the page that its `Type` leads to. */
export function problemPage({ name, explanation, publicUrl, signaturePrefix }: ProblemPageProps) {
  const { status, title } = PROBLEMS[name]
  const { what, why, remedy, retry, example, instance } = explanation
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
        <p>{what}</p>
      </header>
      <div class="columns">
        <section>
          <h2>Por qué ocurre</h2>
          <ul>
            {why.map((cause) => (
              <li>{cause}</li>
            ))}
          </ul>
        </section>
        <section>
          <h2>Qué hacer</h2>
          <ul>
            {remedy.map((step) => (
              <li>{step}</li>
            ))}
          </ul>
          <p>
            <strong>¿Repetir?</strong> {retry}
          </p>
        </section>
      </div>
      {name === 'sin-autorizacion' && <CodesSection prefix={signaturePrefix} />}
      <section>
        <h2>Ejemplo</h2>
        <Code label="Respuesta">
          {head(example)}
          <Json value={problemBody(example, publicUrl, instance)} />
        </Code>
      </section>
    </Layout>
  )
}

function CodesSection({ prefix }: { prefix: string }) {
  return (
    <section>
      <h2>Los códigos</h2>
      <dl class="codes">
        {Object.entries(codes(prefix)).map(([code, { meaning, remedy }]) => (
          <div key={code} id={code}>
            <dt>
              <a class="anchor" href={`#${code}`}>
                <code>{code}</code>
              </a>
            </dt>
            <dd>{meaning}</dd>
            <dd>{remedy}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** What precedes the body as the answer travels. */
function head({ status, headers }: Problem): string {
  const lines = Object.entries({ 'content-type': PROBLEM_TYPE, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\n')
}
