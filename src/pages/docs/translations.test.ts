import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { lexer, type Tokens, walkTokens } from 'marked'
import { send } from '../../../tests/support/caller.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { CODE_LIST } from '../../http/codes.ts'
import { documentOf } from '../../http/openapi.ts'
import { inLocale, LOCALES } from '../../i18n/locale.ts'
import { TRANSLATIONS, translateDocument } from './translate.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.stop())

const PAGES = fileURLToPath(new URL('..', import.meta.url))
/** The folders with the long texts of the docs. */
const FOLDERS = ['docs', 'docs/guide', 'problemas']
const OTHERS = ['pt', 'en'] as const

const filesOf = (folder: string, locale: string) => readdirSync(`${PAGES}${folder}/${locale}`).sort()
const textOf = (folder: string, locale: string, file: string) =>
  readFileSync(`${PAGES}${folder}/${locale}/${file}`, 'utf8')

/** Forms of a line, which are said in words of the language. */
const IN_WORDS = ['nombre:valor', 'id.timestamp.cuerpo', '{así}']

/** What a text has in every language: its order is that of the Spanish one, except within sentences. */
function structureOf(text: string) {
  const tokens: Tokens.Generic[] = []
  walkTokens(lexer(text), (token) => {
    tokens.push(token)
  })
  const texts = (type: string, read: (token: Tokens.Generic) => string) =>
    tokens.filter((token) => token.type === type).map(read)
  return {
    blocks: lexer(text).map(({ type }) => type),
    headings: texts('heading', ({ depth, text }) => `${depth} ${/\{#[\w-]+\}/.exec(text) ?? ''}`),
    rows: texts('table', ({ rows, header }) => `${rows.length} × ${header.length}`),
    samples: texts('code', ({ text }) => text),
    links: texts('link', ({ href }) => href).sort(),
    placeholders: (text.match(/\{\{(?!caption ).+?\}\}/g) ?? []).sort(),
  }
}

/** Names of members, paths, commands and other code in a text. */
const codesIn = (text: string) => {
  const found = new Set<string>()
  walkTokens(lexer(text), (token) => {
    if (token.type === 'codespan') found.add(token.text)
  })
  return found
}

describe('translations of the documentation', () => {
  it('every long text exists in each language, with the same sections, samples, links, placeholders and names', () => {
    for (const folder of FOLDERS)
      for (const locale of OTHERS) {
        assert.deepEqual(filesOf(folder, locale), filesOf(folder, 'es'), `${folder}/${locale}`)
        for (const file of filesOf(folder, 'es')) {
          const [text, spanish] = [textOf(folder, locale, file), textOf(folder, 'es', file)]
          const at = `${folder}/${locale}/${file}`
          assert.deepEqual(structureOf(text), structureOf(spanish), at)
          const codes = codesIn(text)
          const missing = [...codesIn(spanish)].filter((code) => !codes.has(code) && !IN_WORDS.includes(code))
          assert.deepEqual(missing, [], at)
        }
      }
  })

  it('every text of the OpenAPI document and of the codes is translated, and nothing else is', () => {
    const { info, tags, paths, webhooks, components } = documentOf(server.app)
    const { securitySchemes: _, ...shown } = components // they are not on the page
    const texts = new Set([info.description, ...CODE_LIST.flatMap(({ meaning, remedy }) => [meaning, remedy])])
    JSON.stringify([tags, paths, webhooks, shown], (key, value) => {
      if (/^(summary|description|x-displayName)$/.test(key) && typeof value === 'string') texts.add(value)
      return value
    })
    for (const locale of OTHERS) {
      const translations = TRANSLATIONS[locale]()
      const missing = [...texts].filter((text) => !translations.has(text))
      const unused = [...translations.keys()].filter((text) => !texts.has(text))
      assert.deepEqual({ missing, unused }, { missing: [], unused: [] }, `src/pages/docs/texts/${locale}.json`)
    }
  })

  it('names, paths and examples of the OpenAPI document stay as they are', () => {
    const bare = (value: unknown) =>
      JSON.stringify(value, (key, each) => (/^(summary|description|x-displayName)$/.test(key) ? undefined : each))
    const document = documentOf(server.app)
    for (const locale of OTHERS) assert.equal(bare(inLocale(locale, () => translateDocument(document))), bare(document))
  })

  it('200: each page is in the language of its address, else of the choice, else of the browser', async () => {
    const page = (path: string, headers = {}) => send(server.url, path, { headers })
    const titles = { es: 'Firmar una llamada', pt: 'Assinar uma chamada', en: 'Sign a call' }
    for (const locale of LOCALES) {
      const byHeader = await page('/docs/guia/firmar', { 'accept-language': locale })
      assert.match(byHeader.text, new RegExp(`<html lang="${locale}"[\\s\\S]*<h1>${titles[locale]}</h1>`))
      assert.equal(byHeader.headers['content-language'], locale)
      assert.match(byHeader.headers.vary ?? '', /Accept-Language, Cookie/)
      for (const each of LOCALES)
        assert.ok(
          byHeader.headers.link?.includes(`/docs/guia/firmar?idioma=${each}>; rel="alternate"; hreflang="${each}"`),
        )
      const other = { 'accept-language': locale === 'pt' ? 'en' : 'pt', cookie: 'rodado_idioma=es' }
      const byAddress = await page(`/docs/guia/firmar?idioma=${locale}`, other)
      assert.ok(byAddress.text.includes(`<h1>${titles[locale]}</h1>`))
      const same = { 'accept-language': locale, 'if-none-match': byHeader.headers.etag }
      assert.equal((await page(`/docs/guia/firmar?idioma=${locale}`, same)).status, 304)
      const markdown = await page('/docs/guia/firmar.md', { ...other, 'accept-language': locale })
      assert.ok(markdown.text.startsWith(`# ${titles[locale]}\n`), 'a cookie does not matter')
      assert.doesNotMatch(markdown.headers.vary ?? '', /Cookie/)
    }
    const llms = await page('/llms.txt?idioma=en')
    assert.match(llms.text, /\[Sign a call\]\(http[^)]*\/docs\/guia\/firmar\.md\?idioma=en\)/)
    assert.match((await page('/docs?idioma=en')).text, /Invite a dealership by email/)
    assert.match((await page('/problemas/codigos/muy-corto?idioma=pt')).text, /menos caracteres que o mínimo/)
    assert.match((await page('/problemas/no-existe?idioma=en')).text, /Why it happens/)
    assert.match((await page('/docs/cambios?idioma=pt')).text, /Mudanças da API/)
  })

  it('200: a search finds what the language of the reader says', async () => {
    const found = async (query: string, locale: string) =>
      (await send(server.url, `/docs/buscar?q=${encodeURIComponent(query)}&idioma=${locale}`)).text
    assert.ok((await found('dealership invitaton', 'en')).includes('/docs/guia/invitar?idioma=en#'))
    assert.ok((await found('assinatura', 'pt')).includes('/docs/guia/firmar?idioma=pt#'))
    assert.ok(
      (await found('ExposicionOtorgada', 'en')).includes('/docs?idioma=en#esquema-Publicacion'),
      'names are the same',
    )
  })
})
