import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import type { Seal } from '../../src/store/sealed.ts'
import { processLogs } from '../support/rodado-process.ts'
import type { TestServer } from '../support/server.ts'
import { PERSONAL_COLUMNS } from './allowed.ts'
import { addMember, addPersonal, addSealed, addSecret, addText, createSensitive, readJson } from './sensitive.ts'
import { marksIn, marksInStore } from './traces.ts'

/**
 * Collects every secret and all personal data that a server seals, receives or sends. When the server stops, it searches logs,
 * metrics, refusals, columns and emails for them.
 */
export interface Watch {
  /** Wraps the seal: what it seals and opens is secret. */
  over(seal: Seal): Seal
  /** Collects requests and responses. */
  attachTo(app: FastifyInstance): void
  /** Fails if something is where it must not be. */
  end(server: TestServer): Promise<void>
}

interface Refusal {
  title: string
  request: string
  isTheirs: boolean
  text: string
}

/** A response as written. */
interface WrittenResponse {
  statusCode: number
  head: string
  text: string
}

/** Exists in every server. */
const IN_EVERY_SERVER = /^sealed signing-key:/
const ONE_TIME = /^\/(registro|clave|colaborar|equipo|personal|baja)\/[\w-]{43}/

export function createWatch(): Watch {
  const sensitive = createSensitive()
  const refusals: Refusal[] = []
  const emails: string[] = []

  function onExchange(
    { method = '', url = '', headers }: IncomingMessage,
    body: string,
    { statusCode: status, head, text }: WrittenResponse,
  ) {
    addText(sensitive, `${headers.cookie} ${head} ${url} ${text}`)
    if (headers.authorization?.startsWith('Bearer ')) addSecret(sensitive, 'bearer', headers.authorization.slice(7))
    addMember(sensitive, '', readJson(body) ?? Object.fromEntries(new URLSearchParams(body)))
    if (status < 400) addMember(sensitive, '', shownOnce(readJson(text)))
    // A refused page may greet a signed-in user by name.
    const isTheirs = /text\/html/.test(head) && (/rodado_session=./.test(headers.cookie ?? '') || ONE_TIME.test(url))
    if (status >= 400)
      refusals.push({ title: `${status} ${method} ${url}`, request: plain(`${url} ${body}`), isTheirs, text })
  }

  return {
    over: (seal) => ({
      ...seal,
      seal(secret, purpose) {
        if (purpose === 'mail') emails.push(secret)
        addSealed(sensitive, secret, purpose)
        return seal.seal(secret, purpose)
      },
      open(sealed, purpose) {
        const secret = seal.open(sealed, purpose)
        addSealed(sensitive, secret, purpose)
        return secret
      },
    }),

    attachTo(app) {
      // Before the application's own listeners, which may answer synchronously.
      app.server.prependListener('request', (request, response) => {
        const body = recordText(request, 'emit', (name, chunk) => (name === 'data' ? chunk : undefined))
        const head = recordText(response, 'writeHead', (...args) => JSON.stringify(args))
        const answered = [
          recordText(response, 'write', (chunk) => chunk),
          recordText(response, 'end', (chunk) => chunk),
        ]
        response.once('finish', () => {
          const text = answered.map((each) => each()).join('')
          onExchange(request, body(), { statusCode: response.statusCode, head: head(), text })
        })
      })
    },

    async end(server) {
      await notePeople(server)
      const { secrets, tokens, persons } = sensitive
      const all = { ...secrets, ...tokens, ...persons }
      const ofStory = Object.keys(secrets).filter((name) => !IN_EVERY_SERVER.test(name))
      assert.ok(ofStory.length > 0, 'nothing secret happened: this shows nothing')
      const found: string[] = []
      const note = (where: string, names: string[]) => found.push(...names.map((name) => `${where} holds ${name}`))
      note('a log line', marksIn(server.logged() + processLogs(server.connection), all))
      note('a metric', marksIn(await server.metrics.metrics(), all))
      for (const { title, request, isTheirs, text } of refusals) {
        const own = new Set(marksIn(request, { ...tokens, ...persons }))
        const isLeak = (name: string) => name in secrets || (!own.has(name) && !(isTheirs && name in persons))
        note(title, marksIn(text, all).filter(isLeak))
      }
      note('an email', marksIn(emails.join('\n'), secrets))
      const isAllowed = (each: string) => {
        const [column = ''] = each.split(' ', 1)
        return PERSONAL_COLUMNS.has(column) && each.slice(column.length + 1) in persons
      }
      note(
        'the store',
        (await marksInStore(server.store, all)).filter((each) => !isAllowed(each)),
      )
      assert.deepEqual([...new Set(found)], [], 'what is secret or personal stands where it must not')
    },
  }

  /** Adds every person in the database, also those that were not in a request. */
  async function notePeople({ store }: TestServer): Promise<void> {
    const deps = await store.query<Record<string, string>>(sql`
      select email as "Email", nombre as "Nombre", apellido as "Apellido" from accounts`)
    for (const person of deps) for (const [name, value] of Object.entries(person)) addPersonal(sensitive, name, value)
    const inquiries = await store.query<{ interesado: string }>(sql`select interesado from consultas`)
    for (const { interesado } of inquiries) addMember(sensitive, 'Interesado', JSON.parse(interesado))
  }
}

/** The secrets of a successful response that are shown once; the caller may see the rest. */
const shownOnce = (answer: Record<string, unknown> | undefined) =>
  Object.fromEntries(
    Object.entries(answer ?? {}).filter(([name]) => /^(access_token|Secret|AppSecret|SitioKey)$/.test(name)),
  )

/** The decoded form of a URL or form body. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Records the text that passes through a method of a stream. */
function recordText<Name extends string>(
  stream: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  chunkOf: (...args: unknown[]) => unknown,
): () => string {
  const chunks: Buffer[] = []
  const real = stream[name].bind(stream) as (...args: unknown[]) => unknown
  stream[name] = ((...args: unknown[]) => {
    const chunk = chunkOf(...args)
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
    return real(...args)
  }) as (typeof stream)[Name]
  return () => Buffer.concat(chunks).toString('utf8')
}
