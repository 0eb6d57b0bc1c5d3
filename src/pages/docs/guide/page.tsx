import { Layout } from '../../layout.tsx'
import { Anchored } from '../../parts.tsx'
import { Aside } from '../aside.tsx'
import { type Chapter, chapterHref, type Reader } from './chapter.ts'
import { CHAPTERS } from './chapters.ts'
import { GuideContents } from './contents.tsx'

export function chapterPage(chapter: Chapter, reader: Reader) {
  const { slug, title, summary, sections } = chapter
  const { language } = reader
  const contents = (
    <Aside>
      <GuideContents language={language} open={slug} />
    </Aside>
  )
  const at = CHAPTERS.indexOf(chapter)
  return (
    <Layout title={title} description={summary} section="/docs/guia" aside={contents}>
      <article class="guide">
        <header class="lead">
          <p class="overline">
            <a href={chapterHref('', language)}>Guía</a> <span aria-hidden="true">/</span> {at + 1} de {CHAPTERS.length}
          </p>
          <h1>{title}</h1>
          <p>{summary}</p>
        </header>
        {sections.map(({ id, title, body: Body }) => (
          <section key={id} id={id}>
            <Anchored id={id} level={2}>
              {title}
            </Anchored>
            <Body {...reader} />
          </section>
        ))}
        <Neighbours before={CHAPTERS[at - 1]} after={CHAPTERS[at + 1]} reader={reader} />
      </article>
    </Layout>
  )
}

interface NeighboursProps {
  before: Chapter | undefined
  after: Chapter | undefined
  reader: Reader
}

/** Links to the previous and next chapter; the last one links to the reference. */
function Neighbours({ before, after, reader: { language } }: NeighboursProps) {
  return (
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
}
