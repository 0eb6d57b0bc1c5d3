import { renderToString } from 'preact-render-to-string'
import { fold } from '../../catalogue/text.ts'
import { type Document, operationsOf } from '../../http/openapi/document.ts'
import { PROBLEMS } from '../../http/problems.ts'
import { Layout } from '../layout.tsx'
import { TextSection } from '../markdown.tsx'
import { operationAnchor, schemaAnchor, webhookAnchor } from './anchors.ts'
import type { Names } from './examples.ts'
import { CHAPTERS } from './guide/chapters.ts'
import { GuideAside, scopeOf } from './guide/page.tsx'
import { DEFAULT_LANGUAGE } from './languages.ts'

interface IndexEntry {
  href: string
  title: string
  /** Its kind, or the chapter that it belongs to. */
  kind: string
  titleText: string
  words: string
}

const MAX_FOUND = 40

/** Text without case, accents and punctuation. */
const searchable = (text: string): string => fold(text).replace(/[^a-z0-9]+/g, ' ')

const entry = (kind: string, title: string, href: string, ...words: (string | undefined)[]): IndexEntry => {
  const titleText = searchable(title)
  return { href, title, kind, titleText, words: `${titleText} ${searchable(words.join(' '))}` }
}

export function buildIndex(document: Document, names: Names): IndexEntry[] {
  const scope = scopeOf({ names, language: DEFAULT_LANGUAGE })
  const sections = CHAPTERS.flatMap(({ slug, title: chapter, sections }) =>
    sections.map((section) => {
      const { id, title } = section
      const html = renderToString(<TextSection section={section} scope={scope} />)
      const text = html.replace(/<pre[\s\S]*?<\/pre>/g, ' ').replace(/<[^>]+>|&\w+;/g, ' ')
      return entry(`Guía · ${chapter}`, title, `/docs/guia/${slug}#${id}`, chapter, text)
    }),
  )
  const operations = operationsOf(document.paths).map(({ path, method, operation }) =>
    entry(
      `${method.toUpperCase()} ${path}`,
      operation.summary,
      `/docs#${operationAnchor(operation.operationId)}`,
      ...[method, path, operation.description, ...operation.tags],
    ),
  )
  const topics = Object.entries(document.webhooks ?? {}).map(([topic, { post }]) =>
    entry('Aviso', topic, `/docs#${webhookAnchor(topic)}`, post?.summary, post?.description),
  )
  const problems = Object.entries(PROBLEMS).map(([name, { status, title }]) =>
    entry(`Problema ${status}`, title, `/problemas/${name}`, name, String(status)),
  )
  const schemas = Object.entries(document.components.schemas).map(([name, { description, properties = {} }]) =>
    entry('Esquema', name, `/docs#${schemaAnchor(name)}`, description, ...Object.keys(properties)),
  )
  return [...sections, ...operations, ...topics, ...problems, ...schemas]
}

/** The entries that contain every word; matches in the title come first. */
export function search(index: IndexEntry[], question: string): IndexEntry[] {
  const query = searchable(question).split(' ').filter(Boolean)
  if (query.length === 0) return []
  const has = (words: string) => query.every((word) => words.includes(word))
  const [byTitle, byWords] = [index.filter((each) => has(each.titleText)), index.filter((each) => has(each.words))]
  return [...new Set([...byTitle, ...byWords])].slice(0, MAX_FOUND)
}

export function searchPage(query: string, found: IndexEntry[]) {
  return (
    <Layout title="Buscar" section="/docs/guia" aside={<GuideAside language={DEFAULT_LANGUAGE} query={query} />}>
      <header class="lead">
        <h1>Buscar en la documentación</h1>
        <p role="status">{summaryOf(query, found.length)}</p>
      </header>
      <ul class="found">
        {found.map(({ href, title, kind }) => (
          <li key={href}>
            <a href={href}>{title}</a>
            <span>{kind}</span>
          </li>
        ))}
      </ul>
    </Layout>
  )
}

function summaryOf(query: string, count: number): string {
  if (query.trim() === '') return 'Escriba una palabra: el nombre de un dato, un estado, un topic, lo que quiera hacer.'
  if (count === 0) return `Nada dice «${query}». Pruebe con menos palabras, o con el nombre de un dato.`
  return `${count === 1 ? 'Un lugar dice' : `${count} lugares dicen`} «${query}».`
}
