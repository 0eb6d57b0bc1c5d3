import { createSecretKey, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { App } from '../apps/app.ts'
import type { Holder, Ring } from '../apps/ring.ts'
import type { Clock } from '../clock.ts'
import { isHmacSha256 } from '../hmac.ts'
import { hasBody, NO_BODY, readBody } from '../http/body.ts'
import { originForm } from '../http/door.ts'
import type { Db } from '../store/db.ts'
import { digestHolds } from './digest.ts'
import { parseMoment } from './moment.ts'
import { isFirstUse } from './replay.ts'
import { type SignatureNames, textToSign } from './signature.ts'
import type { RefusalCode } from './unauthorized.ts'

const WINDOW_MS = 300_000 // decisions, "Signed request"
const KEY_DIGITS = 32
const LONGEST_CREDENTIAL = KEY_DIGITS + 1 + 44 // AppKey, colon, 32 bytes in base64
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** An unknown app is checked against this key: the work, and so the time, is that of a wrong signature. */
const NOBODY = [{ key: createSecretKey(randomBytes(32)) }]

/** Who it is, or why not; awaited only where it has to be. */
export type Proof = App | RefusalCode | Promise<App | RefusalCode>

interface Needs {
  ring: Ring
  db: Db
  clock: Clock
  names: SignatureNames
}

/** The app that signed this request, or why it is not believed; at once where neither database nor body is waited for. */
export function authenticateSigned(request: FastifyRequest, credential: string, needs: Needs): Proof {
  if (credential.length > LONGEST_CREDENTIAL || credential[KEY_DIGITS] !== ':') return 'firma-invalida'
  const signature = Buffer.from(credential.slice(KEY_DIGITS + 1), 'base64')
  const found = needs.ring.find(credential.slice(0, KEY_DIGITS))
  if (found instanceof Promise) return found.then((holder) => judge(request, signature, holder, needs))
  return judge(request, signature, found, needs)
}

function judge(request: FastifyRequest, signature: Buffer, holder: Holder | undefined, needs: Needs): Proof {
  const { clock, names } = needs
  const { headers } = request.raw
  const text = textToSign({ method: request.method, target: originForm(request.originalUrl), headers }, names)
  let proven = false
  for (const { key } of holder?.secrets ?? NOBODY) proven = isHmacSha256(key, text, signature) || proven
  if (!proven || !holder) return 'firma-invalida'

  const moment = parseMoment(String(headers[names.dateHeader] ?? headers.date ?? ''))
  if (moment === undefined || Math.abs(clock().getTime() - moment) > WINDOW_MS) return 'fecha-fuera-de-rango'
  if (SAFE.has(request.method) && !hasBody(request.raw)) {
    request.bytes = NO_BODY
    return bodyIsProven(request, true) ? holder.app : 'digest-invalido'
  }
  return judgeBody(request, signature, holder.app, needs.db)
}

/** The digest of the body is part of the proof; a change is believed once. */
async function judgeBody(request: FastifyRequest, signature: Buffer, app: App, db: Db): Promise<App | RefusalCode> {
  request.bytes = await readBody(request)
  if (!bodyIsProven(request, true)) return 'digest-invalido'
  return SAFE.has(request.method) || (await isFirstUse(db, signature)) ? app : 'repetida'
}

/** Whether the `Digest` sent is true of the bytes; a body too large to read is refused later, for its size. */
export function bodyIsProven(request: FastifyRequest, required: boolean): boolean {
  const { digest } = request.headers
  const { bytes } = request
  if (digest === undefined) return !required || bytes.length === 0
  return bytes === 'too-large' || digestHolds(String(digest), bytes)
}
