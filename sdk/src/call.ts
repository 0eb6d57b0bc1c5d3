import type { Links } from './schema.ts'

/** An answer with what its headers say. */
export interface Answer<T> {
  data: T
  status: number
  headers: Headers
  /** For `ifMatch` and `ifNoneMatch`. */
  etag: string | undefined
  location: string | undefined
  requestId: string | undefined
}

/** A list of entries, by pages or whole. */
export interface Entries<E> {
  _links: Links
  _entries: E[]
}

type EntryOf<T> = NonNullable<T> extends Entries<infer E> ? E : never

/**
 * A call under way: awaited, it gives what was answered. A list may also be gone through with `for await`, entry by
 * entry over all its pages, which are asked for as they are needed.
 */
export type Call<T> = Promise<T> & {
  /** The same with status and headers. */
  withResponse(): Promise<Answer<T>>
} & ([EntryOf<T>] extends [never] ? unknown : Pages<T>)

interface Pages<T> {
  /** One page after the other; a feed ends when there is nothing new. */
  pages(): AsyncGenerator<NonNullable<T>, void, undefined>
  [Symbol.asyncIterator](): AsyncGenerator<EntryOf<T>, void, undefined>
}

/** Makes a call of the promise of its answer, and of the way to ask for another page of it. */
export function createCall<T>(answer: Promise<Answer<T>>, ask: (href: string) => Promise<Answer<T>>): Call<T> {
  const call = answer.then(({ data }) => data)
  /** Whoever takes the answer by another door hears of its failure there. */
  const insteadOf = () => {
    call.catch(() => undefined)
    return answer
  }

  async function* pages() {
    let { data } = await insteadOf()
    while (data) {
      yield data as NonNullable<T>
      const { _links, _entries } = data as Partial<Entries<unknown>>
      const next = _links?.next?.href
      if (!next || !_entries || _entries.length === 0) return
      ;({ data } = await ask(next))
    }
  }
  const made: Promise<T> & { withResponse(): Promise<Answer<T>> } & Pages<T> = Object.assign(call, {
    withResponse: insteadOf,
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* (page as unknown as Entries<EntryOf<T>>)._entries
    },
  })
  return made as Call<T>
}
