import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Proof } from '../auth/session.ts'
import { readForm } from '../http/body.ts'
import { type Errors, fault, invalid, Problem, tooLarge } from '../http/problems.ts'
import { message, t } from '../i18n/messages.tsx'
import { normalizeLine } from '../text.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the sender of the form has to prove if they have not done so lately. */
    proof?: Proof
    /** The form has files. */
    files?: boolean
  }
  interface FastifyRequest {
    /** The form that was sent; an empty one where there was no body. */
    form: URLSearchParams
    /** The files of a form that may have them, by field; without those that were not chosen. */
    files: Record<string, Buffer>
  }
}

const FORM = 'application/x-www-form-urlencoded'
const MAX_FIELDS = 100 // the largest form, a branch with its hours, has about seventy
const BYTES_PER_CHARACTER = 12 // four of UTF-8, each written as %XX
const BYTES_BESIDE_TEXT = 1024 // names of fields, ticks, hidden ids
const BYTES_BESIDE_FILES = 8192 // the heads of the parts, with the names of files
// Mail providers may send RFC 8058's one-click POST this way; nothing in it is needed.
const MULTIPART = 'multipart/form-data'
/** No keyboard writes it and no text of ours can hold it. */
const withoutNul = (text: string): string => text.replaceAll('\0', '')

const tooManyFields = () => fault('demasiados-elementos', t('comun.form.tooManyFields', { max: MAX_FIELDS }))

/** Makes a scope read what browsers send from a form, and nothing else. */
export function parseForms(app: FastifyInstance): void {
  app.decorateRequest('form')
  app.decorateRequest('files')
  app.addHook('preHandler', async (request) => {
    const { body } = request
    request.form = body instanceof URLSearchParams ? body : new URLSearchParams()
    request.files = {}
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(FORM, async (request: FastifyRequest) => {
    const form = new URLSearchParams((await readForm(request)).toString('utf8'))
    if (form.size > MAX_FIELDS) throw invalid({ _: [tooManyFields()] })
    // After decoding: removing `%00` from `%%0000` would leave another.
    return new URLSearchParams([...form].map((field) => field.map(withoutNul)))
  })
  app.addContentTypeParser(MULTIPART, (request, _payload, done) => done(overLimit(request) ?? null)) // see `readFiles`
  app.addContentTypeParser('*', (request, _payload, done) => {
    done(
      overLimit(request) ??
        new Problem('tipo-no-admitido', message('comun.form.type', { type: FORM }), { headers: { accept: FORM } }),
    )
  })
}

/** 413 if the declared length is over the limit of the route. */
function overLimit({ headers, routeOptions: { bodyLimit = BYTES_BESIDE_TEXT } }: FastifyRequest): Problem | undefined {
  return Number(headers['content-length'] ?? 0) > bodyLimit ? tooLarge(bodyLimit) : undefined
}

/** Reads a form with files. Not before its sender is known: a file is larger than any other form. */
export async function readFiles(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const type = request.headers['content-type'] ?? ''
  if (!type.toLowerCase().startsWith(MULTIPART)) return
  const bytes = await readForm(request).catch((error) => {
    reply.header('connection', 'close') // the rest is never read
    throw error
  })
  const body = new Uint8Array(bytes)
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => {
    throw new Problem('tipo-no-admitido', message('comun.form.type', { type: MULTIPART }))
  })
  const entries = [...form]
  if (entries.length > MAX_FIELDS) throw invalid({ _: [tooManyFields()] })
  for (const [name, value] of entries) {
    if (typeof value === 'string') request.form.append(name, withoutNul(value))
    else if (value.size > 0) request.files[name] = Buffer.from(await value.arrayBuffer())
  }
}

/** Options of a route that takes files, of up to so many bytes in all, besides ticks and buttons. */
export const fileRoute = (maxBytes: number) =>
  ({ schema: { hide: true }, bodyLimit: maxBytes + BYTES_BESIDE_FILES, config: { files: true } }) as const

/** Options of a route that takes a form: its fields hold up to so many characters in all. */
export const formRoute = (maxCharacters: number) =>
  ({ schema: { hide: true }, bodyLimit: BYTES_BESIDE_TEXT + BYTES_PER_CHARACTER * maxCharacters }) as const

/** Options of a confirmation, whose form has no text. */
export const CONFIRMATION_FORM = formRoute(0)

/** What `reauthenticate` adds to a form: a password, a code, or a passkey's answer and its challenge. */
const PROOF_BYTES = 8192

/** Options of a form that gives access to others: its sender proves again who they are (pages/reauthenticate). */
export const provenForm = ({ schema, bodyLimit }: ReturnType<typeof formRoute>, proof: Proof = 'any') =>
  ({ schema, bodyLimit: bodyLimit + PROOF_BYTES, config: { proof } }) as const

/** Options of signing in: a mail address and a password. */
export const SIGN_IN_FORM = { schema: { hide: true }, bodyLimit: 4096 } as const

/** Options of a passkey's answer, with a name or the page to return to. */
export const PASSKEY_FORM = { schema: { hide: true }, bodyLimit: PROOF_BYTES } as const

/** A field of one line, without surplus spaces and invisible characters. */
export const textField = (form: URLSearchParams, name: string): string =>
  normalizeLine(form.getAll(name).findLast((value) => value.trim() !== '') ?? '')

export const textFields = <Name extends string>(form: URLSearchParams, names: readonly Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, textField(form, name)])) as Record<Name, string>

/** Faults in the order of the fields on the page. */
export function faultsInOrder(errors: Errors, names: readonly string[]): Errors {
  const order = ['_', ...names]
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  return Object.fromEntries(Object.entries(errors).sort(([a], [b]) => rank(a) - rank(b)))
}

/** A password, as it was typed. */
export const passwordField = (form: URLSearchParams, name = 'Clave'): string => form.get(name) ?? ''

export const isChecked = (form: URLSearchParams, name: string): boolean => form.has(name)
