import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { documentOf } from '../../http/openapi.ts'
import { lazy } from '../../memoize.ts'
import { Layout } from '../layout.tsx'
import type { MarkdownDocument } from '../markdown.tsx'
import { PUBLIC, page, type RenderedOnce, renderOnce } from '../page.ts'
import { textParam } from '../params.ts'
import { LinkList } from './contents.tsx'
import { exampleOf, type Names, taskOf } from './examples.ts'
import { CHAPTERS, LLMS, markdownHref, START } from './guide/chapters.ts'
import { asMarkdown } from './guide/markdown.ts'
import { chapterPage, GuideAside, startPage } from './guide/page.tsx'
import {
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGES,
  type Language,
  languageCookie,
  languages,
  setLanguageCookie,
} from './languages.ts'
import { docsPage } from './page.tsx'
import { buildIndex, search, searchPage } from './search.tsx'

type DocsRequest = FastifyRequest<{ Querystring: { lenguaje?: unknown } }>

/** GET /docs, the guide as pages and as Markdown, /llms.txt, the example files and the search. */
export function docsRoutes(app: FastifyInstance, names: Names): void {
  const reference = renderOnce(() => docsPage(documentOf(app), names))
  app.get('/docs', PUBLIC, (_request, reply) => page(reply, reference()))

  const markdown = (text: MarkdownDocument) =>
    byLanguage((language) => lazy(() => Buffer.from(asMarkdown(text, documentOf(app), { names, language }))))
  const start = byLanguage((language) => renderOnce(() => startPage(documentOf(app), { names, language })))
  app.get('/docs/guia', PUBLIC, (request: DocsRequest, reply) => inLanguage(request, reply, start, ''))
  const startText = markdown(START)
  app.get('/docs/guia.md', PUBLIC, (request: DocsRequest, reply) => sendMarkdown(request, reply, startText))
  const llms = markdown(LLMS)[DEFAULT_LANGUAGE]
  app.get('/llms.txt', PUBLIC, (_request, reply) => reply.type('text/plain; charset=utf-8').send(llms()))

  const chapters = new Map(
    CHAPTERS.map((chapter) => [
      chapter.slug,
      byLanguage((language) => renderOnce(() => chapterPage(chapter, { names, language }))),
    ]),
  )
  const chapterTexts = new Map(CHAPTERS.map((chapter) => [`${chapter.slug}.md`, markdown(chapter)]))
  app.get('/docs/guia/:capitulo', PUBLIC, (request: DocsRequest, reply) => {
    const { capitulo } = request.params as { capitulo: string }
    const [chapter, text] = [chapters.get(capitulo), chapterTexts.get(capitulo)]
    if (chapter) return inLanguage(request, reply, chapter, capitulo)
    return text ? sendMarkdown(request, reply, text) : page(reply, notFoundPage('No hay un capítulo así'), 404)
  })

  app.get<{ Params: { lenguaje: string; archivo: string } }>(
    '/docs/ejemplos/:lenguaje/:archivo',
    PUBLIC,
    ({ params: { lenguaje, archivo } }, reply) => {
      const task = isLanguage(lenguaje) ? taskOf(lenguaje, archivo) : undefined
      if (!isLanguage(lenguaje) || !task) return page(reply, notFoundPage('No hay un ejemplo así'), 404)
      return reply.type('text/plain; charset=utf-8').send(exampleOf(task, lenguaje, names))
    },
  )

  let index: ReturnType<typeof buildIndex> | undefined
  app.get<{ Querystring: { q?: unknown } }>('/docs/buscar', PUBLIC, ({ query: { q } }, reply) => {
    index ??= buildIndex(documentOf(app), names)
    const query = textParam({ q }, 'q') ?? ''
    return page(reply, searchPage(query, search(index, query)))
  })
}

type ByLanguage<Content> = Record<Language, () => Content>

const byLanguage = <Content,>(make: (language: Language) => () => Content): ByLanguage<Content> =>
  Object.fromEntries(languages.map((language) => [language, make(language)])) as ByLanguage<Content>

const NO_LANGUAGE = 'No hay ejemplos en ese lenguaje'

/** The page in the requested language, which is stored in a cookie, or in the stored one. */
function inLanguage(
  request: DocsRequest,
  reply: FastifyReply,
  pages: ByLanguage<RenderedOnce>,
  slug: string,
): FastifyReply {
  const { lenguaje } = request.query
  reply.header('vary', 'Cookie')
  if (lenguaje !== undefined && !isLanguage(lenguaje)) return page(reply, notFoundPage(NO_LANGUAGE), 404)
  if (lenguaje !== undefined) setLanguageCookie(reply, lenguaje)
  const language = lenguaje ?? languageCookie(request) ?? DEFAULT_LANGUAGE
  reply.header('link', `<${markdownHref(slug, language)}>; rel="alternate"; type="text/markdown"`)
  return page(reply, pages[language]())
}

/** The Markdown in the requested language; programs have no cookie. */
function sendMarkdown({ query }: DocsRequest, reply: FastifyReply, texts: ByLanguage<Buffer>): FastifyReply {
  const { lenguaje = DEFAULT_LANGUAGE } = query
  if (!isLanguage(lenguaje)) return page(reply, notFoundPage(NO_LANGUAGE), 404)
  return reply.type('text/markdown; charset=utf-8').send(texts[lenguaje]()) // RFC 7763
}

function notFoundPage(title: string) {
  return (
    <Layout title={title} section="/docs/guia" aside={<GuideAside language={DEFAULT_LANGUAGE} />}>
      <header class="lead">
        <h1>{title}</h1>
        <p>La dirección que pidió no lleva a nada. Elija un capítulo del contenido, o busque.</p>
      </header>
      <p>Los ejemplos están en:</p>
      <LinkList links={languages.map((each) => [`/docs/guia?lenguaje=${each}`, LANGUAGES[each].title])} />
    </Layout>
  )
}
