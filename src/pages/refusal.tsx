import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import { toProblem } from '../http/errors.ts'
import { vary } from '../http/language.ts'
import { chooseType } from '../http/negotiation.ts'
import { type Detail, PROBLEM_TYPE, type Problem } from '../http/problems.ts'
import { rich, t, textOf, textOrElse } from '../i18n/messages.tsx'
import { type Nav, SideNav } from './app-shell.tsx'
import { Layout } from './layout.tsx'
import { page } from './page.ts'
import { publicHref } from './public-href.ts'
import { setSecurityHeaders } from './security.ts'

/** Statuses after which a retry may succeed. */
const RETRYABLE = new Set([429, 500, 503])
/** An empty href is the current address; repeating it would put a stranger's text in a link. */
const SAME_PAGE = ''

/** Who is signed in, and the navigation of the pages that the address is among. */
export interface Menu {
  account: Account
  nav: Nav | undefined
}

type FindMenu = (request: FastifyRequest) => Promise<Menu | undefined>

export function respondWithPages(app: FastifyInstance, findMenu?: FindMenu): void {
  app.setErrorHandler((error: FastifyError, request, reply) => refuse(reply, toProblem(error, request), findMenu))
}

/**
 * The refusal of an unknown address: a page for browsers, problem+json for programs. Browsers that return to the answer to a
 * form, for example after the language was changed there, are led to the page `above`.
 */
export async function sendNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  above: string | undefined,
  findMenu?: FindMenu,
): Promise<FastifyReply> {
  if (chooseType(request.headers.accept, [PROBLEM_TYPE, 'application/json', 'text/html']) !== 'text/html') throw problem
  vary(setSecurityHeaders(reply), 'Accept')
  return above ? reply.header('cache-control', 'no-store').redirect(above, 303) : refuse(reply, problem, findMenu)
}

async function refuse(reply: FastifyReply, problem: Problem, findMenu?: FindMenu): Promise<FastifyReply> {
  const { request } = reply
  // A fault of ours may be the database's: the page must not need it.
  const menu = problem.status < 500 ? await findMenu?.(request).catch(() => undefined) : undefined
  reply.headers(problem.headers).header('cache-control', 'no-store')
  const canRetry = request.method === 'GET' && RETRYABLE.has(problem.status) // which a link can repeat
  return page(reply, <Refusal problem={problem} canRetry={canRetry} menu={menu} />, problem.status)
}

function Refusal({ problem, canRetry, menu }: { problem: Problem; canRetry: boolean; menu: Menu | undefined }) {
  const title = textOrElse(`comun.refusal.${problem.status}.title`, t('comun.refusal.other'))
  const said = faultsOf(problem) || textOf(problem.detail)
  const seconds = Number(problem.headers['retry-after'] ?? 0)
  const number = problem.extensions.RequestId
  return (
    <Layout
      title={title}
      visitor={menu?.account ?? 'unknown'}
      aside={menu?.nav && <SideNav nav={menu.nav} current={undefined} />}
    >
      <div class={menu?.nav ? undefined : 'narrow'}>
        <header class="lead">
          <h1>{title}</h1>
          <p>{specific(problem) ?? textOrElse(`comun.refusal.${problem.status}.text`, said)}</p>
          {seconds > 0 && <p>{wait(seconds)}</p>}
          {number !== undefined && <p>{rich('comun.refusal.report', { number: <code>{number}</code> })}</p>}
        </header>
        <p class="row">
          {canRetry && (
            <a class="button" href={SAME_PAGE}>
              {t('comun.refusal.retry')}
            </a>
          )}
          {/* both redirect signed-in people to their first page */}
          <a class={canRetry ? 'button secondary' : 'button'} href={menu ? '/entrar' : publicHref('/')}>
            {menu ? toHome(menu.account) : t('comun.refusal.home')}
          </a>
        </p>
      </div>
    </Layout>
  )
}

const toHome = ({ staff, develops }: Account): string =>
  t(staff ? 'comun.refusal.console' : develops ? 'comun.refusal.portal' : 'comun.refusal.account')

/** What is wrong, for a form that does not show it itself. */
const faultsOf = ({ errors = {} }: Problem): string => Object.values(errors).flat().join(' ')

/** The message of a 404 that names what is missing. */
const specific = ({ status, detail }: Problem): string | undefined =>
  status === 404 && !isDefault(detail) ? textOf(detail) : undefined

const isDefault = (detail: Detail): boolean => typeof detail !== 'string' && detail.key === 'problema.notFound'

const wait = (seconds: number): string =>
  seconds < 60
    ? t('comun.refusal.inSeconds', { seconds })
    : t('comun.refusal.inMinutes', { minutes: Math.ceil(seconds / 60) })
