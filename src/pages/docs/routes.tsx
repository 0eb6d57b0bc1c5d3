import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { documentOf } from '../../http/openapi.ts'
import { Layout } from '../layout.tsx'
import { PUBLIC, page, renderOnce } from '../page.ts'
import { textParam } from '../params.ts'
import { LinkList } from './contents.tsx'
import { exampleOf, type Names, taskOf } from './examples.ts'
import { CHAPTERS } from './guide/chapters.ts'
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

/** GET /docs, the guide, the example files and the search. */
export function docsRoutes(app: FastifyInstance, names: Names): void {
  const reference = renderOnce(() => docsPage(documentOf(app), names))
  app.get('/docs', PUBLIC, (_request, reply) => page(reply, reference()))

  const start = byLanguage((language) => startPage(documentOf(app), { names, language }))
  app.get('/docs/guia', PUBLIC, (request: DocsRequest, reply) => inLanguage(request, reply, start))

  const chapters = new Map(
    CHAPTERS.map((chapter) => [chapter.slug, byLanguage((language) => chapterPage(chapter, { names, language }))]),
  )
  app.get('/docs/guia/:capitulo', PUBLIC, (request: DocsRequest, reply) => {
    const { capitulo } = request.params as { capitulo: string }
    const chapter = chapters.get(capitulo)
    return chapter ? inLanguage(request, reply, chapter) : page(reply, notFoundPage('No hay un capítulo así'), 404)
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

type Pages = Record<Language, () => Buffer>

const byLanguage = (make: (language: Language) => VNode): Pages =>
  Object.fromEntries(languages.map((language) => [language, renderOnce(() => make(language))])) as Pages

/** The page in the requested language, which is stored in a cookie, or in the stored one. */
function inLanguage(request: DocsRequest, reply: FastifyReply, pages: Pages): FastifyReply {
  const { lenguaje } = request.query
  reply.header('vary', 'Cookie')
  if (lenguaje === undefined) return page(reply, pages[languageCookie(request) ?? DEFAULT_LANGUAGE]())
  if (!isLanguage(lenguaje)) return page(reply, notFoundPage('No hay ejemplos en ese lenguaje'), 404)
  setLanguageCookie(reply, lenguaje)
  return page(reply, pages[lenguaje]())
}

/** The 404 page of the documentation. */
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
