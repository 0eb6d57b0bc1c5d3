import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'sql-template-tag'
import type { App } from '../../src/apps/app.ts'
import { listApps } from '../../src/apps/store.ts'
import { findConsultaFor } from '../../src/resources/consultas/for-app.ts'
import { listFor } from '../../src/resources/consultas/list.ts'
import { resendableFrom } from '../../src/resources/consultas/resend.ts'
import { openStore, type Store } from '../../src/store/db.ts'
import type { Captured } from '../capture.ts'
import type { Installation } from '../installation.ts'
import type { Dealer } from './rows.ts'

const config = { timeZone: 'America/Argentina/Buenos_Aires', publicUrl: '', country: 'AR' } as const

/** Half of the requests go to the largest agency, half to others in turn. */
export function targetsOf([largest, ...others]: Dealer[]): string[] {
  const some = others.slice(0, 50).map(({ mail }) => `/v3/consultas/${mail}`)
  return some.flatMap((path) => [`/v3/consultas/${largest?.mail}`, path])
}

type Statement = Pick<Sql, 'text' | 'values'> & { name?: string }

/** What our own code asks for that address, as it asks it: statements whose plan it keeps have a name. */
async function statementsOf(store: Store, caller: App, target: string): Promise<Statement[]> {
  const asked: Statement[] = []
  const recording: Store = {
    ...store,
    query(statement, plan) {
      const { text, values } = statement
      asked.push({ text, values, ...(plan && { name: `kept_${hash('sha1', text).slice(0, 12)}` }) })
      return store.query(statement, plan)
    },
  }
  const [adminMail = '', sid] = target.split('/').slice(3)
  const deps = { store: recording, seal: undefined as never, clock: () => new Date(), config }
  if (sid === undefined) await listFor(deps, caller, adminMail, {})
  else await findConsultaFor(recording, caller, adminMail, sid)
  return asked
}

/** What a bare server needs: for each answer the statements of our own code, and what ours said; from which sid on one may be sent again. */
export async function bareScript(
  { folder, app, connection }: Pick<Installation, 'folder' | 'app' | 'connection'>,
  answers: Captured[],
): Promise<string> {
  const store = openStore({ connection, max: 1 })
  try {
    const caller = (await listApps(store)).find(({ appKey }) => appKey === app.key)
    if (!caller) throw new Error('The app of the bench is not there.')
    const told: Record<string, object> = {}
    for (const { target, headers, body } of answers) {
      const statements = await statementsOf(store, caller, target)
      told[target] = { headers, adminMail: target.split('/')[3], statements, body: body.toString('base64') }
    }
    const file = join(folder, 'script.json')
    await writeFile(file, JSON.stringify({ connection, resendable: resendableFrom(new Date()), answers: told }))
    return file
  } finally {
    await store.close()
  }
}
