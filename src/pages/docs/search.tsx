import { setImmediate } from 'node:timers/promises'
import MiniSearch, { type Query, type SearchResult } from 'minisearch'
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { fold } from '../../catalogue/text.ts'
import { CODE_LIST } from '../../http/codes.ts'
import { type Document, operationsOf } from '../../http/openapi/document.ts'
import { PROBLEMS } from '../../http/problems.ts'
import { currentLocale, inLocale, type Locale } from '../../i18n/locale.ts'
import { t } from '../../i18n/messages.tsx'
import { type MarkdownScope, type MarkdownSection, TextSection } from '../markdown.tsx'
import { codeHref } from '../problemas/codes.tsx'
import { publicHref } from '../public-href.ts'
import { operationAnchor, schemaAnchor, webhookAnchor } from './anchors.ts'
import { CHANGES } from './changes.tsx'
import { DocsSearchForm } from './contents.tsx'
import type { Names } from './examples.ts'
import { guide } from './guide/chapters.ts'
import { GuideAside, scopeOf } from './guide/page.tsx'
import { DEFAULT_LANGUAGE } from './languages.ts'
import { DocsLayout } from './layout.tsx'
import { translate, translateDocument } from './translate.ts'

interface IndexEntry {
  href: string
  title: string
  /** Where it is: the chapter, or the kind of thing. */
  place: string
  text: string
}

/** A result with the words that matched, as they are in the index. */
type Found = Pick<IndexEntry, 'href' | 'title' | 'place' | 'text'> & { terms: string[] }

interface SearchIndex {
  search(query: string): Found[]
}

const MAX_FOUND = 30
/** Shorter words would be similar to half of the index. */
const MIN_FUZZY_LENGTH = 4
/** A word may have an error in every five letters. */
const FUZZINESS = 0.2
/** Longer words are rarely typed. */
const MAX_SWAPPED_LENGTH = 20
/** Each word is looked up by its beginning, which is slow for single letters. */
const MAX_WORDS = 12
const SLICE_MS = 5

/** The word with each pair of neighbouring letters swapped: a frequent typing error, which `fuzzy` counts as two. */
function swapsOf(word: string): string[] {
  if (word.length < MIN_FUZZY_LENGTH || word.length > MAX_SWAPPED_LENGTH) return []
  return [...word].slice(1).map((letter, at) => word.slice(0, at) + letter + word[at] + word.slice(at + 2))
}

/** The words of a text without case and accents; `PrecioDesde` is also found by each of its parts. */
function wordsOf(text: string): string[] {
  const names = text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  return names.flatMap((name) => {
    const parts = name.split(/(?<=[a-z])(?=[A-Z])/)
    return (parts.length > 1 ? [name, ...parts] : [name]).map(fold)
  })
}

/** In slices: requests go on meanwhile. */
export async function buildIndex(document: Document, names: Names, locale: Locale): Promise<SearchIndex> {
  const index = new MiniSearch<IndexEntry>({
    idField: 'href',
    fields: ['title', 'place', 'text'],
    tokenize: wordsOf,
    processTerm: (word) => word, // `wordsOf` has folded it
    searchOptions: {
      boost: { title: 4, place: 2 },
      prefix: true,
      fuzzy: (word) => (word.length >= MIN_FUZZY_LENGTH && !/^\d+$/.test(word) ? FUZZINESS : false),
      combineWith: 'AND',
    },
  })
  const byHref = new Map<string, IndexEntry>()
  await inLocale(locale, async () => {
    let sliceEnd = performance.now() + SLICE_MS
    for (const entry of entriesOf(translateDocument(document), names)) {
      index.add(entry)
      byHref.set(entry.href, entry)
      if (performance.now() < sliceEnd) continue
      await setImmediate()
      sliceEnd = performance.now() + SLICE_MS
    }
  })
  const foundOf = ({ id, terms }: SearchResult): Found => ({ ...(byHref.get(id) as IndexEntry), terms })
  return {
    search(query) {
      const words = [...new Set(wordsOf(query))].slice(0, MAX_WORDS)
      const orSwapped = (word: string): Query => ({
        combineWith: 'OR',
        queries: [word, { combineWith: 'OR', fuzzy: false, queries: swapsOf(word) }],
      })
      const long = words.filter((word) => word.length >= MIN_FUZZY_LENGTH)
      const all = index.search(words.join(' '))
      const forgiven = () => index.search({ combineWith: 'AND', queries: words.map(orSwapped) })
      // If no place has every word, those that have some of the longer ones.
      const some = () => index.search(long.join(' '), { combineWith: 'OR' })
      const found = all.length > 0 ? all : forgiven()
      return (found.length > 0 ? found : some()).slice(0, MAX_FOUND).map(foundOf)
    },
  }
}

function* entriesOf(document: Document, names: Names): Generator<IndexEntry> {
  const entry = (place: string, title: string, href: string, ...texts: (string | undefined)[]): IndexEntry => ({
    place,
    title,
    href,
    text: texts.filter(Boolean).join(' '),
  })
  const scope = scopeOf({ names, language: DEFAULT_LANGUAGE })
  const reference = t('docs.more.reference')
  const problems = t('comun.shell.problems')
  for (const { slug, title: chapter, sections } of guide().chapters)
    for (const section of sections)
      yield entry(
        `${t('docs.more.guide')} › ${chapter}`,
        section.title,
        `/docs/guia/${slug}#${section.id}`,
        textOf(section, scope),
      )
  for (const { path, method, operation } of operationsOf(document.paths))
    yield entry(
      `${reference} › ${method.toUpperCase()} ${path}`,
      operation.summary,
      `/docs#${operationAnchor(operation.operationId)}`,
      operation.description,
    )
  for (const [topic, { post }] of Object.entries(document.webhooks ?? {}))
    yield entry(
      `${reference} › ${t('docs.contents.webhooks')}`,
      topic,
      `/docs#${webhookAnchor(topic)}`,
      post?.summary,
      post?.description,
    )
  for (const [name, { status, title }] of Object.entries(PROBLEMS))
    yield entry(`${problems} › ${status}`, title, `/problemas/${name}`, name)
  for (const { code, problem, meaning, remedy, status = PROBLEMS[problem].status } of CODE_LIST)
    yield entry(
      `${problems} › ${status} › ${t('docs.search.code')}`,
      code,
      codeHref(code),
      translate(meaning),
      translate(remedy),
    )
  for (const [name, { description, properties = {} }] of Object.entries(document.components.schemas))
    yield entry(
      `${reference} › ${t('docs.contents.schemas')}`,
      name,
      `/docs#${schemaAnchor(name)}`,
      description,
      Object.entries(properties)
        .map(([member, schema]) => (schema.description ? `${member}: ${schema.description}` : member))
        .join(' · '),
    )
  for (const section of CHANGES[currentLocale()].sections)
    yield entry(t('docs.more.changes'), section.title, `/docs/cambios#${section.id}`, textOf(section, { values: {} }))
}

const SIGNS: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }

/** What a reader sees of a section, except its programs. */
function textOf(section: MarkdownSection, scope: MarkdownScope): string {
  const html = renderToString(<TextSection section={section} scope={scope} />)
  return html
    .replace(/<h2>[\s\S]*?<\/h2>|<figure[\s\S]*?<\/figure>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&\w+;/g, (sign) => SIGNS[sign] ?? ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[,.;:)])|(?<=\() /g, '') // inline code ends before punctuation
    .trim()
}

export function searchPage(query: string, found: Found[]) {
  return (
    <DocsLayout title={t('comun.list.search')} section="/docs/guia" aside={<GuideAside hasSearch={false} />}>
      <header class="lead">
        <h1>{t('docs.search.title')}</h1>
        <DocsSearchForm query={query} />
        <p role="status">{summaryOf(query, found.length)}</p>
      </header>
      <FoundList found={found} />
    </DocsLayout>
  )
}

/** The results below the search field, while the reader types. */
export const searchPart = (query: string, found: Found[]) => (
  <>
    <p role="status">{summaryOf(query, found.length)}</p>
    <FoundList found={found.slice(0, MAX_SUGGESTED)} />
  </>
)

const MAX_SUGGESTED = 8

const FoundList = ({ found }: { found: Found[] }) => (
  <ul class="found">
    {found.map(({ href, title, place, text, terms }) => (
      <li key={href}>
        <a href={publicHref(href)}>{marked(title, terms)}</a>
        <span>{place}</span>
        <span class="excerpt">{marked(excerptOf(text, terms), terms)}</span>
      </li>
    ))}
  </ul>
)

const EXCERPT_LENGTH = 160 // characters

/** The part of the text around the first word that matched, or its beginning. */
function excerptOf(text: string, terms: string[]): string {
  const [first] = matchesOf(text, terms)
  const start = Math.max(0, (first?.index ?? 0) - EXCERPT_LENGTH / 3)
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const whole = text.length <= from + EXCERPT_LENGTH
  const end = whole ? text.length : text.lastIndexOf(' ', from + EXCERPT_LENGTH)
  return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${whole ? '' : ' …'}`
}

/** A text with the words that matched marked. */
function marked(text: string, terms: string[]): ComponentChildren[] {
  const parts: ComponentChildren[] = []
  let end = 0
  for (const { index, word } of matchesOf(text, terms)) {
    parts.push(text.slice(end, index), <mark>{word}</mark>)
    end = index + word.length
  }
  return [...parts, text.slice(end)]
}

/** The words of a text that are among the terms, or begin with the part of a name that is one. */
function* matchesOf(text: string, terms: string[]): Generator<{ index: number; word: string }> {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu))
    if (wordsOf(word).some((each) => terms.includes(each))) yield { index, word }
}

function summaryOf(query: string, count: number): string {
  if (query.trim() === '') return t('docs.search.empty')
  if (count === 0) return t('docs.search.none', { query })
  return t(count < MAX_FOUND ? 'docs.search.found' : 'docs.search.best', { query, count })
}
