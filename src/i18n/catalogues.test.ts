import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import IntlMessageFormat from 'intl-messageformat'
import { hardCoded, keysUsed, spanishIn } from '../../tests/support/texts.ts'
import { LOCALES } from './locale.ts'
import { readCatalogue } from './messages.tsx'

const SRC = fileURLToPath(new URL('..', import.meta.url))

/** Files and folders below src/ whose texts are all in the catalogues. */
const CONVERTED = ['mail/compose.ts', 'mail/content.ts', 'mail/layout.tsx', 'pages']

const ERRORS = 'texts of Errors, which the specification has in Spanish'
const DATA = 'data of made-up people and agencies'
const LETTERS = 'letters, not a text'
/** Files and folders with Spanish texts that are in no catalogue, and why. */
const EXCEPTIONS: Record<string, string> = {
  'accounts/password.ts': LETTERS,
  'catalogue/layers.ts': 'names of columns',
  'catalogue/match': ERRORS,
  cli: `commands are in English, and the demo writes ${DATA}`,
  'http/rows.ts': ERRORS,
  'record-calls.ts': 'placeholders in a path',
  'resources/agencias/read.ts': LETTERS,
  'resources/agencias/schema.ts': 'descriptions of references, which the OpenAPI document leaves out',
  'resources/agencias/tax-id.ts': 'letters, and the name of a document',
  'resources/consultas/intake.ts': ERRORS,
  'resources/publicaciones/lote': ERRORS,
  'sandbox/agency.ts': DATA,
  'sandbox/fiction': DATA,
  'sandbox/routes.ts': ERRORS,
  'transfer/read-file.ts': ERRORS,
}

/** What the OpenAPI documents and the codes say. Its translations are tested in src/pages/docs/translations.test.ts. */
const CONTRACT = ['../../contract/openapi.json', '../../contract/openapi-interno.json', '../pages/docs/texts/pt.json']
  .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('\n')
const inContract = (text: string) => CONTRACT.includes(JSON.stringify(text).slice(1, -1))

/** The scripts of the pages: their texts come from the page. */
const SCRIPTS = 'pages/assets'

/** Folders with long texts in Markdown, `es/NAME.md`, that have the same files in every language. */
const CONVERTED_MARKDOWN: string[] = ['mail', 'pages/portal/puesta-en-marcha']

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
const sourceOf = (path: string) => readFileSync(join(SRC, path), 'utf8')
const isBelow = (path: string, places: readonly string[]) =>
  places.some((each) => path === each || path.startsWith(`${each}/`))
const isConverted = (path: string) => isBelow(path, CONVERTED)

const [spanish, ...others] = LOCALES.map((locale) => ({ locale, texts: readCatalogue(locale) }))
assert.ok(spanish)

/** A part of a parsed message. */
interface Part {
  type: number
  value?: string
  children?: Part[]
  options?: Record<string, { value: Part[] }>
}

const [LITERAL, PLURAL, POUND] = [0, 6, 7] // the parser's own numbers

const partsOf = (text: string) => new IntlMessageFormat(text, 'es').getAst() as Part[]

/** A part and all within it. */
const withDescendants = (part: Part): Part[] => [
  part,
  ...(part.children ?? []).flatMap(withDescendants),
  ...Object.values(part.options ?? {}).flatMap(({ value }) => value.flatMap(withDescendants)),
]

/** True if a plural says “one” of zero: its form for one writes no number, and there is no other for zero. */
const readsZeroAsOne = ({ type, options: { one, ...others } = {} }: Part): boolean =>
  type === PLURAL &&
  !!one &&
  !('=0' in others) &&
  !one.value.flatMap(withDescendants).some((each) => each.type === POUND)

/** The parameters and tags of a message. */
function parametersOf(text: string): string[] {
  const found = new Set<string>()
  function visit({ type, value = '', children, options = {} }: Part): void {
    if (type === LITERAL || type === POUND) return
    // Every text has `country`, and may choose a word by it.
    if (value !== 'country') found.add(children ? `<${value}>` : value)
    children?.forEach(visit)
    for (const option of Object.values(options)) option.value.forEach(visit)
  }
  partsOf(text).forEach(visit)
  return [...found].sort()
}

describe('texts', () => {
  it('every language has the keys of Spanish, and no other', () => {
    const keys = [...spanish.texts.keys()].sort()
    for (const { locale, texts } of others) assert.deepEqual([...texts.keys()].sort(), keys, locale)
  })

  it('no text is empty, and each has the parameters of the Spanish one', () => {
    for (const { locale, texts } of [spanish, ...others])
      for (const [key, text] of texts) {
        assert.notEqual(text.trim(), '', `${locale} ${key}`)
        assert.deepEqual(parametersOf(text), parametersOf(spanish.texts.get(key) ?? ''), `${locale} ${key}`)
      }
  })

  it('where zero takes the form for one, as in Portuguese, that form does not say “one”', () => {
    for (const { locale, texts } of others)
      if (new Intl.PluralRules(locale).select(0) === 'one')
        for (const [key, text] of texts)
          assert.ok(!partsOf(text).flatMap(withDescendants).some(readsZeroAsOne), `${locale} ${key}: =1 instead of one`)
  })

  it('every text is used', () => {
    const used = keysUsed(files.map(sourceOf))
    assert.deepEqual(
      [...spanish.texts.keys()].filter((key) => !used(key)),
      [],
    )
  })

  it('no text is written in the code of what is converted', () => {
    for (const each of CONVERTED) assert.ok(files.some(isConverted), `${each} exists`)
    const scripts = readdirSync(join(SRC, SCRIPTS)).filter((name) => name.endsWith('.js'))
    assert.ok(scripts.length > 0)
    const found = [...files.filter(isConverted), ...scripts.map((name) => join(SCRIPTS, name))].flatMap((path) =>
      hardCoded(sourceOf(path)).map((text) => `${path}: ${text}`),
    )
    assert.deepEqual(found, [])
  })

  it('no Spanish text is written in the code of anything else, except what the contract says', () => {
    const found = files
      .filter((path) => !isConverted(path))
      .flatMap((path) => spanishIn(sourceOf(path)).map((text) => ({ path, text })))
      .filter(({ text }) => !inContract(text))
    assert.deepEqual(
      found.filter(({ path }) => !isBelow(path, Object.keys(EXCEPTIONS))),
      [],
    )
    for (const each of Object.keys(EXCEPTIONS))
      assert.ok(
        found.some(({ path }) => isBelow(path, [each])),
        `${each} needs no exception`,
      )
  })

  it('long texts exist in every language, with the same things to fill in', () => {
    const filledIn = (text: string) => [...new Set(text.match(/\{\{[^}]+\}\}/g))].sort()
    for (const folder of CONVERTED_MARKDOWN) {
      const names = readdirSync(join(SRC, folder, 'es'), { recursive: true, encoding: 'utf8' }).sort()
      for (const locale of LOCALES) {
        assert.deepEqual(readdirSync(join(SRC, folder, locale), { recursive: true, encoding: 'utf8' }).sort(), names)
        for (const name of names.filter((each) => each.endsWith('.md'))) {
          const [text, same] = [locale, 'es'].map((each) => sourceOf(join(folder, each, name))) as [string, string]
          assert.deepEqual(filledIn(text), filledIn(same), `${folder}/${locale}/${name}`)
        }
      }
    }
  })

  it('the rule itself finds written texts', () => {
    const found = hardCoded(`
      const columns = [{ head: 'Correo', cell: () => <p title="Ver más">Hola {isNew ? 'nueva' : t('a.b')}</p> }]
      const filter = textFilter('Agencia')
      const fault = 'Falta el correo.'
      const fine = <code class="big">npm test</code>
      const named = <a href="/x" rel="next">{'·'} CSV</a>`)
    assert.deepEqual(found, ['Correo', 'Ver más', 'Hola', 'nueva', 'Agencia', 'Falta el correo.'])
    const spanish = spanishIn(`
      const outcome = { reason: 'Tardó demasiado.', code: 'timeout' }
      const rows = sql\`select el from la\`
      const errors = { _: [fault('requerido', 'Falta la fecha.')] }
      const text = \`Puede tener hasta \${most} filas\`
      throw new Error('The agency was not stored.')`)
    assert.deepEqual(spanish, ['Tardó demasiado.', 'Puede tener hasta'])
  })
})
