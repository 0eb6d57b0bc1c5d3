import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { exampleOf, fileNameOf, TASKS, type Task } from '../examples.ts'
import { languages, type SampleLanguage } from '../languages.ts'

/**
 * What can be known of a program without running it. Where a runtime is missing these tests are what stands between a
 * reader and a slip of the pen; where it is there they cost nothing.
 */
const NAMES = { publicUrl: 'http://127.0.0.1:3000', signaturePrefix: 'SVC' }
const contract = JSON.parse(readFileSync(new URL('../../../../contract/openapi.json', import.meta.url), 'utf8'))

const textOf = (task: Task, language: SampleLanguage) => exampleOf(task, language, NAMES)
const sorted = (values: Iterable<string>) => [...new Set(values)].sort()
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

/** The collections that a program calls: the first segment under /v3. */
const collections = (text: string) => sorted(all(withoutComments(text), /\/v3\/([a-z]+)/g))
const withoutComments = (text: string) => text.replace(/^\s*(?:\/\/|#|<\?php \/\/).*$/gm, '')
/** The endings that say which act is meant. */
const ACTS = ['bestmatch', 'prueba', 'lote', 'entregas/reenviar', 'simular=true', 'fallida,descartada', 'oauth/token']
const actsOf = (text: string) => ACTS.filter((act) => withoutComments(text).includes(act))
const methodsOf = (text: string) => sorted(all(withoutComments(text), /\b(GET|POST|PUT|PATCH|DELETE)\b/g))

test('in every language a program calls the same collections, for the same acts', () => {
  for (const task of TASKS)
    for (const language of languages) {
      const [text, other] = [textOf(task, language), textOf(task, 'javascript')]
      assert.deepEqual(collections(text), collections(other), fileNameOf(task, language))
      assert.deepEqual(actsOf(text), actsOf(other), fileNameOf(task, language))
    }
})

test('in every language that has the client, a program uses the same methods', () => {
  const callers = TASKS.filter((task) => !['rodado', 'con-token', 'verificar', 'notificacion'].includes(task))
  for (const task of callers)
    for (const language of languages)
      assert.deepEqual(methodsOf(textOf(task, language)), methodsOf(textOf(task, 'javascript')), `${task} ${language}`)
})

/** Every name that the contract gives to a member, and those of problems that it leaves open. */
function membersOf(value: unknown, found = new Set(['Conectar', 'Candidatos', '_entries', '_links', 'href', 'next'])) {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'properties') for (const member of Object.keys(inner as object)) found.add(member)
    membersOf(inner, found)
  }
  return found
}

test('a member that a program reads or sends is one of the contract', () => {
  const known = membersOf(contract.components.schemas)
  const READS: Record<SampleLanguage, RegExp> = {
    curl: /[(\s'"|]\.([A-Z_]\w+)/g,
    javascript: /(?:datos|Auto|Interesado|Extensions|_links)\??\.([A-Z_]\w+)/g,
    python: /\["([A-Z_]\w+)"\]|"([A-Z]\w+)":/g,
    php: /\['([A-Z_]\w+)'\]|'([A-Z]\w+)' =>/g,
    java: /\.get(?:AsJsonArray|AsJsonObject)?\("([A-Z_]\w+)"\)/g,
    csharp: /\["([A-Z_]\w+)"\]/g,
    go: /json:"([A-Z_]\w+)"|"([A-Z]\w+)": /g,
  }
  const HEADERS = new Set(['Digest', 'Date', 'Authorization', 'Location', 'Match', 'ETag', 'APP_SECRET', 'APP_KEY'])
  let seen = 0
  for (const task of TASKS)
    for (const language of languages)
      for (const [, read, sent] of textOf(task, language).matchAll(READS[language])) {
        const member = read ?? sent ?? ''
        if (HEADERS.has(member) || /^HTTP_/.test(member)) continue
        seen++
        assert.ok(known.has(member), `${fileNameOf(task, language)}: ${member}`)
      }
  assert.ok(seen > 100, 'members are found')
})

test('every client signs what the specification signs, and every receiver checks what it says', () => {
  for (const language of languages) {
    const client = textOf('rodado', language)
    for (const piece of ['SVC-HMAC', 'X-SVC-Date', 'X-SVC-Nonce', 'x-svc-', 'Digest', 'sha-256=', 'application/json'])
      assert.ok(client.includes(piece), `${fileNameOf('rodado', language)}: ${piece}`)
    const receiver = textOf('verificar', language)
    for (const piece of ['whsec_', 'v1,', '300', 'SECRET'])
      assert.ok(receiver.includes(piece), `${fileNameOf('verificar', language)}: ${piece}`)
    const second = textOf('notificacion', language)
    assert.match(second, /Notification-Signature-Anterior/)
  }
})

test('a receiver compares in constant time, and keeps an event under its id before it answers', () => {
  const PIECES = {
    javascript: ['timingSafeEqual(', "flag: 'wx'", '204'],
    python: ['hmac.compare_digest(', '"xb"', '204'],
    php: ['hash_equals(', "'x')", '204'],
    java: ['MessageDigest.isEqual(', 'StandardOpenOption.CREATE_NEW', '204'],
    go: ['hmac.Equal(', 'os.O_EXCL', '204'],
    csharp: ['CryptographicOperations.FixedTimeEquals(', 'FileMode.CreateNew', 'Results.NoContent()'],
  } as const
  for (const [language, [compares, keeps, answers]] of Object.entries(PIECES)) {
    const receiver = textOf('verificar', language as SampleLanguage)
    const places = [compares, keeps, answers].map((piece) => receiver.lastIndexOf(piece))
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
      `${language}: compares, keeps, answers`,
    )
    assert.ok(
      places.every((place) => place > 0),
      language,
    )
    assert.ok(textOf('notificacion', language as SampleLanguage).includes(compares), language)
  }
})

test('brackets close where they should, and no line is wider than a page', () => {
  const CLOSES: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
  for (const task of TASKS)
    for (const language of ['javascript', 'python', 'php', 'java', 'csharp', 'go'] as const) {
      const open: string[] = []
      for (const [sign] of withoutTexts(textOf(task, language)).matchAll(/[()[\]{}]/g)) {
        if (!CLOSES[sign]) open.push(sign)
        else assert.equal(open.pop(), CLOSES[sign], fileNameOf(task, language))
      }
      assert.deepEqual(open, [], fileNameOf(task, language))
    }
  for (const task of TASKS)
    for (const language of languages)
      for (const line of textOf(task, language).split('\n'))
        assert.ok(line.length <= 130, `${fileNameOf(task, language)}: ${line}`)
})

const withoutTexts = (text: string) =>
  text
    .replace(/\$"(?:[^"\\{]|\\.|\{[^{}]*\})*"/g, '')
    .replace(/"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '')
    .replace(/\/\*[\s\S]*?\*\/|(?:\/\/|#).*$/gm, '')
