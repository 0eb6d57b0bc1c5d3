import type { App } from '../../apps/app.ts'
import type { Links } from '../../http/links.ts'
import { coalesce } from '../../memoize.ts'
import type { Db } from '../../store/db.ts'
import type { AgenciaOfApp } from './agencia.ts'
import { eachAgencia } from './read.ts'

interface ListRepresentation {
  /** Distinguishes the representations of one app's list. */
  key: string
  links: Links
  entryOf(agencia: AgenciaOfApp): object
}

/**
 * Makes the JSON of an app's lists of agencies. The specification has no pages here, so a list may have megabytes: requests that
 * arrive while it is read wait for the next read and share it, with its ETag and its compressed form.
 */
export function agenciaLists(db: Db) {
  const share = coalesce<Buffer>()
  return (app: App, operador: string | undefined, { key, links, entryOf }: ListRepresentation): Promise<Buffer> =>
    share(`${app.id} ${key} ${operador ?? ''}`, async () => {
      const entries: string[] = []
      for await (const agencia of eachAgencia(db, app, operador)) entries.push(JSON.stringify(entryOf(agencia)))
      return Buffer.from(`{"_links":${JSON.stringify(links)},"_entries":[${entries.join(',')}]}`)
    })
}
