/** A part of a letter, from which both its forms are made; whatever its words hold, only `url` is ever a link. */
export type Block =
  | { words: string }
  | { heading: string }
  | { list: string[] }
  /** A call to our API as it is typed, character by character: our own words alone. */
  | { call: string }
  | { quote: string; by: string }
  | { changes: Change[] }
  | { button: string; url: string }
  | { note: string }
  | { link: string; url: string }

/** One datum that changed; null where there was, or is, none. */
export interface Change {
  campo: string
  antes: string | null
  despues: string | null
}

export interface Sheet {
  subject: string
  title: string
  /** What a list of mails shows beside the subject. */
  preview: string
  blocks: Block[]
  /** Why it came, and what can be done about it. */
  footer: Block[]
}

/** What stands for a value that is not there. */
export const EMPTY = '(vacío)'
