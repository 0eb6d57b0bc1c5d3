import { setTimeout as pause } from 'node:timers/promises'
import { FLAG, untilInterrupted } from '@rodado/cli'
import { audit, byCommand } from '../accounts/audit.ts'
import { SEALED_TOTP } from '../accounts/second-factor.ts'
import { SEALED_SECRETS } from '../apps/secrets.ts'
import { listSigningKeys, rotateSigningKey, SEALED_KEYS, type SigningKeyState } from '../auth/signing-keys.ts'
import { SEALED_EMAILS } from '../mail/email.ts'
import { newBackupKey } from '../store/backup/key.ts'
import { countOthers, reseal, SETTLE_MS } from '../store/reseal.ts'
import { readSealState, replaceKeyFile, type SealedColumn } from '../store/sealed.ts'
import { SEALED_ALERTS } from '../webhooks/alerts.ts'
import { SEALED_WEBHOOKS } from '../webhooks/store.ts'
import { defineCommand, showProgress, subcommands } from './command.ts'
import { withStore } from './with-store.ts'

/** Every column of sealed values; a test compares them with the database. */
export const SEALED_COLUMNS: SealedColumn[] = [
  ...SEALED_KEYS,
  ...SEALED_SECRETS,
  ...SEALED_WEBHOOKS,
  ...SEALED_ALERTS,
  ...SEALED_TOTP,
  ...SEALED_EMAILS,
]

/** Replaces the keys of an installation: docs/keys.md. */
export const run = subcommands('keys', {
  list: defineCommand('', {}, async (_values, { config }) =>
    withStore(config, async ({ store, seal }) => {
      const signing = await listSigningKeys(store)
      const { active, former } = await readSealState(store)
      const waiting = await countOthers(store, seal, SEALED_COLUMNS)
      const rows = Object.entries(waiting).map(([name, count]) => `  ${name.padEnd(30)} ${count}\n`)
      return {
        json: { signing, master: { configured: seal.fingerprint, active, former, waiting } },
        text: `${signingText(signing)}
Master key ${shortOf(seal.fingerprint)} is configured; ${shortOf(active)} seals${former ? `, and some values need ${shortOf(former)}` : ''}.
Values not sealed with the configured key and its id:
${rows.join('')}`,
      }
    }),
  ),

  rotate: defineCommand('', { revocar: FLAG }, async ({ revocar = false }, { config }) => {
    const signing = await withStore(config, ({ store, seal }) =>
      store.transaction(async (tx) => {
        await audit(tx, byCommand('claves.rotar', 'tokens', { revocaLasAnteriores: revocar }))
        return rotateSigningKey(tx, seal, revocar)
      }),
    )
    const effect = revocar
      ? 'All former keys ended: their tokens are refused within a second, and apps must get new ones.\n'
      : 'The new key is published now and signs in ten minutes. Tokens of the former one stay valid until they expire.\n'
    return { json: { signing }, text: `${signingText(signing)}\n${effect}` }
  }),

  new: defineCommand('', {}, async (_values, { config }) => {
    if (config.masterKey)
      throw new Error(
        'the master key is set by MASTER_KEY. Make one with `openssl rand -hex 32`, set it as MASTER_KEY and the present one as MASTER_KEY_PREVIOUS.',
      )
    const { path, previous } = replaceFile(config.dataDir)
    return {
      json: { path, previous },
      text: `${path} is new, ${previous} is the former key. Restart the server, then run: rodado keys reseal\n`,
    }
  }),

  backup: defineCommand('', {}, async () => {
    const made = await newBackupKey()
    return {
      json: made,
      text: `# public key: ${made.recipient}\n${made.secret}\n`,
    }
  }),

  reseal: defineCommand('', { 'sin-espera': FLAG }, async (values, { config, out, err }) => {
    const signal = untilInterrupted(out)
    const onProgress = showProgress(err, values.json)
    const settle = async () => {
      if (values['sin-espera']) return
      err.write(`Waiting ${SETTLE_MS / 1000} s for what was being written with the former key.\n`)
      await pause(SETTLE_MS, undefined, { signal })
    }
    const began = performance.now()
    return withStore(config, async ({ store, seal }) => {
      const { active } = await readSealState(store)
      if (active === seal.fingerprint && seal.fingerprints.length === 1)
        throw new Error(
          'there is only one master key here. Set MASTER_KEY to the new one and MASTER_KEY_PREVIOUS to the present one on every node (on the embedded store: `rodado keys new`), restart them, and run this again.',
        )
      const resealed = await reseal({ store, seal, columns: SEALED_COLUMNS, onProgress, settle, signal })
      await audit(store, byCommand('claves.resellar', shortOf(seal.fingerprint), { cantidad: resealed }))
      const seconds = (performance.now() - began) / 1000
      return {
        json: { resealed, active: seal.fingerprint, seconds },
        text: `Sealed ${resealed} values with the master key ${shortOf(seal.fingerprint)}, ${seconds.toFixed(1)} s. Nothing in the database needs the former one.
Remove MASTER_KEY_PREVIOUS (or the file master.key.previous) and restart. Keep the former key with the backups made under it.
`,
      }
    })
  }),
})

function replaceFile(dataDir: string) {
  try {
    return replaceKeyFile(dataDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Error(
      `${dataDir}/master.key.previous exists: the last change may not be finished. Run \`rodado keys reseal\`, move that file away, and try again.`,
    )
  }
}

/** As in the values that it sealed. */
const shortOf = (fingerprint: string): string => fingerprint.slice(0, 8)

const signingText = (keys: SigningKeyState[]): string =>
  keys
    .map(({ kid, startsAt, endsAt }) => {
      const until = endsAt ? `, published until ${endsAt.toISOString()}` : ''
      return `Signing key ${kid}: signs from ${startsAt.toISOString()}${until}\n`
    })
    .join('')
