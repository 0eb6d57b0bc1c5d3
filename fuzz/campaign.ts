import fc from 'fast-check'
import { type Fault, faultOf } from './check.ts'
import { Connection } from './connection.ts'
import { digestOf, openJournal } from './journal.ts'
import { type Asked, anyRequest } from './requests.ts'
import type { Stage } from './stage.ts'
import { asCurl, prepare } from './wire.ts'

/** A fault with the smallest request that still shows it. */
export interface Found extends Fault {
  curl: string
  seed: number
  path: string
}

/** What a campaign did, and what it found. */
export interface Totals {
  requests: number
  byStatus: Map<number, number>
  /** Batches in which only refusals were sent, and nothing may have been written. */
  refusalsChecked: number
  found: Found[]
}

export interface CampaignOptions {
  requests: number
  seed: number
  /** Ends after so many faults; each costs the time of shrinking. */
  mostFaults?: number
  onProgress?(totals: Totals): void
}

const BATCH = 64
const CONNECTIONS = 16
const RENEW_EVERY = 12
const SHRINKING_MS = 15_000
const UNSAFE = /^(POST|PUT|PATCH|DELETE)$/

/** Sends requests to the operations of the contract until there were as many, and compares each answer with it. */
export async function campaign(stage: Stage, options: CampaignOptions): Promise<Totals> {
  const { requests, seed, mostFaults = 5, onProgress } = options
  const { store, url } = stage.server
  const port = Number(new URL(url).port)
  const totals: Totals = { requests: 0, byStatus: new Map(), refusalsChecked: 0, found: [] }
  const journal = await openJournal(store)
  const idle: Connection[] = []
  const seen = new Set<string>()

  /** One request and its answer; faulty or not. */
  async function ask(asked: Asked): Promise<{ fault: Fault | undefined; status: number; curl(): string }> {
    const sent = prepare(asked, stage.keys, stage.fill(asked))
    const odd = asked.framing !== 'length' && asked.framing !== 'chunked'
    const line = (odd ? undefined : idle.pop()) ?? new Connection(port)
    const curl = () => asCurl(sent, url)
    totals.requests++
    try {
      const answer = await line.ask(sent.bytes, { bodiless: asked.method === 'HEAD', last: sent.last })
      const status = answer?.status ?? 0
      totals.byStatus.set(status, (totals.byStatus.get(status) ?? 0) + 1)
      if (!odd && line.open && answer) idle.push(line)
      else line.close()
      return { fault: faultOf(asked, sent, answer), status, curl }
    } catch (error) {
      line.close()
      return { fault: { kind: 'silence', says: (error as Error).message }, status: 0, curl }
    }
  }

  /** The smallest request that shows the same kind of fault. */
  async function shrink(batchSeed: number, at: number, fault: Fault): Promise<Found> {
    let last = { ...fault, curl: '' }
    const property = fc.asyncProperty(anyRequest, async (asked) => {
      const again = await ask(asked)
      if (again.fault?.kind !== fault.kind) return
      last = { ...again.fault, curl: again.curl() }
      throw new Error(again.fault.says)
    })
    const path = String(at)
    await fc.check(property, { seed: batchSeed, path, numRuns: 1, interruptAfterTimeLimit: SHRINKING_MS })
    return { ...last, seed: batchSeed, path }
  }

  async function note(batchSeed: number, batch: Asked[], answers: Awaited<ReturnType<typeof ask>>[]): Promise<void> {
    for (const [at, { fault, curl }] of answers.entries()) {
      if (!fault || totals.found.length >= mostFaults) continue
      const key = `${fault.kind} ${fault.says.replace(/\d+/g, '#').slice(0, 80)}`
      if (seen.has(key)) continue
      seen.add(key)
      const smallest = await shrink(batchSeed, at, fault)
      totals.found.push(smallest.curl ? smallest : { ...smallest, says: `${fault.says} (once)`, curl: curl() })
    }
    void batch
  }

  /** What was refused is sent once more, without the rest: nothing may be written then. */
  async function refusedAgain(batchSeed: number, batch: Asked[]): Promise<void> {
    await journal.take()
    const answers = await eachOf(batch, ask)
    const changed = await journal.take()
    if (answers.some(({ status }, at) => status < 400 && UNSAFE.test(batch[at]?.method ?? ''))) return
    totals.refusalsChecked += batch.length
    if (changed.length === 0) return
    for (const asked of batch) {
      const { status, curl } = await ask(asked)
      const alone = status >= 400 ? await journal.take() : []
      if (alone.length === 0) continue
      const says = `${alone.join(', ')} changed, though it was refused with ${status}`
      return void totals.found.push({ kind: 'half written', says, curl: curl(), seed: batchSeed, path: '' })
    }
    const says = `${changed.join(', ')} changed, though all of ${batch.length} were refused; none did so alone`
    totals.found.push({ kind: 'half written', says, curl: '', seed: batchSeed, path: '' })
  }

  let kept = await digestOf(store, stage.foreign)
  for (let turn = 0; totals.requests < requests && totals.found.length < mostFaults; turn++) {
    const batchSeed = seed + turn
    const size = Math.min(BATCH, requests - totals.requests)
    const batch = fc.sample(anyRequest, { seed: batchSeed, numRuns: size })
    const answers = await eachOf(batch, ask)
    await note(batchSeed, batch, answers)
    const refused = batch.filter((asked, at) => UNSAFE.test(asked.method) && (answers[at]?.status ?? 0) >= 400)
    if (refused.length > 0 && totals.requests < requests) await refusedAgain(batchSeed, refused)
    if (turn % RENEW_EVERY === RENEW_EVERY - 1) {
      const now = await digestOf(store, stage.foreign)
      if (now !== kept)
        totals.found.push({
          kind: 'foreign',
          says: 'rows of another app or mode were changed',
          curl: '',
          seed: batchSeed,
          path: '',
        })
      kept = now
      await stage.renew()
    }
    onProgress?.(totals)
  }
  for (const line of idle) line.close()
  return totals
}

/** All of them, a few at a time; answers in the order of the questions. */
async function eachOf<T, R>(items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (const [at, item] of rest) results[at] = await work(item)
    }),
  )
  return results
}
