import type { Call } from './call.ts'
import type { Operations, SiteOperations } from './operations.ts'

/** What a call may be asked with, beside its parameters and its body. */
export interface Options {
  /** Which form of the answer: the whole entry, its reference, or, for an inquiry, the ADF lead. */
  as?: 'entry' | 'ref' | 'adf'
  /** Only if it is still as it was read: 412 otherwise. */
  ifMatch?: string
  /** Only if it has changed: otherwise the answer is `undefined`, with status 304. */
  ifNoneMatch?: string
  /** The same key is the same request, however often it is sent (`recibirConsulta`). */
  idempotencyKey?: string
  signal?: AbortSignal
}

type All = Operations & SiteOperations
/** The forms that an operation has. */
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

/** One method for each endpoint, named by its operation: parameters, then body, then options. */
type Methods<Ops extends keyof All> = {
  // Without options there is nothing to choose, and the entry is given.
  [Op in Ops]: <const O extends OptionsOf<Op> = Record<never, never>>(
    ...given: [...Params<Op>, ...Body<Op>, options?: O]
  ) => Call<Given<Op, O>>
}

/** The partner API. */
export type Client = Methods<keyof Operations> & Requester
/** What the marketplace's own site calls. */
export type SiteClient = Methods<keyof SiteOperations> & Requester

interface Requester {
  /** Any address of the API, such as a link of an answer; typed by whoever calls. */
  request<T>(method: string, href: string, more?: { body?: unknown } & Options): Call<T>
}
