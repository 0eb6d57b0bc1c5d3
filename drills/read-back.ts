import { callerFor } from '../tests/support/caller.ts'
import type { Market } from './workload.ts'

const DAY_MS = 86_400_000
const CONSULTAS = 3
const SHOWN = 300

/** Responses by path. */
type Responses = Map<string, unknown>

/** The responses for past data, and how many list entries and single inquiries they cover. */
interface Past {
  responses: Responses
  agencias: number
  publicaciones: number
  consultas: number
  each: number
}

/** Reads data from before today, which today's requests do not change. Throws if a request is refused. */
export async function readBack(url: string, market: Market): Promise<Past> {
  const caller = callerFor(url, market.AppKey, market.AppSecret)
  const responses: Responses = new Map()
  const past: Past = { responses, agencias: 0, publicaciones: 0, consultas: 0, each: 0 }
  const read = async (path: string): Promise<{ _entries?: { _links: Links }[] }> => {
    const { status, text, json } = await caller.get(path)
    if (status !== 200) throw new Error(`${url}${path} was refused: ${status} ${text.slice(0, SHOWN)}`)
    responses.set(path, json)
    return json
  }
  // Two days ago is past in every time zone.
  const day = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10)
  past.agencias += count(await read('/v3/agencias'))
  for (const [at, mail] of market.Agencias.entries()) {
    await read(`/v3/agencias/${mail}`)
    if (at > 0) past.publicaciones += count(await read(`/v3/publicaciones/${mail}`)) // the workload publishes for the first
    const page = await read(`/v3/consultas/${mail}?hasta=${day}`)
    past.consultas += count(page)
    for (const { _links } of page._entries?.slice(0, CONSULTAS) ?? []) {
      await read(_links.self.href)
      past.each++
    }
  }
  return past
}

const count = ({ _entries = [] }: { _entries?: unknown[] }): number => _entries.length

/** The kinds of data that are missing, so that there is nothing to compare. */
export const emptyLists = ({ responses, ...counts }: Past, agencias: number): string[] =>
  Object.entries({ ...counts, agencias: Math.floor(counts.agencias / agencias) }).flatMap(([name, count]) =>
    count > 0 ? [] : [name],
  )

interface Links {
  self: { href: string }
}

/** The paths whose response has changed. Added fields are no change. */
export const changedPaths = (before: Responses, after: Responses): string[] =>
  [...before].filter(([path, value]) => !includes(after.get(path), value)).map(([path]) => path)

function includes(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && whole.length === part.length && part.every((each, at) => includes(whole[at], each))
  if (part === null || typeof part !== 'object') return whole === part
  if (whole === null || typeof whole !== 'object') return false
  return Object.entries(part).every(([name, value]) => includes((whole as Record<string, unknown>)[name], value))
}
