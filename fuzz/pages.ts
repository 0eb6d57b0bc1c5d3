import { MARK } from '../tests/isolation/fixture.ts'
import { PAGES, ROLES } from '../tests/isolation/pages.ts'
import { createRecords } from '../tests/isolation/records.ts'
import { createUsers, type Users } from '../tests/isolation/users.ts'
import { startServer } from '../tests/support/server.ts'
import { steppingClock } from '../tests/support/stepping-clock.ts'
import { Connections } from './connection.ts'
import { asCurl } from './encode.ts'
import { type Form, formsFor, isDestructive } from './forms.ts'
import { digestOf } from './journal.ts'
import { anyPageAction, type PageAction } from './page-actions.ts'
import { pageFault, START_PAGES, wasAdmitted } from './page-check.ts'
import { type Surface, withStack } from './surface.ts'

/** The pages and forms, as every role. */
export async function openPages(): Promise<Surface<PageAction>> {
  const server = await startServer({ nowMs: steppingClock(), env: { TRUST_PROXY: '127.0.0.0/8' } })
  const { url, store, routes } = server
  const stranger = await server.newApp({ nombre: MARK })
  const theirs = await createRecords(server, stranger, MARK)
  const strange = new Map([
    ['«agencia»', String(theirs.id)],
    ['«app»', stranger.app.appKey],
    ['«sid»', theirs.sid],
    ['«aviso»', theirs.aviso],
    ['«event»', theirs.event],
  ])
  const connections = new Connections(url)
  const gets = [...PAGES.keys()].sort()
  const posts = routes
    .filter(({ method, url: at }) => method === 'POST' && !/^\/(v3|interno|oauth)/.test(at))
    .map((each) => each.url)
    .sort()
  /** The pages that a role may open, by the table of isolation. */
  const open = (role: PageAction['role']) => gets.filter((page) => PAGES.get(page)?.[role] === '200')
  let users: Users
  let forms: Record<PageAction['role'], Form[]>

  async function renew(): Promise<void> {
    users = await createUsers(server, await server.newApp())
    const seen = await users.visitors.staff.get(`/consola/agencias/${theirs.id}`)
    if (!seen.text.includes(MARK))
      throw new Error(`staff does not see ${MARK}, so its absence elsewhere proves nothing`)
    const found = ROLES.map(async (role) => [role, await formsFor(users.visitors[role], open(role).map(users.pathOf))])
    forms = Object.fromEntries(await Promise.all(found))
  }
  await renew()

  /** The path and body of an action. */
  function fill({ role, kind, which, parts, fields, isValid }: PageAction): { path: string; body: string | undefined } {
    const offered = forms[role].filter((each) => isDestructive(each) === (kind === 'end'))
    const form = offered[which % Math.max(1, offered.length)]
    const route = kind === 'post' || !form ? (posts[which % posts.length] ?? '') : ''
    const pages = isValid ? open(role) : gets
    const path =
      kind === 'page'
        ? users.pathOf(pages[which % pages.length] ?? '')
        : route
          ? users.pathOf(route)
          : (form?.action ?? '')
    const segments = path.split('/')
    const written = parts.filter(({ text }) => !(strange.has(text) && mayReach(role, kind, path)))
    for (const { at, text } of written)
      if (segments.length > 2) segments[2 + (at % (segments.length - 2))] = escaped(strange.get(text) ?? text)
    const filled = route ? [...(form?.fields ?? [])] : (form?.fields ?? []).map((field) => [...field])
    for (const { at, text } of fields) {
      const field = filled[at % Math.max(1, filled.length)]
      if (field) field[1] = text
    }
    const body = filled.map(([name = '', value = '']) => `${escaped(name)}=${escaped(value)}`).join('&')
    return { path: segments.join('/'), body: kind === 'page' ? undefined : body }
  }

  return {
    name: 'pages',
    store,
    any: anyPageAction,
    changes: ({ kind }) => kind !== 'page',
    foreign: () => digestOf(store, { apps: [stranger.app.id], agencias: [theirs.id] }),
    renew,
    async isUsedUp() {
      const startPages = Object.entries(START_PAGES) as [PageAction['role'], string][]
      const answers = await Promise.all(startPages.map(([role, page]) => users.visitors[role].get(users.pathOf(page))))
      return answers.some(({ status }) => status !== 200)
    },
    async send(action) {
      const { path, body } = fill(action)
      const target = action.query ? `${path}${path.includes('?') ? '&' : '?'}${action.query}` : path
      const payload = body === undefined ? undefined : Buffer.from(body + action.more, 'utf8')
      const cookie = users.visitors[action.role].cookie()
      const headers: [string, string][] = [
        ['Host', 'rodado.test'],
        ['Accept', 'text/html'],
        ['X-Forwarded-For', nextAddress()],
        ...(cookie ? [['Cookie', cookie] as [string, string]] : []),
        ...origins(action.origin),
        ...(payload ? FORM_HEADERS : []),
        ...(payload ? [['Content-Length', String(payload.length)] as [string, string]] : []),
      ]
      const method = payload ? 'POST' : 'GET'
      const head = `${method} ${target} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
      const bytes = Buffer.concat([Buffer.from(head, 'latin1'), payload ?? Buffer.alloc(0)])
      const curl = () => asCurl({ method, target, headers, body: payload, bytes, last: false }, url)
      try {
        const answer = await connections.send(bytes, { bodiless: false, last: false, alone: false })
        const fault = withStack(pageFault(action, target, answer), server.logged)
        const acceptedBy = answer && wasAdmitted(action, target, answer) ? action.role : undefined
        return { fault, status: answer?.status ?? 0, acceptedBy, curl }
      } catch (error) {
        return { fault: { kind: 'silence', message: (error as Error).message }, status: 0, curl }
      }
    },
    async stop() {
      connections.close()
      await server.stop()
    },
  }
}

/** Staff may change any tenant's data in the console, an agency may connect any app, and anybody may ask about a listing. */
const mayReach = (role: PageAction['role'], kind: PageAction['kind'], path: string): boolean =>
  kind !== 'page' &&
  (path.startsWith('/aviso/') ||
    (role === 'staff' && path.startsWith('/consola/')) ||
    (role === 'agency' && path.startsWith('/conectar/')))

let sentCount = 0
/** Attempt limits are per address, so each request comes from another one. */
function nextAddress(): string {
  sentCount++
  return `198.18.${(sentCount >> 8) & 255}.${sentCount & 255}`
}

const FORM_HEADERS: [string, string][] = [['Content-Type', 'application/x-www-form-urlencoded']]

const origins = (origin: PageAction['origin']): [string, string][] => {
  if (origin === 'none') return []
  return [['Sec-Fetch-Site', origin === 'same' ? 'same-origin' : 'cross-site']]
}

const escaped = (text: string) => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
