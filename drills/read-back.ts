import { callerFor } from '../tests/support/caller.ts'
import type { Market } from './trade.ts'

const DAY_MS = 86_400_000
const INQUIRIES = 3

/** What partners are told of the past, by address. */
export type Told = Map<string, unknown>

/** Reads what was there before this day, which nothing that happens today changes. */
export async function readBack(url: string, market: Market): Promise<Told> {
  const caller = callerFor(url, market.AppKey, market.AppSecret)
  const told: Told = new Map()
  const read = async (path: string) => {
    const { status, text } = await caller.get(path)
    told.set(path, status === 200 ? JSON.parse(text) : `${status} ${text}`)
    return told.get(path)
  }
  // Two days ago is past in every time zone.
  const past = new Date(Date.now() - 2 * DAY_MS).toISOString().slice(0, 10)
  await read('/v3/agencias')
  for (const [at, mail] of market.Agencias.entries()) {
    await read(`/v3/agencias/${mail}`)
    if (at > 0) await read(`/v3/publicaciones/${mail}`) // the first is where the trade goes on
    const page = (await read(`/v3/consultas/${mail}?hasta=${past}`)) as { _entries?: { _links: Links }[] }
    for (const { _links } of page._entries?.slice(0, INQUIRIES) ?? []) await read(_links.self.href)
  }
  return told
}

interface Links {
  self: { href: string }
}

/** The addresses at which what was said is not said any more, or otherwise; what is added is no change. */
export const retold = (before: Told, after: Told): string[] =>
  [...before].filter(([path, value]) => !includes(after.get(path), value)).map(([path]) => path)

function includes(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && whole.length === part.length && part.every((each, at) => includes(whole[at], each))
  if (part === null || typeof part !== 'object') return whole === part
  if (whole === null || typeof whole !== 'object') return false
  return Object.entries(part).every(([name, value]) => includes((whole as Record<string, unknown>)[name], value))
}
