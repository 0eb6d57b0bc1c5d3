import type { ComponentChildren } from 'preact'
import type { Names } from '../examples.ts'
import { FIRST, type Language } from '../languages.ts'

/** What a section is written for: an installation with its names, and a reader with a language. */
export interface Reader {
  names: Names
  language: Language
}

export interface Section {
  /** Its place on the page. */
  id: string
  title: string
  body: (reader: Reader) => ComponentChildren
}

/** A page of the guide. */
export interface Chapter {
  /** Its address under /docs/guia. */
  slug: string
  title: string
  /** What one can do after reading it. */
  summary: string
  sections: Section[]
}

/** Where a chapter is, for a reader of that language: the choice travels along, cookies or not. */
export const chapterHref = (slug: string, language: Language, place = ''): string =>
  `/docs/guia${slug && `/${slug}`}${language === FIRST ? '' : `?lenguaje=${language}`}${place && `#${place}`}`
