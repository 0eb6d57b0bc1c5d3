import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES

/** What keeps secrets unreadable in the database: only a process that holds MASTER_KEY can open them. */
export interface Seal {
  /** Encrypts a secret; `purpose` is bound to it, so that a sealed value moved to another column does not open. */
  seal(secret: string, purpose: string): Buffer
  open(sealed: Buffer, purpose: string): string
  /** Recognises a text without keeping it: the same for the same text and purpose, and for nobody without the key. */
  hash(text: string, purpose: string): Buffer
  /** Tells keys apart without telling the key. */
  fingerprint: string
}

/** AES-256-GCM under a key derived from MASTER_KEY, so that the same master key may serve other ends too. */
export function createSeal(masterKey: Buffer): Seal {
  const derive = (info: string, bytes: number) => Buffer.from(hkdfSync('sha256', masterKey, '', info, bytes))
  const key = derive('rodado/secrets', 32)
  const hashKey = derive('rodado/hashes', 32)

  return {
    fingerprint: derive('rodado/fingerprint', 16).toString('hex'),

    seal(secret, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const hidden = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.getAuthTag(), hidden])
    },

    hash: (text, purpose) => createHmac('sha256', hashKey).update(`${purpose}\0${text}`).digest(),

    open(sealed, purpose) {
      if (sealed[0] !== FORMAT) throw new Error(`A sealed value has the unknown format ${sealed[0]}.`)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES))
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES))
      return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString('utf8')
    },
  }
}

/** What we sealed as JSON for a cookie; undefined where it does not open, whoever wrote it. */
export function openSealedJson<Contents>(seal: Seal, value: string, purpose: string): Contents | undefined {
  try {
    return JSON.parse(seal.open(Buffer.from(value, 'base64url'), purpose)) as Contents
  } catch {
    return undefined
  }
}
