import { fold } from '../../catalogue/text.ts'
import { markup } from '../../http/markup.ts'
import { type Document, operationsOf } from '../../http/openapi/document.ts'
import { PROBLEMS } from '../../http/problems.ts'
import { operationAnchor, schemaAnchor, webhookAnchor } from './anchors.ts'
import type { Names } from './examples.ts'
import { CHAPTERS } from './guide/chapters.ts'
import { FIRST } from './languages.ts'

/** Something that can be found: by its title first, by its words else. */
export interface Place {
  href: string
  title: string
  /** What it is, or what it is part of. */
  kind: string
  titleWords: string
  words: string
}

const MOST_FOUND = 40

/** As words are compared: without case, accents and signs. */
const plain = (text: string): string => fold(text).replace(/[^a-z0-9]+/g, ' ')

const place = (kind: string, title: string, href: string, ...words: (string | undefined)[]): Place => {
  const titleWords = plain(title)
  return { href, title, kind, titleWords, words: `${titleWords} ${plain(words.join(' '))}` }
}

/** Everything that the documentation says, with its place: made once. */
export function indexOf(document: Document, names: Names): Place[] {
  const sections = CHAPTERS.flatMap(({ slug, title: chapter, sections }) =>
    sections.map(({ id, title, body }) => {
      const html = markup(body({ names, language: FIRST }))
      const text = html.replace(/<pre[\s\S]*?<\/pre>/g, ' ').replace(/<[^>]+>|&\w+;/g, ' ')
      return place(`Guía · ${chapter}`, title, `/docs/guia/${slug}#${id}`, chapter, text)
    }),
  )
  const operations = operationsOf(document.paths).map(({ path, method, operation }) =>
    place(
      `${method.toUpperCase()} ${path}`,
      operation.summary,
      `/docs#${operationAnchor(operation.operationId)}`,
      ...[method, path, operation.description, ...operation.tags],
    ),
  )
  const topics = Object.entries(document.webhooks ?? {}).map(([topic, { post }]) =>
    place('Aviso', topic, `/docs#${webhookAnchor(topic)}`, post?.summary, post?.description),
  )
  const problems = Object.entries(PROBLEMS).map(([name, { status, title }]) =>
    place(`Problema ${status}`, title, `/problemas/${name}`, name, String(status)),
  )
  const schemas = Object.entries(document.components.schemas).map(([name, { description, properties = {} }]) =>
    place('Esquema', name, `/docs#${schemaAnchor(name)}`, description, ...Object.keys(properties)),
  )
  return [...sections, ...operations, ...topics, ...problems, ...schemas]
}

/** What has every word of the question; titles that have them all stand first. */
export function search(index: Place[], question: string): Place[] {
  const asked = plain(question).split(' ').filter(Boolean)
  if (asked.length === 0) return []
  const has = (words: string) => asked.every((word) => words.includes(word))
  const [byTitle, byWords] = [index.filter((each) => has(each.titleWords)), index.filter((each) => has(each.words))]
  return [...new Set([...byTitle, ...byWords])].slice(0, MOST_FOUND)
}
