import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { VNode } from 'preact'
import { localeForPrograms, vary } from '../../http/language.ts'
import { documentOf } from '../../http/openapi.ts'
import { byLocale, currentLocale, inLocale, type Locale } from '../../i18n/locale.ts'
import { t } from '../../i18n/messages.tsx'
import { lazy } from '../../memoize.ts'
import { isPartial, PUBLIC, page, type RenderedOnce, renderOnce, sendPart } from '../page.ts'
import { textParam } from '../params.ts'
import { allowScript } from '../security.ts'
import { changesPage } from './changes.tsx'
import { LinkList } from './contents.tsx'
import { exampleOf, type Names, taskOf } from './examples.ts'
import { type Chapter, guide, markdownHref, type Reader, SLUGS } from './guide/chapters.ts'
import { asMarkdown } from './guide/markdown.ts'
import { chapterPage, GuideAside, startPage } from './guide/page.tsx'
import {
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGES,
  languageCookie,
  languages,
  type SampleLanguage,
  sampleLanguageOf,
  setLanguageCookie,
} from './languages.ts'
import { DocsLayout, docsHeaders } from './layout.tsx'
import { type OwnDeps, ownSamples, withOwnSamples } from './own.tsx'
import { docsPage } from './page.tsx'
import { buildIndex, searchPage, searchPart } from './search.tsx'
import { translateDocument } from './translate.ts'

const INDEX_AFTER_MS = 300_000

type DocsRequest = FastifyRequest<{ Querystring: { lenguaje?: unknown } }>

/** GET /docs, the guide as pages and as Markdown, /llms.txt, the example files, the changes and the search. */
export function docsRoutes(app: FastifyInstance, names: Names, deps: OwnDeps): void {
  const document = () => translateDocument(documentOf(app))
  const reference = renderOnce(() => docsPage(document(), names))
  app.get('/docs', PUBLIC, (request, reply) => sendPage(request, reply, reference()))
  const changes = renderOnce(changesPage)
  app.get('/docs/cambios', PUBLIC, (_request, reply) => page(docsHeaders(reply, names), changes()))

  /** With the samples of the developer who is signed in. */
  async function sendPage(request: FastifyRequest, reply: FastifyReply, content: RenderedOnce): Promise<FastifyReply> {
    const own = request.reader && withOwnSamples(content, await ownSamples(deps, request, reply))
    return page(docsHeaders(reply, names), own ?? content)
  }

  /** The page in the requested language, which is stored in a cookie, or in the stored one. */
  function sendChapter(request: DocsRequest, reply: FastifyReply, pages: ByLanguage<RenderedOnce>, slug: string) {
    const { lenguaje } = request.query
    const requested = sampleLanguageOf(lenguaje)
    if (lenguaje !== undefined && !requested) return notFound(reply, t('docs.missing.language'))
    if (requested) setLanguageCookie(reply, requested)
    const language = requested ?? languageCookie(request) ?? DEFAULT_LANGUAGE
    reply.header('link', `<${markdownHref(slug, language)}>; rel="alternate"; type="text/markdown"`)
    return sendPage(request, reply, pages[language]())
  }

  const rendered = (make: (reader: Reader) => VNode) =>
    byLanguage((language) => renderOnce(() => make({ names, language })))
  const markdown = (find: () => Chapter): ByReader =>
    byLocale((locale) =>
      byLanguage((language) =>
        lazy(() => inLocale(locale, () => Buffer.from(asMarkdown(find(), documentOf(app), { names, language })))),
      ),
    )
  const start = rendered((reader) => startPage(document(), reader))
  app.get('/docs/guia', PUBLIC, (request: DocsRequest, reply) => sendChapter(request, reply, start, ''))
  const startText = markdown(() => guide().start)
  app.get('/docs/guia.md', PUBLIC, (request: DocsRequest, reply) => sendMarkdown(request, reply, startText))
  const llms = markdown(() => guide().llms)
  app.get('/llms.txt', PUBLIC, (request, reply) =>
    sendText(reply, 'text/plain', llms[localeForPrograms(request)][DEFAULT_LANGUAGE]()),
  )

  const chapterAt = (at: number) => guide().chapters[at] as Chapter
  const chapters = new Map(
    SLUGS.map((slug, at) => [slug as string, rendered((reader) => chapterPage(chapterAt(at), reader))]),
  )
  const chapterTexts = new Map(SLUGS.map((slug, at) => [`${slug}.md`, markdown(() => chapterAt(at))]))
  app.get('/docs/guia/:capitulo', PUBLIC, (request: DocsRequest, reply) => {
    const { capitulo } = request.params as { capitulo: string }
    const chapter = chapters.get(capitulo)
    const text = chapterTexts.get(capitulo)
    if (chapter) return sendChapter(request, reply, chapter, capitulo)
    return text ? sendMarkdown(request, reply, text) : notFound(reply, t('docs.missing.chapter'))
  })

  app.get<{ Params: { lenguaje: string; archivo: string } }>(
    '/docs/ejemplos/:lenguaje/:archivo',
    PUBLIC,
    ({ params: { lenguaje, archivo } }, reply) => {
      const task = isLanguage(lenguaje) ? taskOf(lenguaje, archivo) : undefined
      if (!isLanguage(lenguaje) || !task) return notFound(reply, t('docs.missing.example'))
      return reply.type('text/plain; charset=utf-8').send(exampleOf(task, lenguaje, names))
    },
  )

  const index = byLocale((locale) => lazy(() => buildIndex(documentOf(app), names, locale)))
  // Not right after the start, when requests are slow anyway. An earlier search builds its own.
  let building: NodeJS.Timeout | undefined
  const buildAll = async () => {
    for (const build of Object.values(index)) await build()
  }
  app.addHook('onListen', () => {
    building = setTimeout(
      () => void buildAll().catch((error) => app.log.error(error, 'docs: the search index failed')),
      INDEX_AFTER_MS,
    ).unref()
  })
  app.addHook('onClose', () => clearTimeout(building))
  app.get<{ Querystring: { q?: unknown } }>('/docs/buscar', PUBLIC, async (request, reply) => {
    const query = textParam(request.query, 'q') ?? ''
    const found = (await index[currentLocale()]()).search(query)
    vary(reply, 'HX-Request', 'Accept-Language', 'Cookie')
    if (!isPartial(request)) return page(allowScript(reply), searchPage(query, found))
    return sendPart(reply, searchPart(query, found))
  })
}

type ByLanguage<Content> = Record<SampleLanguage, () => Content>
type ByReader = Record<Locale, ByLanguage<Buffer>>

const byLanguage = <Content,>(make: (language: SampleLanguage) => () => Content) =>
  Object.fromEntries(languages.map((language) => [language, make(language)])) as ByLanguage<Content>

/** The Markdown in the requested language; programs have no cookie. */
function sendMarkdown(request: DocsRequest, reply: FastifyReply, texts: ByReader): FastifyReply {
  const language = sampleLanguageOf(request.query.lenguaje ?? DEFAULT_LANGUAGE)
  if (!language) return notFound(reply, t('docs.missing.language'))
  return sendText(reply, 'text/markdown', texts[localeForPrograms(request)][language]()) // RFC 7763
}

const sendText = (reply: FastifyReply, type: string, text: Buffer): FastifyReply =>
  vary(reply, 'Accept-Language')
    .type(`${type}; charset=utf-8`)
    .header('content-language', localeForPrograms(reply.request))
    .send(text)

const notFound = (reply: FastifyReply, title: string) => page(allowScript(reply), notFoundPage(title), 404)

function notFoundPage(title: string) {
  return (
    <DocsLayout title={title} section="/docs/guia" aside={<GuideAside />}>
      <header class="lead">
        <h1>{title}</h1>
        <p>{t('docs.missing.text')}</p>
      </header>
      <p>{t('docs.missing.languages')}</p>
      <LinkList links={languages.map((each) => [`/docs/guia?lenguaje=${each}`, LANGUAGES[each]])} />
    </DocsLayout>
  )
}
