import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderToString } from 'preact-render-to-string'
import { vary } from '../../http/language.ts'
import { documentOf } from '../../http/openapi.ts'
import { t } from '../../i18n/messages.tsx'
import { lazy } from '../../memoize.ts'
import { byLocale, type TextLocale, textLocale } from '../locales.ts'
import { isPartial, PUBLIC, page, type RenderedOnce, renderOnce } from '../page.ts'
import { textParam } from '../params.ts'
import { allowScript } from '../security.ts'
import { changesPage } from './changes.tsx'
import { LinkList } from './contents.tsx'
import { exampleOf, type Names, taskOf } from './examples.ts'
import { type Chapter, GUIDES, markdownHref, type Reader, SLUGS } from './guide/chapters.ts'
import { asMarkdown } from './guide/markdown.ts'
import { chapterPage, GuideAside, startPage } from './guide/page.tsx'
import {
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGES,
  type Language,
  languageCookie,
  languageOf,
  languages,
  setLanguageCookie,
} from './languages.ts'
import { DocsLayout } from './layout.tsx'
import { type OwnDeps, ownSamples, withOwnSamples } from './own.tsx'
import { docsPage } from './page.tsx'
import { buildIndex, searchPage, searchPart } from './search.tsx'

const INDEX_AFTER_MS = 30_000

type DocsRequest = FastifyRequest<{ Querystring: { lenguaje?: unknown } }>

/** GET /docs, the guide as pages and as Markdown, /llms.txt, the example files, the changes and the search. */
export function docsRoutes(app: FastifyInstance, names: Names, deps: OwnDeps): void {
  const reference = byLocale((locale) => renderOnce(() => docsPage(documentOf(app), names, locale)))
  app.get('/docs', PUBLIC, (request, reply) => sendPage(request, reply, reference[textLocale()]()))
  const changes = byLocale((locale) => renderOnce(() => changesPage(locale)))
  app.get('/docs/cambios', PUBLIC, (_request, reply) => page(allowScript(reply), changes[textLocale()]()))

  /** With the samples of the developer who is signed in. */
  async function sendPage(request: FastifyRequest, reply: FastifyReply, content: RenderedOnce): Promise<FastifyReply> {
    return page(allowScript(reply), withOwnSamples(content, await ownSamples(deps, request, reply)))
  }

  /** The page in the requested language, which is stored in a cookie, or in the stored one. */
  function sendChapter(request: DocsRequest, reply: FastifyReply, pages: ByReader<RenderedOnce>, slug: string) {
    const { lenguaje } = request.query
    const requested = languageOf(lenguaje)
    if (lenguaje !== undefined && !requested) return notFound(reply, t('docs.missing.language'))
    if (requested) setLanguageCookie(reply, requested)
    const language = requested ?? languageCookie(request) ?? DEFAULT_LANGUAGE
    reply.header('link', `<${markdownHref(slug, language)}>; rel="alternate"; type="text/markdown"`)
    return sendPage(request, reply, pages[textLocale()][language]())
  }

  const byReader = <Content,>(make: (reader: Reader) => () => Content): ByReader<Content> =>
    byLocale((locale) => byLanguage((language) => make({ names, locale, language })))
  const markdown = (chapterIn: (locale: TextLocale) => Chapter) =>
    byReader((reader) => lazy(() => Buffer.from(asMarkdown(chapterIn(reader.locale), documentOf(app), reader))))
  const start = byReader((reader) => renderOnce(() => startPage(documentOf(app), reader)))
  app.get('/docs/guia', PUBLIC, (request: DocsRequest, reply) => sendChapter(request, reply, start, ''))
  const startText = markdown((locale) => GUIDES[locale].start)
  app.get('/docs/guia.md', PUBLIC, (request: DocsRequest, reply) => sendMarkdown(request, reply, startText))
  const llms = markdown((locale) => GUIDES[locale].llms)
  app.get('/llms.txt', PUBLIC, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(llms[textLocale()][DEFAULT_LANGUAGE]()),
  )

  const chapterIn = (at: number) => (locale: TextLocale) => GUIDES[locale].chapters[at] as Chapter
  const chapters = new Map(
    SLUGS.map((slug, at) => [
      slug as string,
      byReader((reader) => renderOnce(() => chapterPage(chapterIn(at)(reader.locale), reader))),
    ]),
  )
  const chapterTexts = new Map(SLUGS.map((slug, at) => [`${slug}.md`, markdown(chapterIn(at))]))
  app.get('/docs/guia/:capitulo', PUBLIC, (request: DocsRequest, reply) => {
    const { capitulo } = request.params as { capitulo: string }
    const [chapter, text] = [chapters.get(capitulo), chapterTexts.get(capitulo)]
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
  // It takes half a second, so requests right after the start do not wait for it. An earlier search builds it.
  let building: NodeJS.Timeout | undefined
  app.addHook('onListen', () => {
    building = setTimeout(() => Object.values(index).map((build) => build()), INDEX_AFTER_MS).unref()
  })
  app.addHook('onClose', () => clearTimeout(building))
  app.get<{ Querystring: { q?: unknown } }>('/docs/buscar', PUBLIC, (request, reply) => {
    const query = textParam(request.query, 'q') ?? ''
    const found = index[textLocale()]().search(query)
    vary(reply, 'HX-Request')
    if (!isPartial(request)) return page(allowScript(reply), searchPage(query, found))
    return reply.type('text/html; charset=utf-8').send(renderToString(searchPart(query, found)))
  })
}

type ByReader<Content> = Record<TextLocale, Record<Language, () => Content>>

const byLanguage = <Content,>(make: (language: Language) => () => Content) =>
  Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<Language, () => Content>

/** The Markdown in the requested language; programs have no cookie. */
function sendMarkdown({ query }: DocsRequest, reply: FastifyReply, texts: ByReader<Buffer>): FastifyReply {
  const language = languageOf(query.lenguaje ?? DEFAULT_LANGUAGE)
  if (!language) return notFound(reply, t('docs.missing.language'))
  return reply.type('text/markdown; charset=utf-8').send(texts[textLocale()][language]()) // RFC 7763
}

const notFound = (reply: FastifyReply, title: string) => page(allowScript(reply), notFoundPage(title), 404)

function notFoundPage(title: string) {
  return (
    <DocsLayout
      title={title}
      section="/docs/guia"
      aside={<GuideAside reader={{ language: DEFAULT_LANGUAGE, locale: textLocale() }} />}
    >
      <header class="lead">
        <h1>{title}</h1>
        <p>{t('docs.missing.text')}</p>
      </header>
      <p>{t('docs.missing.languages')}</p>
      <LinkList links={languages.map((each) => [`/docs/guia?lenguaje=${each}`, LANGUAGES[each]])} />
    </DocsLayout>
  )
}
