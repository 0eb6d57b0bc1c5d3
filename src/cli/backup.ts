import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { FLAG, untilInterrupted } from '@rodado/cli'
import type { Config } from '../config.ts'
import { backUp } from '../store/backup/backup.ts'
import { backupKeys, isRecipient } from '../store/backup/key.ts'
import { openStore } from '../store/db.ts'
import type { Connection } from '../store/failover.ts'
import { recordBackup } from '../store/metrics.ts'
import { VERSION } from '../version.ts'
import { defineCommand, explainFullDisk, showProgress } from './command.ts'
import { withDatabase } from './with-store.ts'

/** Copies the whole store into a file. */
export const run = defineCommand('[FILE]', { force: FLAG }, async (values, { config, out, err }, file) => {
  const madeAt = new Date()
  const stamp = madeAt.toISOString().slice(0, 19).replaceAll(':', '')
  const path = resolve(file ?? `rodado-${stamp}Z.backup`)
  if (!values.force && existsSync(path)) throw new Error(`${path} exists. Name another file, or add --force.`)
  if (!existsSync(dirname(path)))
    throw new Error(`There is no folder ${dirname(path)}. Create it, or name another file.`)

  const { recipient } = await backupKeys(config)
  if (!recipient) throw new Error(NO_KEY)
  const began = performance.now()
  const signal = untilInterrupted(out)
  const onProgress = showProgress(err, values.json)
  const { bytes, sha256, rows, tables } = await withDatabase(config, async (connection) => {
    const options = { connection, path, recipient, madeAt, version: VERSION, onProgress, signal }
    const made = await backUp(options).catch(explainFullDisk(path))
    await storeTime(connection, madeAt).catch((error) => err.write(`${NOT_STORED} (${error.message})\n`))
    return made
  })
  const seconds = (performance.now() - began) / 1000
  const count = Object.keys(tables).length
  return {
    json: { file: path, bytes, sha256, rows, tables, seconds, recipient },
    text: `${path}: ${rows} rows of ${count} tables, ${bytes} bytes, ${seconds.toFixed(1)} s
sha256 ${sha256}
${whatOpensIt(config)} Keep it elsewhere.
`,
  }
})

/** Secrets stay sealed within it, so a restore needs the master key in any case. */
function whatOpensIt({ backupKey, masterKey, dataDir }: Config): string {
  const master = `the master key (${masterKey ? 'MASTER_KEY' : resolve(dataDir, 'master.key')})`
  if (!backupKey) return `All of it is encrypted: it opens only with ${master}.`
  const own = isRecipient(backupKey) ? 'the secret key of BACKUP_KEY' : 'BACKUP_KEY'
  return `All of it is encrypted: it opens only with ${own}, and the secrets in it only with ${master}.`
}

const NO_KEY =
  'There is no key to encrypt the backup with. Set MASTER_KEY, restore DATA_DIR/master.key, or set BACKUP_KEY.'
const NOT_STORED = 'The backup is complete. When it was made could not be stored for the metrics'

/** Sends no timeouts: a pooler would refuse them, and whether there is one was not checked. */
async function storeTime(connection: Connection, madeAt: Date): Promise<void> {
  const store = openStore({ connection, max: 1, withBreaker: false, isPooled: true })
  await recordBackup(store, madeAt).finally(() => store.close())
}
