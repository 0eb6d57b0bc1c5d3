import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { FLAG, untilInterrupted } from '@rodado/cli'
import { backUp } from '../store/backup/backup.ts'
import { VERSION } from '../version.ts'
import { defineCommand, explainFullDisk, showProgress } from './command.ts'
import { withDatabase } from './with-store.ts'

/** Copies the whole store into a file. */
export const run = defineCommand('[FILE]', { force: FLAG }, async (values, { config, out, err }, file) => {
  const madeAt = new Date()
  const stamp = madeAt.toISOString().slice(0, 19).replaceAll(':', '')
  const path = resolve(file ?? `rodado-${stamp}Z.backup`)
  if (!values.force && (await isThere(path))) throw new Error(`${path} exists. Name another file, or add --force.`)

  const began = performance.now()
  const signal = untilInterrupted(out)
  const onProgress = showProgress(err, values.json)
  const { bytes, sha256, rows, tables } = await withDatabase(config, (connection) =>
    backUp({ connection, path, madeAt, version: VERSION, onProgress, signal }).catch(explainFullDisk(path)),
  )
  const seconds = (performance.now() - began) / 1000
  const count = Object.keys(tables).length
  const key = config.masterKey ? 'MASTER_KEY' : resolve(config.dataDir, 'master.key')
  return {
    json: { file: path, bytes, sha256, rows, tables, seconds },
    text: `${path}: ${rows} rows of ${count} tables, ${bytes} bytes, ${seconds.toFixed(1)} s
sha256 ${sha256}
It opens only with this store's master key (${key}): keep that too, and not beside it.
`,
  }
})

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
