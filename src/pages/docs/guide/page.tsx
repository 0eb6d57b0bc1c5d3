import type { ComponentChildren } from 'preact'
import type { Document, Tag } from '../../../http/openapi/document.ts'
import { t } from '../../../i18n/messages.tsx'
import { TOPICS } from '../../../webhooks/topics.ts'
import { FactsTable, type MarkdownScope, renderMarkdown, TextSection } from '../../markdown.tsx'
import { Json } from '../../parts.tsx'
import { publicHref } from '../../public-href.ts'
import { tagAnchor, webhookAnchor } from '../anchors.ts'
import { Aside, LinkList, MoreDocs } from '../contents.tsx'
import { Example, LanguageLinks } from '../example.tsx'
import type { Task } from '../examples.ts'
import { DEFAULT_LANGUAGE, type SampleLanguage } from '../languages.ts'
import { DocsLayout } from '../layout.tsx'
import { SignInHint } from '../own.tsx'
import { type Chapter, chapterHref, guide, type Reader, summaryOf } from './chapters.ts'
import { sampleProblem, textValues } from './values.ts'

/** What the Markdown of the guide may refer to. */
export function scopeOf(reader: Reader): MarkdownScope {
  const { language, names } = reader
  return {
    values: { ...textValues(names), problem: <Json value={sampleProblem(names)} /> },
    blocks: {
      example: (task) => <Example task={task as Task} language={language} names={names} />,
      topics: () => (
        <FactsTable
          caption={t('docs.topics')}
          heads={[t('entregas.topic'), t('docs.topics.meaning')]}
          rows={topicRows()}
        />
      ),
    },
    isShown: (condition) => condition === language,
    hrefOf(href) {
      const [, slug, entry] = /^\/docs\/guia(?:\/(\w+))?(?:#(.+))?$/.exec(href) ?? []
      return slug ? chapterHref(slug, language, entry) : href
    },
  }
}

const topicRows = (): ComponentChildren[][] =>
  TOPICS.map((topic) => [
    <a href={publicHref(`/docs#${webhookAnchor(topic)}`)}>
      <code>{topic}</code>
    </a>,
    t(`entregas.topic.${topic}`),
  ])

export function startPage({ tags }: Document, reader: Reader) {
  const { language } = reader
  const { start } = guide()
  const scope = scopeOf(reader)
  const values = {
    ...scope.values,
    languages: <LanguageLinks class="languages choice" language={language} anchor="primeros-pasos" />,
  }
  const blocks = {
    chapters: () => <ChapterList language={language} />,
    resources: () => <Definitions rows={tags.filter(isForPartners).map(tagRow)} />,
    topicList: () => <Definitions rows={topicRows()} />,
  }
  return (
    <DocsLayout
      title={t('docs.more.guide')}
      description={t('docs.guide.description')}
      section="/docs/guia"
      aside={<GuideAside language={language} open="" />}
    >
      <header class="lead">
        <h1>{start.title}</h1>
        {renderMarkdown(start.lead, scope)}
      </header>
      <SignInHint />
      {start.sections.map((section) => (
        <TextSection key={section.id} section={section} scope={{ ...scope, values, blocks }} />
      ))}
    </DocsLayout>
  )
}

const ChapterList = ({ language }: { language: SampleLanguage }) => (
  <ol class="doors numbered">
    {guide().chapters.map((chapter) => (
      <li key={chapter.slug}>
        <a href={publicHref(chapterHref(chapter.slug, language))}>
          <strong>{chapter.title}</strong>
          <span>{summaryOf(chapter)}</span>
        </a>
      </li>
    ))}
  </ol>
)

/** Operations that partners do not need first are left out. */
export const isForPartners = ({ name }: Tag) => !['Interno', 'Salud', 'Webhooks'].includes(name)

const tagRow = ({ name, 'x-displayName': title, description }: Tag) => [
  <a href={publicHref(`/docs#${tagAnchor(name)}`)}>{title}</a>,
  description,
]

const Definitions = ({ rows }: { rows: ComponentChildren[][] }) => (
  <dl class="fields short">
    {rows.map(([term, description]) => (
      <div>
        <dt>{term}</dt>
        <dd>{description}</dd>
      </div>
    ))}
  </dl>
)

export function chapterPage(chapter: Chapter, reader: Reader) {
  const { slug, title, sections } = chapter
  const summary = summaryOf(chapter)
  const { language } = reader
  const { chapters } = guide()
  const at = chapters.indexOf(chapter)
  return (
    <DocsLayout
      title={title}
      description={summary}
      section="/docs/guia"
      aside={<GuideAside language={language} open={slug} />}
    >
      <article class="guide">
        <header class="lead">
          <p class="overline">
            <a href={publicHref(chapterHref('', language))}>{t('docs.more.guide')}</a> <span aria-hidden="true">/</span>{' '}
            {t('docs.guide.position', { number: at + 1, count: chapters.length })}
          </p>
          <h1>{title}</h1>
          <p>{summary}</p>
        </header>
        <SignInHint />
        {sections.map((section) => (
          <TextSection key={section.id} section={section} scope={scopeOf(reader)} />
        ))}
        <Neighbours at={at} language={language} />
      </article>
    </DocsLayout>
  )
}

/** Links to the chapters before and after; the last one links to the reference. */
const Neighbours = ({ at, language }: { at: number; language: SampleLanguage }) => {
  const { chapters } = guide()
  const before = chapters[at - 1]
  const after = chapters[at + 1]
  return (
    <nav class="neighbours" aria-label={t('docs.guide.pages')}>
      {before && (
        <a href={publicHref(chapterHref(before.slug, language))} rel="prev">
          <span>{t('docs.guide.previous')}</span> {before.title}
        </a>
      )}
      <a class="on" href={publicHref(after ? chapterHref(after.slug, language) : '/docs')} rel={after && 'next'}>
        <span>{t('docs.guide.next')}</span> {after?.title ?? t('docs.guide.reference')}
      </a>
    </nav>
  )
}

interface GuideAsideProps {
  /** Of the programs that its links lead to. */
  language?: SampleLanguage
  /** The slug of the open page, '' for the first; the sections of an open chapter are listed too. */
  open?: string
  /** The address of another page of the documentation, if that is open. */
  more?: string
  /** Left out of the page that has a search of its own. */
  hasSearch?: boolean
}

export const GuideAside = ({ language = DEFAULT_LANGUAGE, open, more, hasSearch }: GuideAsideProps) => (
  <Aside hasSearch={hasSearch}>
    <nav class="contents" aria-label={t('docs.guide.contents')}>
      <a class="chapter" href={publicHref(chapterHref('', language))} aria-current={open === '' ? 'page' : undefined}>
        {t('docs.more.guide')}
      </a>
      <ol class="chapters">
        {guide().chapters.map(({ slug, title, sections }) => (
          <li key={slug}>
            <a href={publicHref(chapterHref(slug, language))} aria-current={slug === open ? 'page' : undefined}>
              {title}
            </a>
            {slug === open && <LinkList links={sections.map(({ id, title }) => [`#${id}`, title])} />}
          </li>
        ))}
      </ol>
      <MoreDocs of="/docs/guia" current={more} />
    </nav>
  </Aside>
)
