import fc from 'fast-check'
import type { Fault } from './check.ts'
import { openJournal } from './journal.ts'
import type { Asking, Surface } from './surface.ts'

/** A fault with the smallest request that still shows it. */
export interface Found extends Fault {
  curl: string
  seed: number
}

/** What a campaign did, and what it found. */
export interface Totals {
  requests: number
  byStatus: Record<string, number>
  /** How many each operation took, or each role got done. */
  taken: Record<string, number>
  /** Answers of 503 that said when to come again, and any other from 500 on: each of them, not each kind. */
  announced: number
  serverErrors: number
  /** Requests that were refused or cut off twice, the second time with nothing else under way: nothing was written then. */
  refusals: number
  found: Found[]
}

export interface CampaignOptions {
  requests: number
  seed: number
  /** Ends after so many faults; each costs the time of shrinking. */
  mostFaults?: number
  onProgress?(totals: Totals): void
}

const BATCH = 256
const AT_ONCE = 32
const RENEW_EVERY = 5
const SHRINKING_MS = 15_000

/** Asks a surface until there were as many requests, and looks at each answer and at what it left behind. */
export async function campaign<T>(
  surface: Surface<T>,
  { requests, seed, mostFaults = 5, onProgress }: CampaignOptions,
): Promise<Totals> {
  const totals: Totals = {
    ...{ requests: 0, byStatus: {}, taken: {}, refusals: 0, found: [] },
    ...{ announced: 0, serverErrors: 0 },
  }
  const journal = await openJournal(surface.store)
  const known = new Set<string>()

  async function ask(asked: T): Promise<Asking> {
    const asking = await surface.ask(asked)
    totals.requests++
    totals.byStatus[asking.status] = (totals.byStatus[asking.status] ?? 0) + 1
    const { takenBy, status, fault } = asking
    if (takenBy) totals.taken[takenBy] = (totals.taken[takenBy] ?? 0) + 1
    if (fault?.kind === 'server error') totals.serverErrors++
    else if (status >= 500) totals.announced++
    return asking
  }

  /** The smallest request that shows the same kind of fault; fast-check finds the batch's request again by its place. */
  async function shrink(batchSeed: number, at: number, fault: Fault): Promise<Omit<Found, 'seed'> | undefined> {
    let smallest: Omit<Found, 'seed'> | undefined
    const property = fc.asyncProperty(surface.any, async (asked) => {
      const again = await ask(asked)
      if (again.fault?.kind !== fault.kind) return
      smallest = { ...again.fault, curl: again.curl() }
      throw new Error(again.fault.says)
    })
    const limits = { numRuns: 1, interruptAfterTimeLimit: SHRINKING_MS }
    await fc.check(property, { seed: batchSeed, path: String(at), ...limits })
    return smallest
  }

  /** Of faults that are alike the first is enough. */
  function isKnown({ kind, says }: Fault): boolean {
    const like = `${kind} ${says.replace(/\d+/g, '#').slice(0, 80)}`
    if (known.has(like)) return true
    known.add(like)
    return false
  }

  async function note(batchSeed: number, askings: Asking[]): Promise<void> {
    for (const [at, { fault, curl }] of askings.entries()) {
      if (!fault || totals.found.length >= mostFaults || isKnown(fault)) continue
      const smallest = await shrink(batchSeed, at, fault)
      totals.found.push({ ...(smallest ?? { ...fault, says: `${fault.says} (once)`, curl: curl() }), seed: batchSeed })
    }
  }

  /** What was refused is sent once more without the rest: nothing may be written then. */
  async function refuseAgain(batchSeed: number, refused: T[], tries = 3): Promise<void> {
    await journal.take()
    const askings = await eachOf(refused, ask)
    const changed = await journal.take()
    for (const { fault, curl } of askings)
      if (fault && !isKnown(fault))
        totals.found.push({ ...fault, says: `${fault.says} (once)`, curl: curl(), seed: batchSeed })
    const still = refused.filter((_, at) => wasRefused(askings[at]))
    if (still.length < refused.length) {
      // Some were taken this time, so something may have changed: those that are still refused, without them.
      return still.length > 0 && tries > 1 ? refuseAgain(batchSeed, still, tries - 1) : undefined
    }
    totals.refusals += refused.length
    if (changed.length === 0) return
    for (const asked of refused) {
      const { status, curl } = await ask(asked)
      const alone = await journal.take()
      if (!wasRefused({ status }) || alone.length === 0) continue
      const says = `${alone.join(', ')} changed, though it was ${status ? `refused with ${status}` : 'never whole'}`
      return void totals.found.push({ kind: 'half written', says, curl: curl(), seed: batchSeed })
    }
    const says = `${changed.join(', ')} changed, though all of ${refused.length} were refused; none did so alone`
    totals.found.push({ kind: 'half written', says, curl: '', seed: batchSeed })
  }

  let theirs = await surface.foreign()
  async function lookAtForeign(batchSeed: number): Promise<void> {
    const now = await surface.foreign()
    if (now !== theirs)
      totals.found.push({ kind: 'foreign', says: 'rows of another app or mode changed', curl: '', seed: batchSeed })
    theirs = now
  }

  for (let turn = 0; totals.requests < requests && totals.found.length < mostFaults; turn++) {
    const batchSeed = seed + turn
    const size = Math.min(BATCH, requests - totals.requests)
    const batch = fc.sample(surface.any, { seed: batchSeed, numRuns: size })
    const askings = await eachOf(batch, ask)
    await note(batchSeed, askings)
    const refused = batch.filter((asked, at) => surface.changes(asked) && wasRefused(askings[at]))
    if (refused.length > 0) await refuseAgain(batchSeed, refused)
    if (turn % RENEW_EVERY === RENEW_EVERY - 1 || (await surface.isSpoilt?.())) {
      await lookAtForeign(batchSeed)
      await surface.renew()
      theirs = await surface.foreign()
    }
    onProgress?.(totals)
  }
  await lookAtForeign(seed)
  return totals
}

/** What has no answer at all was never whole, or is a fault by itself: it may leave no more behind than what is refused. */
const wasRefused = (asking: Pick<Asking, 'status'> | undefined): boolean =>
  asking !== undefined && (asking.status === 0 || asking.status >= 400)

/** All of them, a few at a time; answers in the order of the questions. */
async function eachOf<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [at, item] of rest) results[at] = await work(item)
    }),
  )
  return results
}
