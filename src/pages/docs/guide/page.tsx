import type { Document } from '../../../http/openapi/document.ts'
import { invalid, problemBody } from '../../../http/problems.ts'
import { TEST_DOMAIN } from '../../../mail/email.ts'
import { DESCRIPTIONS, TOPICS, type Topic } from '../../../webhooks/topics.ts'
import { Layout } from '../../layout.tsx'
import { Facts, type MarkdownScope, renderMarkdown } from '../../markdown.tsx'
import { Anchored, Json } from '../../parts.tsx'
import { tagAnchor, webhookAnchor } from '../anchors.ts'
import { Aside } from '../contents.tsx'
import { Example } from '../example.tsx'
import type { Task } from '../examples.ts'
import { LANGUAGES, type Language, languages } from '../languages.ts'
import { CHAPTERS, type Chapter, chapterHref, type Reader, type Section, START, summaryOf } from './chapters.ts'
import { deliveryProof, PROOF_KEY, PROOF_SECRET, signedText, signingProofs } from './proofs.ts'

/** The text of a section of a chapter. */
export const SectionBody = ({ section, reader }: { section: Section; reader: Reader }) => (
  <>{renderMarkdown(section.tokens, scopeOf(reader))}</>
)

/** What the Markdown of the guide may refer to. */
function scopeOf(reader: Reader): MarkdownScope {
  const { language, names } = reader
  const [proofWithoutBody, proofWithBody] = signingProofs(names.signaturePrefix)
  return {
    values: {
      ...{ signaturePrefix: names.signaturePrefix, testDomain: TEST_DOMAIN },
      ...{ proofKey: PROOF_KEY, proofSecret: PROOF_SECRET, signedText: signedText(names.signaturePrefix) },
      ...{ proofWithoutBody, proofWithBody, deliveryProof: deliveryProof() },
      problem: <Json value={problemBody(PROBLEM, names.publicUrl, '/v3/agencias')} />,
    },
    blocks: {
      example: (task) => <Example task={task as Task} {...reader} />,
      topics: () => (
        <Facts
          caption="Los topics"
          heads={['Topic', 'Qué dice']}
          rows={TOPICS.map((topic) => [<TopicLink name={topic} />, DESCRIPTIONS[topic]])}
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

const PROBLEM = invalid({ Telefono: ['Debe tener al menos 8 caracteres.'] })

const TopicLink = ({ name }: { name: Topic }) => (
  <a href={`/docs#${webhookAnchor(name)}`}>
    <code>{name}</code>
  </a>
)

const Sections = ({ sections, scope }: { sections: Section[]; scope: MarkdownScope }) =>
  sections.map(({ id, title, tokens }) => (
    <section key={id} id={id}>
      <Anchored id={id} level={2}>
        {title}
      </Anchored>
      {renderMarkdown(tokens, scope)}
    </section>
  ))

/** The first page of the guide. */
export function startPage(document: Document, reader: Reader) {
  const { language } = reader
  const scope = scopeOf(reader)
  const values = { ...scope.values, languages: <LanguageChoice language={language} /> }
  const blocks = {
    chapters: () => <ChapterList language={language} />,
    resources: () => <ResourceList document={document} />,
    topicList: () => <TopicList />,
  }
  return (
    <Layout
      title="Guía"
      description="Los primeros pasos con la API."
      section="/docs/guia"
      aside={<GuideAside language={language} open="" />}
    >
      <header class="lead">
        <h1>{START.title}</h1>
        {renderMarkdown(START.lead, scope)}
      </header>
      <Sections sections={START.sections} scope={{ ...scope, values, blocks }} />
    </Layout>
  )
}

const LanguageChoice = ({ language }: { language: Language }) => (
  <ul class="languages choice" aria-label="Lenguaje de los ejemplos">
    {languages.map((each) => (
      <li key={each}>
        <a href={`?lenguaje=${each}#primeros-pasos`} aria-current={each === language ? 'true' : undefined}>
          {LANGUAGES[each].title}
        </a>
      </li>
    ))}
  </ul>
)

const ChapterList = ({ language }: { language: Language }) => (
  <ol class="doors numbered">
    {CHAPTERS.map((chapter) => (
      <li key={chapter.slug}>
        <a href={chapterHref(chapter.slug, language)}>
          <strong>{chapter.title}</strong>
          <span>{summaryOf(chapter)}</span>
        </a>
      </li>
    ))}
  </ol>
)

/** Operations that partners do not need first are left out. */
const NOT_FOR_PARTNERS = new Set(['Interno', 'Salud'])

const ResourceList = ({ document: { tags } }: { document: Document }) => (
  <dl class="fields short">
    {tags
      .filter(({ name }) => !NOT_FOR_PARTNERS.has(name))
      .map(({ name, description }) => (
        <div key={name}>
          <dt>
            <a href={`/docs#${tagAnchor(name)}`}>{name}</a>
          </dt>
          <dd>{description}</dd>
        </div>
      ))}
  </dl>
)

const TopicList = () => (
  <dl class="fields short">
    {TOPICS.map((topic) => (
      <div key={topic}>
        <dt>
          <TopicLink name={topic} />
        </dt>
        <dd>{DESCRIPTIONS[topic]}</dd>
      </div>
    ))}
  </dl>
)

export function chapterPage(chapter: Chapter, reader: Reader) {
  const { slug, title, sections } = chapter
  const summary = summaryOf(chapter)
  const { language } = reader
  const at = CHAPTERS.indexOf(chapter)
  return (
    <Layout
      title={title}
      description={summary}
      section="/docs/guia"
      aside={<GuideAside language={language} open={slug} />}
    >
      <article class="guide">
        <header class="lead">
          <p class="overline">
            <a href={chapterHref('', language)}>Guía</a> <span aria-hidden="true">/</span> {at + 1} de {CHAPTERS.length}
          </p>
          <h1>{title}</h1>
          <p>{summary}</p>
        </header>
        <Sections sections={sections} scope={scopeOf(reader)} />
        <Neighbours before={CHAPTERS[at - 1]} after={CHAPTERS[at + 1]} language={language} />
      </article>
    </Layout>
  )
}

interface NeighboursProps {
  before: Chapter | undefined
  after: Chapter | undefined
  language: Language
}

/** Links to the previous and next chapter; the last one links to the reference. */
const Neighbours = ({ before, after, language }: NeighboursProps) => (
  <nav class="neighbours" aria-label="Páginas de la guía">
    {before && (
      <a href={chapterHref(before.slug, language)} rel="prev">
        <span>Antes</span> {before.title}
      </a>
    )}
    {after ? (
      <a class="on" href={chapterHref(after.slug, language)} rel="next">
        <span>Sigue</span> {after.title}
      </a>
    ) : (
      <a class="on" href="/docs">
        <span>Sigue</span> La referencia completa
      </a>
    )}
  </nav>
)

interface GuideAsideProps {
  language: Language
  /** The slug of the open page, '' for the first; the sections of an open chapter are listed too. */
  open?: string
  query?: string
}

/** Search and contents of the guide. */
export const GuideAside = ({ language, open, query }: GuideAsideProps) => (
  <Aside query={query}>
    <nav class="contents" aria-label="Contenido de la guía">
      <a class="chapter" href={chapterHref('', language)} aria-current={open === '' ? 'page' : undefined}>
        Guía
      </a>
      <ol class="chapters">
        {CHAPTERS.map(({ slug, title, sections }) => (
          <li key={slug}>
            <a href={chapterHref(slug, language)} aria-current={slug === open ? 'page' : undefined}>
              {title}
            </a>
            {slug === open && (
              <ul>
                {sections.map(({ id, title }) => (
                  <li key={id}>
                    <a href={`#${id}`}>{title}</a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
      <ul>
        <li>
          <a class="chapter" href="/docs">
            Referencia
          </a>
        </li>
        <li>
          <a class="chapter" href="/problemas">
            Problemas
          </a>
        </li>
      </ul>
    </nav>
  </Aside>
)
