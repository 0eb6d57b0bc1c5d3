import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { documentOf } from '../../http/openapi.ts'
import { kept, page } from '../page.ts'
import { textParam } from '../params.ts'
import { absentPage } from './absent.tsx'
import { exampleOf, type Names, taskOf } from './examples.ts'
import { CHAPTERS } from './guide/chapters.ts'
import { chapterPage } from './guide/page.tsx'
import { startPage } from './guide/start.tsx'
import { FIRST, isLanguage, type Language, languages, rememberedLanguage, rememberLanguage } from './languages.ts'
import { docsPage } from './page.tsx'
import { indexOf, search } from './search.ts'
import { searchPage } from './search-page.tsx'

/** The same for everyone and no part of the API: kept by the browser as long as it asks whether it changed. */
const PUBLIC = { schema: { hide: true }, config: { caching: 'private, no-cache' } } as const

type Asked = FastifyRequest<{ Querystring: { lenguaje?: unknown } }>

/** GET /docs, its guide, its examples as files, and the search over all of it. */
export function docsRoutes(app: FastifyInstance, names: Names): void {
  const reference = kept(() => docsPage(documentOf(app), names))
  app.get('/docs', PUBLIC, (_request, reply) => page(reply, reference()))

  const start = byLanguage((language) => startPage(documentOf(app), { names, language }))
  app.get('/docs/guia', PUBLIC, (request: Asked, reply) => inLanguage(request, reply, start))

  const chapters = new Map(
    CHAPTERS.map((chapter) => [chapter.slug, byLanguage((language) => chapterPage(chapter, { names, language }))]),
  )
  app.get('/docs/guia/:capitulo', PUBLIC, (request: Asked, reply) => {
    const { capitulo } = request.params as { capitulo: string }
    const chapter = chapters.get(capitulo)
    return chapter ? inLanguage(request, reply, chapter) : page(reply, absentPage('No hay un capítulo así'), 404)
  })

  app.get<{ Params: { lenguaje: string; archivo: string } }>(
    '/docs/ejemplos/:lenguaje/:archivo',
    PUBLIC,
    ({ params: { lenguaje, archivo } }, reply) => {
      const task = isLanguage(lenguaje) ? taskOf(lenguaje, archivo) : undefined
      if (!isLanguage(lenguaje) || !task) return page(reply, absentPage('No hay un ejemplo así'), 404)
      return reply.type('text/plain; charset=utf-8').send(exampleOf(task, lenguaje, names))
    },
  )

  let index: ReturnType<typeof indexOf> | undefined
  app.get<{ Querystring: { q?: unknown } }>('/docs/buscar', PUBLIC, ({ query: { q } }, reply) => {
    index ??= indexOf(documentOf(app), names)
    const asked = textParam({ q }, 'q') ?? ''
    return page(reply, searchPage(asked, search(index, asked)))
  })
}

type Pages = Record<Language, () => Buffer>

const byLanguage = (make: (language: Language) => VNode): Pages =>
  Object.fromEntries(languages.map((language) => [language, kept(() => make(language))])) as Pages

/** The page in the language that was asked for, which is then remembered, else in the one chosen last. */
function inLanguage(request: Asked, reply: FastifyReply, pages: Pages): FastifyReply {
  const { lenguaje } = request.query
  reply.header('vary', 'Cookie')
  if (lenguaje === undefined) return page(reply, pages[rememberedLanguage(request) ?? FIRST]())
  if (!isLanguage(lenguaje)) return page(reply, absentPage('No hay ejemplos en ese lenguaje'), 404)
  rememberLanguage(reply, lenguaje)
  return page(reply, pages[lenguaje]())
}
