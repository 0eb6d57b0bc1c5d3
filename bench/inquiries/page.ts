import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'sql-template-tag'
import { listApps } from '../../src/apps/store.ts'
import { findAgencia } from '../../src/resources/agencias/store.ts'
import { listFor } from '../../src/resources/consultas/list.ts'
import { openStore, type Store } from '../../src/store/db.ts'
import { startEmbedded } from '../../src/store/embedded/start.ts'
import type { Captured } from '../capture.ts'
import type { Installation } from '../installation.ts'
import type { Dealer } from './rows.ts'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
const config = { timeZone: 'America/Argentina/Buenos_Aires', publicUrl: '', country: 'AR' } as const

/** Half of the requests go to the largest agency, half to others in turn. */
export function targetsOf([largest, ...others]: Dealer[]): string[] {
  const some = others.slice(0, 50).map(({ mail }) => `/v3/consultas/${mail}`)
  return some.flatMap((path) => [`/v3/consultas/${largest?.mail}`, path])
}

/** What the bare server needs: for each target the statements of our own code, as it asks them, and our headers. */
export async function bareScript({ dataDir, folder, app }: Installation, answers: Captured[]): Promise<string> {
  const embedded = await startEmbedded({ dataDir, log: quiet, purpose: 'command' })
  const store = openStore({ connection: embedded.connection, max: 1 })
  try {
    const caller = (await listApps(store)).find(({ appKey }) => appKey === app.key)
    if (!caller) throw new Error('The app of the bench is not there.')
    const pages: Record<string, object> = {}
    for (const { target, headers } of answers) {
      const asked: Sql[] = []
      const recording: Store = {
        ...store,
        query(statement) {
          asked.push(statement)
          return store.query(statement)
        },
      }
      const adminMail = target.split('/').at(-1) ?? ''
      const agencia = await findAgencia(recording, caller, adminMail)
      if (!agencia) throw new Error(`${adminMail} is not there.`)
      const needs = { store: recording, seal: undefined as never, clock: () => new Date(), config }
      await listFor(needs, caller, agencia, {})
      pages[target] = { headers, adminMail, statements: asked.map(({ text, values }) => ({ text, values })) }
    }
    const file = join(folder, 'pages.json')
    await writeFile(file, JSON.stringify({ connection: embedded.connection, pages }))
    return file
  } finally {
    await store.close()
    await embedded.stop()
  }
}
