import { hkdfSync } from 'node:crypto'
import { ReadableStream as WebStream } from 'node:stream/web'
import { bech32 } from '@scure/base'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Config } from '../../config.ts'
import { findMasterKeys } from '../sealed.ts'

/** The keys of backups in the format of age (age-encryption.org/v1): a recipient encrypts, an identity opens. */
interface BackupKeys {
  recipient?: string | undefined
  identities: string[]
}

/**
 * BACKUP_KEY, a secret key or only the public one of it; without it a key that follows from the master key. A restore
 * tries all of them, so that a backup opens that was made before BACKUP_KEY was set.
 */
export async function backupKeys(config: Config): Promise<BackupKeys> {
  const { backupKey } = config
  const own = backupKey && !isRecipient(backupKey) ? [backupKey] : []
  const { current, previous } = findMasterKeys(config) ?? {}
  const identities = [...own, ...[current, previous].flatMap((key) => (key ? [identityFrom(key)] : []))]
  const [first] = identities
  const recipient = backupKey && isRecipient(backupKey) ? backupKey : first && (await identityToRecipient(first))
  return { recipient, identities }
}

/** A new pair. */
export async function newBackupKey(): Promise<{ secret: string; recipient: string }> {
  const secret = await generateX25519Identity()
  return { secret, recipient: await identityToRecipient(secret) }
}

export const isRecipient = (key: string): boolean => key.startsWith('age1')

const IDENTITY_BYTES = 32

function identityFrom(masterKey: Buffer): string {
  const bytes = new Uint8Array(hkdfSync('sha256', masterKey, '', 'rodado/backup', IDENTITY_BYTES))
  return bech32.encode('AGE-SECRET-KEY-', bech32.toWords(bytes), false).toUpperCase()
}

/** What an encrypted file begins with. */
export const ENCRYPTED_TITLE = 'age-encryption.org/v1\n'

export const encryptFor = (recipient: string) =>
  async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const encrypter = new Encrypter()
    encrypter.addRecipient(recipient)
    yield* await encrypter.encrypt(streamOf(source))
  }

/** Throws if no identity opens it, and where it was changed. */
export async function* decryptWith(
  identities: string[],
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  yield* await decrypter.decrypt(streamOf(source))
}

/** Node's type of the same class differs from the global one. */
const streamOf = (source: AsyncIterable<Uint8Array>) => WebStream.from(source) as unknown as ReadableStream<Uint8Array>
