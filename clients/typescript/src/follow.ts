import type { Client } from './methods.ts'
import type { WebhookEvent } from './operations.ts'
import { ConnectionError, ProblemError, RodadoError } from './problems.ts'
import { sleep } from './retry.ts'

export interface FollowOptions {
  /** Where to continue: the last `next`. By default the oldest stored event; `fin` is now. */
  cursor?: string
  /** How long to wait if there is nothing new; 2 s by default. */
  everyMs?: number
  /** Ends if there is nothing new, instead of waiting. */
  once?: boolean
  signal?: AbortSignal
}

/** Some events, and the cursor to store once they are processed. */
export interface Followed {
  events: WebhookEvent[]
  next: string
}

/**
 * Follows the feed without a webhook and without missing events. It waits for an unavailable server, unless it reads only
 * once.
 */
export async function* followEvents(
  client: Pick<Client, 'listarEventos'>,
  { cursor, everyMs = 2000, once = false, signal }: FollowOptions = {},
): AsyncGenerator<Followed, void, undefined> {
  let at = cursor
  while (!signal?.aborted) {
    const page = await client
      .listarEventos(at === undefined ? {} : { cursor: at }, signal ? { signal } : {})
      .catch((error) => {
        if (signal?.aborted) return undefined
        if (once || !isOutage(error)) throw error
        return 'away' as const
      })
    if (page === 'away') {
      await sleep(everyMs, signal).catch(() => undefined)
      continue
    }
    if (signal?.aborted) return
    const next = cursorOf(page?._links?.next?.href)
    if (!page || next === null) throw new RodadoError('The answer is not a page of the feed: it has no next cursor.')
    at = next
    if (page._entries.length > 0) yield { events: page._entries, next: at }
    else if (once) return
    else await sleep(everyMs, signal).catch(() => undefined)
  }
}

const cursorOf = (href = ''): string | null => new URL(href, 'http://here').searchParams.get('cursor')

const isOutage = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof ProblemError && (error.status >= 500 || error.status === 429))
