import { createSecretKey, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { App } from '../apps/app.ts'
import type { AppCache, AppWithSecrets } from '../apps/cache.ts'
import type { Clock } from '../clock.ts'
import { hasBody, NO_BODY, readBody } from '../http/body.ts'
import { originForm } from '../http/negotiation.ts'
import { digestHolds, isSignedBy, parseDate, type Signable, type SignatureNames, textToSign } from './signature.ts'
import type { RefusalCode } from './unauthorized.ts'

const WINDOW_MS = 300_000 // decisions, "Signed request"
const KEY_DIGITS = 32
const LONGEST_CREDENTIAL = KEY_DIGITS + 1 + 44 // AppKey, colon, 32 bytes in base64
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** An unknown app is checked against this key: the work, and so the time, is that of a wrong signature. */
const NOBODY = [{ key: createSecretKey(randomBytes(32)) }]

/** The app, and for a change the signature, which is accepted once. */
export interface Proven {
  app: App
  once?: Buffer
}

/** The app or the reason of refusal; a promise only if it has to wait. */
export type Proof = Proven | RefusalCode | Promise<Proven | RefusalCode>

interface SignatureDeps {
  apps: AppCache
  clock: Clock
  names: SignatureNames
}

/** The app that signed this request, or why it is refused. A promise only if it waits for the database or the body. */
export function authenticateSigned(
  request: FastifyRequest,
  credential: string,
  deps: SignatureDeps,
  readsBody: (app: App) => boolean,
): Proof {
  const signature = signatureIn(credential)
  if (!signature) return 'firma-invalida'
  const signed = { method: request.method, target: originForm(request.originalUrl), headers: request.raw.headers }
  const finish = (holder: AppWithSecrets | undefined): Proof => {
    const signer = judge(signed, signature, holder, deps)
    return typeof signer === 'string' ? signer : judgeBody(request, signature, signer, readsBody)
  }
  const found = deps.apps.find(appKeyIn(credential))
  return found instanceof Promise ? found.then(finish) : finish(found)
}

const appKeyIn = (credential: string): string => credential.slice(0, KEY_DIGITS)

function signatureIn(credential: string): Buffer | undefined {
  if (credential.length > LONGEST_CREDENTIAL || credential[KEY_DIGITS] !== ':') return undefined
  return Buffer.from(credential.slice(KEY_DIGITS + 1), 'base64')
}

/** Checks the signature, then its date. */
function judge(
  signed: Signable,
  signature: Buffer,
  holder: AppWithSecrets | undefined,
  { clock, names }: SignatureDeps,
): App | RefusalCode {
  const text = textToSign(signed, names)
  let proven = false
  for (const { key } of holder?.secrets ?? NOBODY) proven = isSignedBy(key, text, signature) || proven
  if (!proven || !holder) return 'firma-invalida'

  const { headers } = signed
  const moment = parseDate(String(headers[names.dateHeader] ?? headers.date ?? ''))
  const late = moment === undefined || Math.abs(clock().getTime() - moment) > WINDOW_MS
  return late ? 'fecha-fuera-de-rango' : holder.app
}

/** Checks the digest of the body, which is part of the signature; the signature of a change is accepted once. */
function judgeBody(request: FastifyRequest, signature: Buffer, app: App, readsBody: (app: App) => boolean): Proof {
  if (!SAFE.has(request.method) || hasBody(request.raw)) return judgeRead(request, signature, app, readsBody(app))
  request.bytes = NO_BODY
  return bodyIsProven(request, true) ? { app } : 'digest-invalido'
}

async function judgeRead(
  request: FastifyRequest,
  signature: Buffer,
  app: App,
  readsBody: boolean,
): Promise<Proven | RefusalCode> {
  request.bytes = await readBody(request, app.appKey, readsBody)
  if (!bodyIsProven(request, true)) return 'digest-invalido'
  return SAFE.has(request.method) ? { app } : { app, once: signature }
}

/** True if the `Digest` matches the body. A body that was not read to its end passes here and is refused later. */
export function bodyIsProven(request: FastifyRequest, required: boolean): boolean {
  const { digest } = request.headers
  const { bytes } = request
  if (digest === undefined) return !required || bytes.length === 0
  return typeof bytes === 'string' || digestHolds(String(digest), bytes)
}
