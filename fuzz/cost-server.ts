// The server that `npm run fuzz -- --cost` measures, in its own process, so that the client's CPU time does not count.

import { runWithCleanup } from '../drills/cleanup.ts'
import { hashPassword } from '../src/accounts/password.ts'
import { FORMS, THEIRS } from '../tests/isolation/forms.ts'
import { PAGES, ROLES, type Statuses } from '../tests/isolation/pages.ts'
import { createUsers, type Users } from '../tests/isolation/users.ts'
import { newMail } from '../tests/support/agencia.ts'
import { stopAtCleanup } from '../tests/support/own-postgres.ts'
import { steppingClock } from '../tests/support/stepping-clock.ts'
import { makeAccount, visitor } from '../tests/support/visitor.ts'
import type { Keys } from './encode.ts'
import { type Fixture, openFixture } from './fixture.ts'
import { formsOf } from './forms.ts'

/** A page or form, for a user who may use it. */
export interface PageTarget {
  /** The route as declared. */
  route: string
  path: string
  cookie: string
  /** The fields of a form with their values, or the query parameters of a page. */
  fields: [string, string][]
}

/** What the client needs to send accepted requests. */
export interface Scene {
  url: string
  /** The credentials and placeholder values for test mode, and for all other operations. */
  callers: Record<'test' | 'usual', { keys: Keys; records: Record<string, string> }>
  pages: PageTarget[]
  forms: PageTarget[]
  /** GET routes that are neither in the contract nor pages. */
  others: string[]
  /** CPU time of one password hash. */
  hashingMs: number
}

export type ToServer = 'cpu' | 'renew'
export type FromServer = { ready: true } | { cpuMs: number } | { scene: Scene }

const THINGS = ['mail', 'helper', 'sid', 'ext', 'aviso', 'place', 'event', 'app-key', 'app-secret', 'today', 'cursor']
/** Every limit is full again at the next request: the costliest request is one that is admitted. */
const HOUR_MS = 3_600_000
const USUAL_NAMES = ['q', 'pagina']
const USUAL_FIELDS: [string, string][] = ['Email', 'Nombre', 'Clave'].map((name) => [name, '1'])

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function sceneOf(fixture: Fixture): Promise<Scene> {
  const { server } = fixture
  await fixture.renew()
  const app = await server.newApp()
  const users = await createUsers(server, app)
  const links = await linksOf(fixture, users)
  const pathOf = (route: string) =>
    route.includes(':token') ? route.replace(':token', links[route.split('/')[1] ?? ''] ?? 'none') : users.pathOf(route)
  const caller = (target: string) => {
    const request = { target, about: { whose: 'own', which: 0 } } as Parameters<Fixture['fill']>[0]
    const fill = fixture.fill(request)
    return {
      keys: fixture.keysFor(request),
      records: Object.fromEntries(
        [...THINGS, ...THINGS.map((name) => `foreign-${name}`)].map((n) => [n, fill(`«${n}»`)]),
      ),
    }
  }
  const roleOf = (statuses: Statuses, ...wanted: string[]) =>
    wanted.map((status) => ROLES.find((role) => statuses[role] === status)).find(Boolean) ?? 'anonymous'
  const pages: PageTarget[] = []
  const offered = new Map<string, [string, string][]>()
  for (const [route, statuses] of PAGES) {
    const who = users.visitors[roleOf(statuses, '200', '409')]
    const path = pathOf(route)
    const { text } = await who.get(path)
    for (const { action, fields } of formsOf(text, path)) offered.set(action.split('?', 1)[0] ?? '', fields)
    const linked = [...text.matchAll(/[?&](?:amp;)?([a-z]+)=|<(?:input|select)\b[^>]*?\sname="([a-z]+)"/g)]
    const names = new Set([...USUAL_NAMES, ...linked.map(([, link, field]) => link ?? field ?? '')])
    pages.push({ route, path, cookie: who.cookie(), fields: [...names].map((name) => [name, '']) })
  }
  const forms = [...FORMS].map(([route, statuses]): PageTarget => {
    const path = pathOf(route)
    // An accepted form uses up its link, and later requests would be refused before they are read.
    const invalid = ([name, value]: [string, string]): [string, string] => [name, name === 'Clave' ? 'x' : value]
    const found = offered.get(path) ?? USUAL_FIELDS
    const fields = route.includes(':token') ? found.map(invalid) : found
    return { route, path, cookie: users.visitors[roleOf(statuses, THEIRS)].cookie(), fields }
  })
  const others = server.routes
    .filter(({ method, url }) => method === 'GET' && !PAGES.has(url) && !/^\/(v3|interno)\b/.test(url))
    .map(({ url }) => url)
  return {
    url: server.url,
    pages,
    forms,
    others: [...new Set(others)],
    hashingMs: await hashingMs(),
    callers: { test: caller('/v3/prueba/consultas'), usual: caller('/v3/agencias') },
  }
}

/** A new one-time link of each kind, by the first segment of its path. */
async function linksOf({ server }: Fixture, users: Users): Promise<Record<string, string>> {
  const { agency, developer, staff } = users.visitors
  const { email } = await makeAccount(server, { email: newMail('olvido') })
  const app = await server.newApp()
  await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: newMail('invitada') }) })
  await visitor(server).post('/clave', { Email: email })
  await agency.post('/cuenta/colaboradores', { Email: newMail('colabora') })
  await developer.post(users.pathOf('/portal/:appKey/equipo'), { Email: newMail('equipo'), Rol: 'desarrollador' })
  await staff.post('/consola/personal', { Email: newMail('personal') })
  const emails = (await server.emails()).map((email) => JSON.stringify(email)) // newest first
  return Object.fromEntries(
    ['registro', 'baja', 'clave', 'colaborar', 'equipo', 'personal'].map((kind) => {
      const found = emails.map((text) => new RegExp(`test/${kind}/([\\w.~-]{20,})`).exec(text)?.[1]).find(Boolean)
      if (!found) throw new Error(`no email has a link to /${kind}/`)
      return [kind, found]
    }),
  )
}

async function hashingMs(): Promise<number> {
  const costs: number[] = []
  for (let at = 0; at < 3; at++) {
    const before = cpuMs()
    await hashPassword('una frase larga')
    costs.push(cpuMs() - before)
  }
  return Math.max(...costs)
}

await runWithCleanup(async ({ defer, end }) => {
  const abandoned = () => void end(() => process.exit(1))
  process.once('disconnect', abandoned)
  if (!process.connected) abandoned()
  const options = { nowMs: steppingClock(HOUR_MS), env: { TRUST_PROXY: '127.0.0.0/8' } }
  const fixture = await stopAtCleanup(defer, openFixture(options), (opened) => opened.stop())
  const send = (message: FromServer) => void process.send?.(message)
  process.on('message', (message: ToServer) => {
    if (message === 'cpu') send({ cpuMs: cpuMs() })
    else void sceneOf(fixture).then((scene) => send({ scene }))
  })
  send({ ready: true })
  return new Promise(() => undefined) // until the cleanup
})
