import fc from 'fast-check'
import type { Fault } from './check.ts'
import { openJournal } from './journal.ts'
import type { Result, Surface } from './surface.ts'

/** A fault with the smallest request that shows it. */
export interface Found extends Fault {
  curl: string
  seed: number
}

/** The totals and findings of a campaign. */
export interface Totals {
  requests: number
  byStatus: Record<string, number>
  /** Accepted requests by operation or role. */
  accepted: Record<string, number>
  /** 503 answers with Retry-After, and any other 5xx: every answer counts. */
  announced: number
  serverErrors: number
  /** Requests refused or cut off a second time, without others in flight, that wrote nothing. */
  refusals: number
  found: Found[]
}

export const noTotals = (): Totals => ({
  requests: 0,
  byStatus: {},
  accepted: {},
  refusals: 0,
  found: [],
  announced: 0,
  serverErrors: 0,
})

interface CampaignOptions {
  requests: number
  seed: number
  onProgress?(totals: Totals): void
}

/** Stops after so many faults, since shrinking each takes time. */
const MAX_FAULTS = 5
const BATCH = 256
const AT_ONCE = 32
const RENEW_EVERY = 5
const SHRINKING_MS = 15_000

/** Sends requests to a surface and checks each response and its side effects. */
export async function campaign<T>(
  surface: Surface<T>,
  { requests, seed, onProgress }: CampaignOptions,
): Promise<Totals> {
  const totals = noTotals()
  const journal = await openJournal(surface.store)
  const known = new Set<string>()

  async function send(request: T): Promise<Result> {
    const result = await surface.send(request)
    totals.requests++
    totals.byStatus[result.status] = (totals.byStatus[result.status] ?? 0) + 1
    const { acceptedBy, status, fault } = result
    if (acceptedBy) totals.accepted[acceptedBy] = (totals.accepted[acceptedBy] ?? 0) + 1
    if (fault?.kind === 'server error') totals.serverErrors++
    else if (status >= 500) totals.announced++
    return result
  }

  /** Finds the smallest request with the same kind of fault. fast-check finds the request by its index in the batch. */
  async function shrink(batchSeed: number, at: number, fault: Fault): Promise<Omit<Found, 'seed'> | undefined> {
    let smallest: Omit<Found, 'seed'> | undefined
    const property = fc.asyncProperty(surface.any, async (request) => {
      const again = await send(request)
      if (again.fault?.kind !== fault.kind) return
      smallest = { ...again.fault, curl: again.curl() }
      throw new Error(again.fault.message)
    })
    const limits = { numRuns: 1, interruptAfterTimeLimit: SHRINKING_MS }
    await fc.check(property, { seed: batchSeed, path: String(at), ...limits })
    return smallest
  }

  /** True for a fault like an earlier one. */
  function isKnown({ kind, message }: Fault): boolean {
    const like = `${kind} ${message.replace(/\d+/g, '#').slice(0, 80)}`
    if (known.has(like)) return true
    known.add(like)
    return false
  }

  async function record(batchSeed: number, results: Result[]): Promise<void> {
    for (const [at, { fault, curl }] of results.entries()) {
      if (!fault || totals.found.length >= MAX_FAULTS || isKnown(fault)) continue
      const smallest = await shrink(batchSeed, at, fault)
      totals.found.push({
        ...(smallest ?? { ...fault, message: `${fault.message} (once)`, curl: curl() }),
        seed: batchSeed,
      })
    }
  }

  /** Sends refused requests again without others in flight: nothing may be written. */
  async function resendRefused(batchSeed: number, refused: T[], tries = 3): Promise<void> {
    await journal.take()
    const results = await inParallel(refused, send)
    const changed = await journal.take()
    for (const { fault, curl } of results)
      if (fault && !isKnown(fault))
        totals.found.push({ ...fault, message: `${fault.message} (once)`, curl: curl(), seed: batchSeed })
    const still = refused.filter((_, at) => wasRefused(results[at]))
    if (still.length < refused.length) {
      // Some were accepted this time and may have changed data: resend only those that are still refused.
      return still.length > 0 && tries > 1 ? resendRefused(batchSeed, still, tries - 1) : undefined
    }
    totals.refusals += refused.length
    if (changed.length === 0) return
    for (const request of refused) {
      const { status, curl } = await send(request)
      const alone = await journal.take()
      if (!wasRefused({ status }) || alone.length === 0) continue
      const message = `${alone.join(', ')} changed, though it was ${status ? `refused with ${status}` : 'incomplete'}`
      return void totals.found.push({ kind: 'half written', message, curl: curl(), seed: batchSeed })
    }
    const message = `${changed.join(', ')} changed, though all of ${refused.length} were refused; none did so alone`
    totals.found.push({ kind: 'half written', message, curl: '', seed: batchSeed })
  }

  let theirs = await surface.foreign()
  async function checkForeign(batchSeed: number): Promise<void> {
    const now = await surface.foreign()
    const changed = [...now].filter(([name, digest]) => theirs.get(name) !== digest).map(([name]) => name)
    const message = `rows of another app or mode changed: ${changed.join(', ')}`
    if (changed.length > 0) totals.found.push({ kind: 'foreign', message, curl: '', seed: batchSeed })
    theirs = now
  }

  for (let turn = 0; totals.requests < requests && totals.found.length < MAX_FAULTS; turn++) {
    const batchSeed = seed + turn
    const size = Math.min(BATCH, requests - totals.requests)
    const batch = fc.sample(surface.any, { seed: batchSeed, numRuns: size })
    const results = await inParallel(batch, send)
    await record(batchSeed, results)
    const refused = batch.filter((request, at) => surface.changes(request) && wasRefused(results[at]))
    if (refused.length > 0) await resendRefused(batchSeed, refused)
    const isLast = totals.requests >= requests
    if (!isLast && (turn % RENEW_EVERY === RENEW_EVERY - 1 || (await surface.isUsedUp?.()))) {
      await checkForeign(batchSeed)
      await surface.renew()
      theirs = await surface.foreign()
    }
    onProgress?.(totals)
  }
  await checkForeign(seed)
  return totals
}

/** A request without a response was incomplete, or is a fault by itself. Like a refused one it may change nothing. */
const wasRefused = (result: Pick<Result, 'status'> | undefined): boolean =>
  result !== undefined && (result.status === 0 || result.status >= 400)

/** Runs the work for all items, a few at a time. Results are in the order of the items. */
async function inParallel<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [at, item] of rest) results[at] = await work(item)
    }),
  )
  return results
}
