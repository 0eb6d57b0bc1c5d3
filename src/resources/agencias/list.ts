import type { App } from '../../apps/app.ts'
import type { Links } from '../../http/links.ts'
import { coalesce } from '../../memoize.ts'
import type { Db } from '../../store/db.ts'
import type { AgenciaOfApp } from './agencia.ts'
import { eachAgencia } from './read.ts'

interface ListForm {
  /** Distinguishes the forms of one app's list. */
  name: string
  links: Links
  entryOf(agencia: AgenciaOfApp): object
}

/**
 * Makes the JSON of an app's lists of agencies. The specification has no pages here, so a list may have megabytes: requests for
 * the same one share it, with its ETag and its compressed form.
 */
export function agenciaLists(db: Db) {
  const share = coalesce<Buffer>()
  return (app: App, operador: string | undefined, { name, links, entryOf }: ListForm): Promise<Buffer> =>
    share(`${app.id} ${name} ${operador ?? ''}`, async () => {
      const entries: string[] = []
      for await (const agencia of eachAgencia(db, app, operador)) entries.push(JSON.stringify(entryOf(agencia)))
      return Buffer.from(`{"_links":${JSON.stringify(links)},"_entries":[${entries.join(',')}]}`)
    })
}
