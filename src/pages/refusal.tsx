import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toProblem } from '../http/errors.ts'
import { chooseType } from '../http/negotiation.ts'
import { notFound, PROBLEM_TYPE, type Problem } from '../http/problems.ts'
import { Layout } from './layout.tsx'
import { page } from './page.ts'
import { setSecurityHeaders } from './security.ts'

const MESSAGES: Record<number, { title: string; text: string }> = {
  403: { title: 'No se puede hacer desde aquí', text: '' },
  404: { title: 'No encontramos esa página', text: 'Revise la dirección, o vuelva a abrir el enlace que le enviaron.' },
  405: {
    title: 'No se puede abrir así esa página',
    text: 'Vuelva a abrir el enlace que le enviaron, o entre a su cuenta.',
  },
  413: { title: 'El formulario es demasiado largo', text: 'Vuelva atrás, acorte lo que escribió y envíelo otra vez.' },
  415: { title: 'No pudimos leer el formulario', text: '' },
  429: { title: 'Espere un momento', text: '' },
  500: { title: 'Algo falló de nuestro lado', text: 'Vuelva a intentar. Lo que haya guardado antes está a salvo.' },
  503: { title: 'Vuelva a intentar en un momento', text: 'El servicio no está disponible por ahora.' },
}

/** Statuses after which a retry may succeed. */
const RETRYABLE = new Set([429, 500, 503])
/** An empty href is the current address; repeating it would put a stranger's text in a link. */
const SAME_PAGE = ''

export function respondWithPages(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) => refuse(reply, toProblem(error, request)))
}

/** The refusal of an unknown address: a page for browsers, problem+json for programs. */
export function sendNotFound({ headers }: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  if (chooseType(headers.accept, [PROBLEM_TYPE, 'application/json', 'text/html']) !== 'text/html') throw problem
  return refuse(setSecurityHeaders(reply).header('vary', 'Accept'), problem)
}

function refuse(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.headers(problem.headers).header('cache-control', 'no-store')
  return page(reply, <Refusal problem={problem} read={reply.request.method === 'GET'} />, problem.status)
}

/** `read` is whether it was a GET, which a link can repeat. */
function Refusal({ problem, read }: { problem: Problem; read: boolean }) {
  const { title, text } = MESSAGES[problem.status] ?? { title: 'No se pudo', text: '' }
  const canRetry = read && RETRYABLE.has(problem.status)
  const seconds = Number(problem.headers['retry-after'] ?? 0)
  const number = problem.extensions.RequestId
  return (
    <Layout title={title} visitor="unknown">
      <header class="lead">
        <h1>{title}</h1>
        <p>{specific(problem) ?? (text || problem.errors?._?.[0] || problem.message)}</p>
        {seconds > 0 && <p>Podrá hacerlo {wait(seconds)}.</p>}
        {typeof number === 'string' && (
          <p>
            Si persiste, informe este número: <code>{number}</code>
          </p>
        )}
      </header>
      <p class="row">
        {canRetry && (
          <a class="button" href={SAME_PAGE}>
            Volver a intentar
          </a>
        )}
        {/* it redirects signed-in people to their first page */}
        <a class={canRetry ? 'button secondary' : 'button'} href="/entrar">
          Ir a mi cuenta
        </a>
      </p>
    </Layout>
  )
}

const DEFAULT_MESSAGE = notFound().message

/** The message of a 404 that names what is missing. */
const specific = ({ status, message }: Problem): string | undefined =>
  status === 404 && message !== DEFAULT_MESSAGE ? message : undefined

const wait = (seconds: number): string =>
  seconds < 60 ? `en ${seconds === 1 ? 'un segundo' : `${seconds} segundos`}` : `en ${Math.ceil(seconds / 60)} min`
