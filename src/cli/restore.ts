import { join, resolve } from 'node:path'
import pino from 'pino'
import type { Config } from '../config.ts'
import { BackupFault, type Manifest } from '../store/backup/file.ts'
import { checkBackup, restore } from '../store/backup/restore.ts'
import { explainDatabase, reachDatabase } from '../store/open.ts'
import { createSeal, findMasterKey } from '../store/sealed.ts'
import { type Command, explainFullDisk, parse, printJson, showProgress, UsageError } from './command.ts'

const USAGE = `Usage: rodado restore FILE [--check] [--force] [--json]

Loads a backup into an empty database (DATABASE_URL) or an empty DATA_DIR: all of it or nothing. The file is checked
first. Stop every node first. You need the master key of the installation that made the backup: MASTER_KEY, or its file
master.key in DATA_DIR. A backup of an earlier version is upgraded.

  --check   verify the file and show its version and date; change nothing
  --force   replace EVERYTHING in the database`

/** Restores a backup. */
export const command: Command = {
  usage: USAGE,

  async run(argv, { config, out, err }) {
    const options = { check: { type: 'boolean' }, force: { type: 'boolean' } } as const
    const { values, positionals } = parse(argv, options)
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new UsageError('name the FILE of one backup.')
    const path = resolve(file)
    const { manifest, bytes } = await checkBackup(path)
    if (values.check) {
      const { madeAt, rodado, postgres, migrations } = manifest
      const level = migrations.at(-1)
      if (values.json) printJson(out, { file: path, bytes, madeAt, rodado, postgres, migrations })
      else
        out.write(
          `${path} is intact: made ${madeAt} by Rodado ${rodado} (${level}), PostgreSQL ${postgres}, ${bytes} bytes\n`,
        )
      return 0
    }
    refuseOtherKey(config, manifest)

    const began = performance.now()
    const { connection, close } = await reachDatabase(config, 'command', pino({ level: 'silent' }))
    try {
      const onProgress = showProgress(err, values.json)
      const { rows, tables, applied } = await restore({
        connection,
        path,
        force: values.force ?? false,
        onProgress,
      }).catch(explainFullDisk(path))
      const seconds = (performance.now() - began) / 1000
      if (values.json) printJson(out, { file: path, madeAt: manifest.madeAt, rows, tables, applied, seconds })
      else {
        out.write(`Restored ${rows} rows of ${Object.keys(tables).length} tables as of ${manifest.madeAt}, `)
        out.write(`${seconds.toFixed(1)} s${applied.length > 0 ? `; brought up to date: ${applied.join(', ')}` : ''}\n`)
        out.write('What was erased for a person after that moment must be erased again: rodado suprimir.\n')
      }
      return 0
    } catch (error) {
      return explainDatabase(config.databaseUrl)(error as Error)
    } finally {
      await close()
    }
  },
}

/** Checked first: with another key the store would not start, and its secrets could not be read. */
function refuseOtherKey(config: Config, { masterKeyFingerprint }: Manifest): void {
  if (!masterKeyFingerprint) return // a store that was never started has no secrets
  const key = config.masterKey ?? findMasterKey(config.dataDir)
  if (key && createSeal(key).fingerprint === masterKeyFingerprint) return
  const kept = join(config.dataDir, 'master.key')
  throw new BackupFault(
    `${key ? 'The master key here is not' : 'There is no master key here, and it must be'} the one that the backup was made with. ` +
      `Set MASTER_KEY to that one${config.databaseUrl ? '' : `, or put its file at ${kept}`}, and restore again. Nothing was changed.`,
  )
}
