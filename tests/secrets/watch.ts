import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import type { Seal } from '../../src/store/sealed.ts'
import { processLogs } from '../support/rodado-process.ts'
import type { TestServer } from '../support/server.ts'
import { PERSONAL_COLUMNS } from './allowed.ts'
import { newTold, noteMember, noteOf, noteSealed, noteSecret, noteText, readJson } from './told.ts'
import { marksIn, marksInStore } from './traces.ts'

/**
 * Keeps in mind whatever is secret or somebody's that a server seals, is sent or answers, and when the server stops looks
 * for it where it must not be: logs, metrics, refusals, columns, letters.
 */
export interface Watch {
  /** The same seal; what it seals and opens is secret. */
  over(seal: Seal): Seal
  /** Hears what is asked and answered. */
  hear(app: FastifyInstance): void
  /** Fails where something stands that must not. */
  end(server: TestServer): Promise<void>
}

interface Refusal {
  title: string
  asked: string
  isTheirs: boolean
  text: string
}

/** An answer as it was written: its status, its head and its body. */
interface Said {
  statusCode: number
  head: string
  text: string
}

/** What every server has, whatever happens in it. */
const OF_THE_HOUSE = /^sealed signing-key:/
const ONE_TIME = /^\/(registro|clave|colaborar|equipo|personal|baja)\/[\w-]{43}/

export function createWatch(): Watch {
  const told = newTold()
  const refusals: Refusal[] = []
  const letters: string[] = []

  function heard(
    { method = '', url = '', headers }: IncomingMessage,
    body: string,
    { statusCode: status, head, text }: Said,
  ) {
    noteText(told, `${headers.cookie} ${head} ${url} ${text}`)
    if (headers.authorization?.startsWith('Bearer ')) noteSecret(told, 'bearer', headers.authorization.slice(7))
    noteMember(told, '', readJson(body) ?? Object.fromEntries(new URLSearchParams(body)))
    if (status < 400) noteMember(told, '', shownOnce(readJson(text)))
    // A page that is refused to somebody who has shown who they are may call them by their name.
    const isTheirs = /text\/html/.test(head) && (/rodado_session=./.test(headers.cookie ?? '') || ONE_TIME.test(url))
    if (status >= 400)
      refusals.push({ title: `${status} ${method} ${url}`, asked: plain(`${url} ${body}`), isTheirs, text })
  }

  return {
    over: (seal) => ({
      ...seal,
      seal(secret, purpose) {
        if (purpose === 'mail') letters.push(secret)
        noteSealed(told, secret, purpose)
        return seal.seal(secret, purpose)
      },
      open(sealed, purpose) {
        const secret = seal.open(sealed, purpose)
        noteSealed(told, secret, purpose)
        return secret
      },
    }),

    hear(app) {
      // Before the house itself: what it can answer at once, it has answered when later listeners are called.
      app.server.prependListener('request', (request, response) => {
        const asked = overhear(request, 'emit', (name, chunk) => (name === 'data' ? chunk : undefined))
        const head = overhear(response, 'writeHead', (...args) => JSON.stringify(args))
        const answered = [overhear(response, 'write', (chunk) => chunk), overhear(response, 'end', (chunk) => chunk)]
        response.once('finish', () => {
          const text = answered.map((each) => each()).join('')
          heard(request, asked(), { statusCode: response.statusCode, head: head(), text })
        })
      })
    },

    async end(server) {
      await notePeople(server)
      const { secrets, tokens, persons } = told
      const all = { ...secrets, ...tokens, ...persons }
      const ofStory = Object.keys(secrets).filter((name) => !OF_THE_HOUSE.test(name))
      assert.ok(ofStory.length > 0, 'nothing secret happened: this shows nothing')
      const found: string[] = []
      const note = (where: string, names: string[]) => found.push(...names.map((name) => `${where} holds ${name}`))
      note('a log line', marksIn(server.logged() + processLogs(server.connection), all))
      note('a metric', marksIn(await server.metrics.metrics(), all))
      for (const { title, asked, isTheirs, text } of refusals) {
        const own = new Set(marksIn(asked, { ...tokens, ...persons }))
        const tells = (name: string) => name in secrets || (!own.has(name) && !(isTheirs && name in persons))
        note(title, marksIn(text, all).filter(tells))
      }
      note('a letter', marksIn(letters.join('\n'), secrets))
      note('the store', await marksInStore(server.store, { ...secrets, ...tokens }))
      const columns = await marksInStore(server.store, persons)
      note(
        'the store',
        columns.filter((each) => !PERSONAL_COLUMNS.has(each.split(' ')[0] ?? '')),
      )
      assert.deepEqual([...new Set(found)], [], 'what is secret or personal stands where it must not')
    },
  }

  /** Everyone whom the store knows, whether or not their names passed here. */
  async function notePeople({ store }: TestServer): Promise<void> {
    const deps = await store.query<Record<string, string>>(sql`
      select email as "Email", nombre as "Nombre", apellido as "Apellido" from accounts`)
    for (const person of deps) for (const [name, value] of Object.entries(person)) noteOf(told, name, value)
    const inquiries = await store.query<{ interesado: string }>(sql`select interesado from consultas`)
    for (const { interesado } of inquiries) noteMember(told, 'Interesado', JSON.parse(interesado))
  }
}

/** Of what was answered with a yes, what was shown once: everything else in it was asked for by somebody who may. */
const shownOnce = (answer: Record<string, unknown> | undefined) =>
  Object.fromEntries(
    Object.entries(answer ?? {}).filter(([name]) => /^(access_token|Secret|AppSecret|SitioKey)$/.test(name)),
  )

/** As it was typed: what an address or a form encodes is decoded. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** What goes through a method of a stream, as text; the method does as ever. */
function overhear<Name extends string>(
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
