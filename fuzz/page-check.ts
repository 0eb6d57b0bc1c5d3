import { MARK } from '../tests/isolation/fixture.ts'
import { type Fault, isBusy } from './check.ts'
import type { Answer } from './connection.ts'
import type { PageAction } from './page-actions.ts'

const STATUSES = [200, 201, 303, 304, 400, 403, 404, 405, 409, 410, 412, 413, 415, 429, 431]
const HEADERS = ['x-request-id', 'content-security-policy', 'x-content-type-options', 'referrer-policy']

/** The pages for each role; anonymous visitors have the public ones. */
const BEHIND: Record<PageAction['role'], RegExp> = {
  anonymous: /^\/(?!cuenta|portal|consola)/,
  passwordOnly: /^\/(?!cuenta|portal|consola)/,
  agency: /^\/cuenta/,
  vendedor: /^\/cuenta/,
  developer: /^\/portal/,
  desarrollador: /^\/portal/,
  staff: /^\/consola/,
}

/** A page that only the role may open: if it is refused, the role has lost its access to another request. */
export const START_PAGES: Partial<Record<PageAction['role'], string>> = {
  agency: '/cuenta/datos',
  vendedor: '/cuenta/consultas',
  developer: '/portal/:appKey/webhooks/:topic',
  desarrollador: '/portal/:appKey/webhooks/:topic',
  staff: '/consola',
}

/** True if a page was shown or a form accepted where only that role is admitted. */
export function wasAdmitted({ role }: PageAction, target: string, { status, headers }: Answer): boolean {
  if (!BEHIND[role].test(target)) return false
  return status === 200 || status === 201 || (status === 303 && !headers.get('location')?.startsWith('/entrar'))
}

/** Pages that show public data of any tenant: a listing, and an app that asks for access. */
const SHOWN_TO_ALL = /^\/(aviso|conectar)\//

/** The fault of a page's response. Pages have no contract but these rules. */
export function pageFault(action: PageAction, target: string, answer: Answer | undefined): Fault | undefined {
  if (!answer) return { kind: 'silence', message: 'the connection was closed without an answer' }
  const { status, headers, body } = answer
  const text = body.toString('utf8')
  if (isBusy(answer)) return undefined
  if (status >= 500)
    return { kind: 'server error', message: `${status} ${/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? text.slice(0, 200)}` }
  if (!STATUSES.includes(status)) return { kind: 'status', message: `${status} is not a status of a page` }
  if (target.length > 16_000 || status === 431) return undefined // answered by Node before any page
  const missing = HEADERS.find((name) => !headers.has(name))
  if (missing && !/^\/(openapi|assets)/.test(target)) return { kind: 'header', message: `${status} without ${missing}` }
  const location = headers.get('location')
  if (location !== undefined && !/^(\/(?![/\\])|http:\/\/rodado\.test\/)/.test(location))
    return { kind: 'page', message: `redirects to ${location}` }
  if (text.includes('<xss-7>') && /html/.test(headers.get('content-type') ?? ''))
    return { kind: 'page', message: 'shows user input as markup' }
  if (action.role !== 'staff' && text.includes(MARK) && !SHOWN_TO_ALL.test(target))
    return { kind: 'foreign', message: `the ${action.role} sees a record of another tenant` }
  return undefined
}
