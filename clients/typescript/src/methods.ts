import type { Call } from './call.ts'
import type { Operations, SiteOperations } from './operations.ts'

/** Options of a call besides its parameters and body. */
export interface Options {
  /** The representation: the whole entry, its reference, or the ADF lead of an inquiry. */
  as?: 'entry' | 'ref' | 'adf'
  /** Only if unchanged: 412 otherwise. */
  ifMatch?: string
  /** Only if changed: otherwise the result is `undefined`, with status 304. */
  ifNoneMatch?: string
  /** Requests with the same key are the same request (`recibirConsulta`). */
  idempotencyKey?: string
  /** More headers; they replace the client's own, except those that authenticate. */
  headers?: Record<string, string>
  /** The timeout of each attempt, instead of the client's. */
  timeoutMs?: number
  signal?: AbortSignal
}

type All = Operations & SiteOperations
/** The representations of an operation. */
interface Forms<Op extends keyof All> {
  entry: All[Op]['entry']
  ref: All[Op] extends { ref: infer R } ? R : never
  adf: All[Op] extends { adf: infer A } ? A : never
}
type FormOf<Op extends keyof All> = {
  [Form in keyof Forms<Op>]: [Forms<Op>[Form]] extends [never] ? never : Form
}[keyof Forms<Op>]
type OptionsOf<Op extends keyof All> = Omit<Options, 'as' | 'idempotencyKey'> & { as?: FormOf<Op> } & (All[Op] extends {
    idempotent: true
  }
    ? Pick<Options, 'idempotencyKey'>
    : unknown)
type Chosen<O> = O extends { as: infer Form extends string } ? Form : 'entry'
type Given<Op extends keyof All, O> =
  | Forms<Op>[Chosen<O> & keyof Forms<Op>]
  | (O extends { ifNoneMatch: string | undefined } ? undefined : never)
type Body<Op extends keyof All> = All[Op] extends { body: infer B } ? [body: B] : []
type Params<Op extends keyof All> = All[Op] extends { params: infer P }
  ? object extends P
    ? Body<Op> extends []
      ? [params?: P]
      : [params: P]
    : [params: P]
  : []

/** One method for each operation: parameters, then body, then options. */
type Methods<Ops extends keyof All> = {
  // Without options the result is the entry.
  [Op in Ops]: <const O extends OptionsOf<Op> = Record<never, never>>(
    ...given: [...Params<Op>, ...Body<Op>, options?: O]
  ) => Call<Given<Op, O>>
}

/** The partner API. */
export type Client = Methods<keyof Operations> & Requester
/** The site API. */
export type SiteClient = Methods<keyof SiteOperations> & Requester

interface Requester {
  /** Any path of the API, such as a link from a response; the caller gives the type. */
  request<T>(method: string, href: string, more?: { body?: unknown } & Options): Call<T>
}
