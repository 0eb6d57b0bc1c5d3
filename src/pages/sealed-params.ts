import type { Account } from '../accounts/account.ts'
import { orUndefined } from '../memoize.ts'
import type { Seal } from '../store/sealed.ts'
import type { Query } from './params.ts'

/** Begins a sealed value. A value that is searched for may begin with it too, as an ExternalId may. */
const MARK = '~'
/** Also as it is in the path of a call. */
const AT = /@|%40/

/**
 * An email address in the address of a page is sealed for the person who searches: addresses of pages stay in histories
 * and in the logs of proxies (docs/decisions/pages.md).
 */
export interface SealedParams {
  sealMails<Params extends Query>(params: Params): Params
  openMails<Params extends Query>(query: Params): Params
}

export function sealedParams(seal: Seal, { id }: Pick<Account, 'id'>): SealedParams {
  const purpose = `page-address/${id}`
  const sealed = (text: string): string => MARK + seal.seal(text, purpose).toString('base64url')
  /** What does not open is searched for as it is. One of another person, or of a former key, then finds nothing. */
  const opened = (text: string): string =>
    orUndefined(() => seal.open(Buffer.from(text.slice(MARK.length), 'base64url'), purpose)) ?? text
  const mapped = <Params extends Query>(params: Params, each: (text: string) => string): Params =>
    Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'string' ? each(value) : value]),
    ) as Params
  return {
    sealMails: (params) => mapped(params, (text) => (AT.test(text) ? sealed(text) : text)),
    openMails: (query) => mapped(query, (text) => (text.startsWith(MARK) ? opened(text) : text)),
  }
}
