import type { Language } from '../languages.ts'
import { chapterHref } from './chapter.ts'
import { CHAPTERS } from './chapters.ts'

interface GuideContentsProps {
  language: Language
  /** The slug of the open page, '' for the first; the sections of an open chapter are listed too. */
  open?: string
}

/** The contents of the guide. */
export function GuideContents({ language, open }: GuideContentsProps) {
  return (
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
  )
}
