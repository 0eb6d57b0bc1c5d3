import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import pino from 'pino'
import { backUp } from '../store/backup/backup.ts'
import { explainDatabase, reachDatabase } from '../store/open.ts'
import { VERSION } from '../version.ts'
import {
  type Command,
  explainFullDisk,
  parse,
  printJson,
  showProgress,
  UsageError,
  untilInterrupted,
} from './command.ts'

const USAGE = `Usage: rodado backup [FILE] [--force] [--json]

Copies the whole database as of one moment into one file, while the server runs. Without FILE:
rodado-2026-03-09T120000Z.backup in this folder. Secrets stay encrypted in it. Keep the master key too, but elsewhere
(MASTER_KEY, or the file master.key in DATA_DIR): without it they cannot be read.

  --force   replace FILE if it exists`

/** Copies the whole store into a file. */
export const command: Command = {
  usage: USAGE,

  async run(argv, { config, out, err }) {
    const { values, positionals } = parse(argv, { force: { type: 'boolean' } })
    if (positionals.length > 1) throw new UsageError('give one FILE.')
    const madeAt = new Date()
    const stamp = madeAt.toISOString().slice(0, 19).replaceAll(':', '')
    const path = resolve(positionals[0] ?? `rodado-${stamp}Z.backup`)
    if (!values.force && (await isThere(path))) throw new Error(`${path} exists. Name another file, or add --force.`)

    const began = performance.now()
    const signal = untilInterrupted(out)
    const { connection, close } = await reachDatabase(config, 'command', pino({ level: 'silent' }))
    try {
      const onProgress = showProgress(err, values.json)
      const made = await backUp({ connection, path, madeAt, version: VERSION, onProgress, signal }).catch(
        explainFullDisk(path),
      )
      const { bytes, sha256, rows, tables } = made
      const seconds = (performance.now() - began) / 1000
      if (values.json) printJson(out, { file: path, bytes, sha256, rows, tables, seconds })
      else {
        const count = Object.keys(tables).length
        out.write(`${path}: ${rows} rows of ${count} tables, ${bytes} bytes, ${seconds.toFixed(1)} s\n`)
        out.write(`sha256 ${sha256}\n${keyNote(config)}\n`)
      }
      return 0
    } catch (error) {
      return explainDatabase(config.databaseUrl)(error as Error)
    } finally {
      await close()
    }
  },
}

const keyNote = ({ masterKey, dataDir }: { masterKey: Buffer | undefined; dataDir: string }): string =>
  `It opens only with this store's master key (${masterKey ? 'MASTER_KEY' : resolve(dataDir, 'master.key')}): keep that too, and not beside it.`

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
