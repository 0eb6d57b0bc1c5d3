import type { ComponentChildren } from 'preact'
import type { Names } from '../examples.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages.ts'

/** The installation's names and the reader's language. */
export interface Reader {
  names: Names
  language: Language
}

export interface Section {
  /** The id of its element. */
  id: string
  title: string
  body: (reader: Reader) => ComponentChildren
}

/** A page of the guide. */
export interface Chapter {
  /** The segment below /docs/guia. */
  slug: string
  title: string
  /** What the reader can do afterwards. */
  summary: string
  sections: Section[]
}

/** The address of a chapter; the language is a parameter, so it works without cookies. */
export const chapterHref = (slug: string, language: Language, entry = ''): string =>
  `/docs/guia${slug && `/${slug}`}${language === DEFAULT_LANGUAGE ? '' : `?lenguaje=${language}`}${entry && `#${entry}`}`
