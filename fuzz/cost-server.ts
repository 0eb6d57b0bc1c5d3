// The server that `npm run fuzz -- --cost` measures, in a process of its own: what the client costs is not counted.

import { runWithCleanup } from '../drills/cleanup.ts'
import { hashPassword } from '../src/accounts/password.ts'
import { type Cast, openCast } from '../tests/isolation/cast.ts'
import { FORMS, THEIRS } from '../tests/isolation/forms.ts'
import { PAGES, ROLES, type Statuses } from '../tests/isolation/pages.ts'
import { newMail } from '../tests/support/agencia.ts'
import { everLater } from '../tests/support/ever-later.ts'
import { undone } from '../tests/support/own-server.ts'
import { makeAccount, visitor } from '../tests/support/people.ts'
import { formsOf } from './forms.ts'
import { openStage, type Stage } from './stage.ts'
import type { Keys } from './wire.ts'

/** A page, or a form of one, for somebody who may use it. */
export interface PageTarget {
  /** As it was declared. */
  route: string
  path: string
  cookie: string
  /** The fields of a form, with what they hold; of a page the names in its query. */
  fields: [string, string][]
}

/** What a client needs to send requests that are admitted. */
export interface Scene {
  url: string
  /** Whoever asks for what only test mode has, and everybody else; with what stands for the stage's names. */
  callers: Record<'test' | 'usual', { keys: Keys; things: Record<string, string> }>
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
/** Limits are refilled by the next request: the costliest one is the one that is admitted. */
const HOUR_MS = 3_600_000
const USUAL_NAMES = ['q', 'pagina']
const USUAL_FIELDS: [string, string][] = ['Email', 'Nombre', 'Clave'].map((name) => [name, '1'])

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

async function sceneOf(stage: Stage): Promise<Scene> {
  const { server } = stage
  await stage.renew()
  const app = await server.newApp()
  const cast = await openCast(server, app)
  const links = await linksOf(stage, cast)
  const pathOf = (route: string) =>
    route.includes(':token') ? route.replace(':token', links[route.split('/')[1] ?? ''] ?? 'none') : cast.pathOf(route)
  const caller = (target: string) => {
    const asked = { target, about: { whose: 'own', which: 0 } } as Parameters<Stage['fill']>[0]
    const fill = stage.fill(asked)
    return {
      keys: stage.keysFor(asked),
      things: Object.fromEntries(
        [...THINGS, ...THINGS.map((name) => `foreign-${name}`)].map((n) => [n, fill(`«${n}»`)]),
      ),
    }
  }
  const roleOf = (statuses: Statuses, ...wanted: string[]) =>
    wanted.map((status) => ROLES.find((role) => statuses[role] === status)).find(Boolean) ?? 'anonymous'
  const pages: PageTarget[] = []
  const offered = new Map<string, [string, string][]>()
  for (const [route, statuses] of PAGES) {
    const who = cast.visitors[roleOf(statuses, '200', '409')]
    const path = pathOf(route)
    const { text } = await who.get(path)
    for (const { action, fields } of formsOf(text, path)) offered.set(action.split('?', 1)[0] ?? '', fields)
    const linked = [...text.matchAll(/[?&](?:amp;)?([a-z]+)=|<(?:input|select)\b[^>]*?\sname="([a-z]+)"/g)]
    const names = new Set([...USUAL_NAMES, ...linked.map(([, link, field]) => link ?? field ?? '')])
    pages.push({ route, path, cookie: who.cookie(), fields: [...names].map((name) => [name, '']) })
  }
  const forms = [...FORMS].map(([route, statuses]): PageTarget => {
    const path = pathOf(route)
    // A form that is taken uses its link up: what else is sent there would be refused before it is read.
    const spoilt = ([name, value]: [string, string]): [string, string] => [name, name === 'Clave' ? 'x' : value]
    const found = offered.get(path) ?? USUAL_FIELDS
    const fields = route.includes(':token') ? found.map(spoilt) : found
    return { route, path, cookie: cast.visitors[roleOf(statuses, THEIRS)].cookie(), fields }
  })
  const others = server.routes
    .filter(({ method, url }) => method === 'GET' && !PAGES.has(url) && !/^\/(v3|interno)\b/.test(url))
    .map(({ url }) => url)
  return {
    ...{ url: server.url, pages, forms, others: [...new Set(others)], hashingMs: await hashingMs() },
    callers: { test: caller('/v3/prueba/consultas'), usual: caller('/v3/agencias') },
  }
}

/** A fresh one-time link of each kind, by the first segment of its address. */
async function linksOf({ server }: Stage, cast: Cast): Promise<Record<string, string>> {
  const { agency, developer, staff } = cast.visitors
  const { email } = await makeAccount(server, { email: newMail('olvido') })
  const app = await server.newApp()
  await app.call('POST', '/v3/agencias', { body: JSON.stringify({ AdminMail: newMail('invitada') }) })
  await visitor(server).post('/clave', { Email: email })
  await agency.post('/cuenta/colaboradores', { Email: newMail('colabora') })
  await developer.post(cast.pathOf('/portal/:appKey/equipo'), { Email: newMail('equipo'), Rol: 'desarrollador' })
  await staff.post('/consola/personal', { Email: newMail('personal') })
  const letters = (await server.letters()).map((letter) => JSON.stringify(letter)) // newest first
  return Object.fromEntries(
    ['registro', 'baja', 'clave', 'colaborar', 'equipo', 'personal'].map((kind) => {
      const found = letters.map((text) => new RegExp(`test/${kind}/([\\w.~-]{20,})`).exec(text)?.[1]).find(Boolean)
      if (!found) throw new Error(`no letter has a link to /${kind}/`)
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
  const options = { nowMs: everLater(HOUR_MS), env: { TRUST_PROXY: '127.0.0.0/8' } }
  const stage = await undone(defer, openStage(options), (opened) => opened.stop())
  const tell = (message: FromServer) => void process.send?.(message)
  process.on('message', (asked: ToServer) => {
    if (asked === 'cpu') tell({ cpuMs: cpuMs() })
    else void sceneOf(stage).then((scene) => tell({ scene }))
  })
  tell({ ready: true })
  return new Promise(() => undefined) // until it is ended
})
