import { createSecretKey, randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { App } from '../apps/app.ts'
import type { Ring } from '../apps/ring.ts'
import type { Clock } from '../clock.ts'
import { readBody } from '../http/body.ts'
import { originForm } from '../http/door.ts'
import type { Db } from '../store/db.ts'
import { digestHolds } from './digest.ts'
import { parseMoment } from './moment.ts'
import { isFirstUse } from './replay.ts'
import { isSame, type SignatureNames, sign, textToSign } from './signature.ts'
import type { RefusalCode } from './unauthorized.ts'

const WINDOW_MS = 300_000 // decisions, "Signed request"
const CREDENTIAL = /^([0-9a-f]{32}):([A-Za-z0-9+/]{43}=?)$/
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** An unknown app is checked against this key: the work, and so the time, is that of a wrong signature. */
const NOBODY = [{ key: createSecretKey(randomBytes(32)) }]

interface Needs {
  ring: Ring
  db: Db
  clock: Clock
  names: SignatureNames
}

/** The app that signed this request, or why it is not believed. Reads the body, whose digest is part of the proof. */
export async function authenticateSigned(
  request: FastifyRequest,
  credential: string,
  needs: Needs,
): Promise<App | RefusalCode> {
  const { ring, db, clock, names } = needs
  const [, appKey, given] = CREDENTIAL.exec(credential) ?? []
  if (!appKey || !given) return 'firma-invalida'

  const { headers } = request.raw
  const found = ring.find(appKey)
  const holder = found instanceof Promise ? await found : found
  const text = textToSign({ method: request.method, target: originForm(request.originalUrl), headers }, names)
  const signature = Buffer.from(given, 'base64')
  let proven = false
  for (const { key } of holder?.secrets ?? NOBODY) proven = isSame(sign(key, text), signature) || proven
  if (!proven || !holder) return 'firma-invalida'

  const moment = parseMoment(String(headers[names.dateHeader] ?? headers.date ?? ''))
  if (moment === undefined || Math.abs(clock().getTime() - moment) > WINDOW_MS) return 'fecha-fuera-de-rango'

  request.bytes = await readBody(request.raw)
  if (!bodyIsProven(request, true)) return 'digest-invalido'
  if (!SAFE.has(request.method) && !(await isFirstUse(db, signature))) return 'repetida'
  return holder.app
}

/** Whether the `Digest` sent is true of the bytes; a body too large to read is refused later, for its size. */
export function bodyIsProven(request: FastifyRequest, required: boolean): boolean {
  const { digest } = request.headers
  const { bytes } = request
  if (digest === undefined) return !required || bytes.length === 0
  return bytes === 'too-large' || digestHolds(String(digest), bytes)
}
