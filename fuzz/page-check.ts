import { MARK } from '../tests/isolation/stage.ts'
import { type Fault, isBusy } from './check.ts'
import type { Answer } from './connection.ts'
import type { PageContext } from './visits.ts'

const STATUSES = [200, 201, 303, 304, 400, 403, 404, 405, 409, 410, 412, 413, 415, 429, 431]
const HEADERS = ['x-request-id', 'content-security-policy', 'x-content-type-options', 'referrer-policy']

/** Behind which door each role has something to do; those who are not signed in have what is open to all. */
const BEHIND: Record<PageContext['role'], RegExp> = {
  anonymous: /^\/(?!cuenta|portal|consola)/,
  halfway: /^\/(?!cuenta|portal|consola)/,
  agency: /^\/cuenta/,
  vendedor: /^\/cuenta/,
  developer: /^\/portal/,
  desarrollador: /^\/portal/,
  staff: /^\/consola/,
}

/** A page behind each of those doors: who is not let in there any more has lost what the others took away. */
export const DOORS: Partial<Record<PageContext['role'], string>> = {
  agency: '/cuenta/datos',
  vendedor: '/cuenta/consultas',
  developer: '/portal/:appKey/webhooks/:topic',
  desarrollador: '/portal/:appKey/webhooks/:topic',
  staff: '/consola',
}

/** Whether a visit came to what it was for: a page was shown, or a form taken, where only that role is let in. */
export function wasLetIn({ role }: PageContext, target: string, { status, headers }: Answer): boolean {
  if (!BEHIND[role].test(target)) return false
  return status === 200 || status === 201 || (status === 303 && !headers.get('location')?.startsWith('/entrar'))
}

/** A listing, and the name of an app that asks to be connected. */
const SHOWN_TO_ALL = /^\/(aviso|conectar)\//

/** What is wrong with the answer to a visit: pages have no contract but these rules. */
export function pageFault(ctx: PageContext, target: string, answer: Answer | undefined): Fault | undefined {
  if (!answer) return { kind: 'silence', says: 'the connection was closed without an answer' }
  const { status, headers, body } = answer
  const text = body.toString('utf8')
  if (isBusy(answer)) return undefined
  if (status >= 500)
    return { kind: 'server error', says: `${status} ${/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? text.slice(0, 200)}` }
  if (!STATUSES.includes(status)) return { kind: 'status', says: `${status} is nothing that a page answers` }
  if (target.length > 16_000 || status === 431) return undefined // Node speaks before any page does
  const missing = HEADERS.find((name) => !headers.has(name))
  if (missing && !/^\/(openapi\.json|assets)/.test(target))
    return { kind: 'header', says: `${status} without ${missing}` }
  const location = headers.get('location')
  if (location !== undefined && !/^(\/(?![/\\])|http:\/\/rodado\.test\/)/.test(location))
    return { kind: 'page', says: `leads to ${location}` }
  if (text.includes('<xss-7>') && /html/.test(headers.get('content-type') ?? ''))
    return { kind: 'page', says: 'shows somebody’s text as markup' }
  if (ctx.role !== 'staff' && text.includes(MARK) && !SHOWN_TO_ALL.test(target))
    return { kind: 'foreign', says: `the ${ctx.role} sees another’s` }
  return undefined
}
