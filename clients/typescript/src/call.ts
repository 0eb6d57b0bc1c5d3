import type { Links } from './schema.ts'

/** A response with its headers. */
export interface Answer<T> {
  data: T
  status: number
  headers: Headers
  /** For `ifMatch` and `ifNoneMatch`. */
  etag: string | undefined
  location: string | undefined
  requestId: string | undefined
  /** Why bestmatch chose this entry. */
  match: Match | undefined
}

/** The header `Match` of a bestmatch. */
export interface Match {
  rule: string
  /** From 0 to 1. */
  score: number
}

/** A list of entries, by pages or all of them. */
export interface Entries<E> {
  _links: Links
  _entries: E[]
}

type EntryOf<T> = NonNullable<T> extends Entries<infer E> ? E : never

/**
 * A call in progress. Awaited, it gives the response's content. A list can also be iterated with `for await`, entry by entry
 * over all its pages, which are requested on demand.
 */
export type Call<T> = Promise<T> & {
  /** The value with status and headers. */
  withResponse(): Promise<Answer<T>>
} & ([EntryOf<T>] extends [never] ? unknown : Pages<T>)

interface Pages<T> {
  /** Page by page; a feed ends when there is nothing new. */
  pages(): AsyncGenerator<NonNullable<T>, void, undefined>
  [Symbol.asyncIterator](): AsyncGenerator<EntryOf<T>, void, undefined>
}

/** Makes a call from the promise of its response and a function that requests another page. */
export function createCall<T>(answer: Promise<Answer<T>>, ask: (href: string) => Promise<Answer<T>>): Call<T> {
  const call = answer.then(({ data }) => data)
  /** A caller that uses another method of the call gets the error there. */
  const withResponse = () => {
    call.catch(() => undefined)
    return answer
  }

  async function* pages() {
    let { data } = await withResponse()
    while (data) {
      yield data as NonNullable<T>
      const { _links, _entries } = data as Partial<Entries<unknown>>
      const next = _links?.next?.href
      if (!next || !_entries || _entries.length === 0) return
      ;({ data } = await ask(next))
    }
  }
  const extended: Promise<T> & { withResponse(): Promise<Answer<T>> } & Pages<T> = Object.assign(call, {
    withResponse,
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* (page as unknown as Entries<EntryOf<T>>)._entries
    },
  })
  return extended as Call<T>
}
