import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toProblem } from '../http/errors.ts'
import { vary } from '../http/language.ts'
import { chooseType } from '../http/negotiation.ts'
import { type Detail, PROBLEM_TYPE, type Problem } from '../http/problems.ts'
import { labels, rich, t, textOf } from '../i18n/messages.tsx'
import { Layout } from './layout.tsx'
import { page } from './page.ts'
import { setSecurityHeaders } from './security.ts'

const TITLES = labels({
  403: 'comun.refusal.403.title',
  404: 'comun.refusal.404.title',
  405: 'comun.refusal.405.title',
  413: 'comun.refusal.413.title',
  415: 'comun.refusal.415.title',
  429: 'comun.refusal.429.title',
  500: 'comun.refusal.500.title',
  503: 'comun.refusal.503.title',
}) as Readonly<Record<number, string>>

/** The others say what the problem says. */
const TEXTS = labels({
  404: 'comun.refusal.404.text',
  405: 'comun.refusal.405.text',
  413: 'comun.refusal.413.text',
  500: 'comun.refusal.500.text',
  503: 'comun.refusal.503.text',
}) as Readonly<Record<number, string>>

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
  return refuse(vary(setSecurityHeaders(reply), 'Accept'), problem)
}

function refuse(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.headers(problem.headers).header('cache-control', 'no-store')
  return page(reply, <Refusal problem={problem} read={reply.request.method === 'GET'} />, problem.status)
}

/** `read` is whether it was a GET, which a link can repeat. */
function Refusal({ problem, read }: { problem: Problem; read: boolean }) {
  const title = TITLES[problem.status] ?? t('comun.refusal.other')
  const canRetry = read && RETRYABLE.has(problem.status)
  const seconds = Number(problem.headers['retry-after'] ?? 0)
  const number = problem.extensions.RequestId
  return (
    <Layout title={title} visitor="unknown">
      <header class="lead">
        <h1>{title}</h1>
        <p>{specific(problem) ?? TEXTS[problem.status] ?? (problem.errors?._?.[0] || textOf(problem.detail))}</p>
        {seconds > 0 && <p>{wait(seconds)}</p>}
        {typeof number === 'string' && <p>{rich('comun.refusal.report', { number: <code>{number}</code> })}</p>}
      </header>
      <p class="row">
        {canRetry && (
          <a class="button" href={SAME_PAGE}>
            {t('comun.refusal.retry')}
          </a>
        )}
        {/* it redirects signed-in people to their first page */}
        <a class={canRetry ? 'button secondary' : 'button'} href="/entrar">
          {t('comun.refusal.account')}
        </a>
      </p>
    </Layout>
  )
}

/** The message of a 404 that names what is missing. */
const specific = ({ status, detail }: Problem): string | undefined =>
  status === 404 && !isDefault(detail) ? textOf(detail) : undefined

const isDefault = (detail: Detail): boolean => typeof detail !== 'string' && detail.key === 'problema.notFound'

const wait = (seconds: number): string =>
  seconds < 60
    ? t('comun.refusal.inSeconds', { seconds })
    : t('comun.refusal.inMinutes', { minutes: Math.ceil(seconds / 60) })
