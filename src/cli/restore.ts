import { join, resolve } from 'node:path'
import { FLAG } from '@rodado/cli'
import type { Config } from '../config.ts'
import { BackupFault, type Manifest } from '../store/backup/file.ts'
import { backupKeys } from '../store/backup/key.ts'
import { checkBackup, restore } from '../store/backup/restore.ts'
import { createSeal, findMasterKeys } from '../store/sealed.ts'
import { defineCommand, explainFullDisk, showProgress } from './command.ts'
import { withDatabase } from './with-store.ts'

export const run = defineCommand('FILE', { check: FLAG, force: FLAG }, async (values, { config, err }, file) => {
  const path = resolve(file)
  const { identities } = await backupKeys(config)
  const { manifest, bytes } = await checkBackup(path, identities)
  const { madeAt, rodado, postgres, migrations } = manifest
  if (values.check)
    return {
      json: { file: path, bytes, madeAt, rodado, postgres, migrations },
      text: `${path} is intact: made ${madeAt} by Rodado ${rodado} (${migrations.at(-1)}), PostgreSQL ${postgres}, ${bytes} bytes\n`,
    }
  refuseOtherKey(config, manifest)

  const began = performance.now()
  const force = values.force ?? false
  const onProgress = showProgress(err, values.json)
  const { rows, tables, applied } = await withDatabase(config, (connection) =>
    restore({ connection, path, identities, force, onProgress }).catch(explainFullDisk(path)),
  )
  const seconds = (performance.now() - began) / 1000
  const updated = applied.length > 0 ? `; brought up to date: ${applied.join(', ')}` : ''
  return {
    json: { file: path, madeAt, rows, tables, applied, seconds },
    text: `Restored ${rows} rows of ${Object.keys(tables).length} tables as of ${madeAt}, ${seconds.toFixed(1)} s${updated}
What was erased for a person after that moment must be erased again: rodado suprimir.
`,
  }
})

/** Checked first: with another key the store would not start, and its secrets could not be read. */
function refuseOtherKey(config: Config, { masterKeyFingerprint, formerKeyFingerprint }: Manifest): void {
  if (!masterKeyFingerprint) return // a store that was never started has no secrets
  const key = findMasterKeys(config)
  const fingerprints = key ? createSeal(key).fingerprints : []
  const needed = [masterKeyFingerprint, ...(formerKeyFingerprint ? [formerKeyFingerprint] : [])]
  if (needed.every((each) => fingerprints.includes(each))) return
  if (fingerprints.includes(masterKeyFingerprint))
    throw new BackupFault(
      'The backup was made while its secrets were being encrypted with a new master key. Set MASTER_KEY_PREVIOUS to the former one, and restore again. Nothing was changed.',
    )
  const keyPath = join(config.dataDir, 'master.key')
  throw new BackupFault(
    `${key ? 'The master key here is not' : 'There is no master key here, and it must be'} the one that the backup was made with. ` +
      `Set MASTER_KEY to that one${config.databaseUrl ? '' : `, or put its file at ${keyPath}`}, and restore again. Nothing was changed.`,
  )
}
