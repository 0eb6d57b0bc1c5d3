import type { Links } from './links.ts'

/** The two forms a resource is shown in (spec, "Content negotiation"). */
export type Form = 'entry' | 'ref'

export const formOf = ({ negotiated }: { negotiated: string }): Form =>
  negotiated.endsWith('.ref+json') ? 'ref' : 'entry'

/** How one record looks; a catalogue without Ref forms never asks for the second. */
export interface Represent<Row> {
  entry(row: Row): object
  ref(row: Row): { href: string; title: string }
}

/**
 * A catalogue ready to be sent. Nothing happens to it while the server runs, so each record is printed once,
 * a list is its records joined, and common lists keep their bytes.
 */
export class SerializedCatalogue<Row extends { id: number }> {
  readonly rows: readonly Row[]
  readonly #byId: Map<number, Row>
  readonly #represent: Represent<Row>
  readonly #records = { entry: new Map<number, Buffer>(), ref: new Map<number, Buffer>() }
  readonly #lists = { entry: new Map<string, Buffer>(), ref: new Map<string, Buffer>() }

  constructor(rows: readonly Row[], represent: Represent<Row>) {
    this.rows = rows
    this.#byId = new Map(rows.map((row) => [row.id, row]))
    this.#represent = represent
  }

  find(id: number): Row | undefined {
    return this.#byId.get(id)
  }

  /** One record, the same bytes every time. */
  print(form: Form, row: Row): Buffer {
    const printed = this.#records[form].get(row.id)
    if (printed) return printed
    const bytes = Buffer.from(JSON.stringify(this.#represent[form](row)))
    this.#records[form].set(row.id, bytes)
    return bytes
  }

  /** The records of a list, made for this answer. */
  list(form: Form, links: () => Links, rows: readonly Row[]): Buffer {
    const parts: Buffer[] = [Buffer.from(`{"_links":${JSON.stringify(links())},"_entries":[`)]
    rows.forEach((row, index) => {
      if (index > 0) parts.push(COMMA)
      parts.push(this.print(form, row))
    })
    parts.push(END)
    return Buffer.concat(parts)
  }

  /** A list of which there are only a few (all, a region's …), kept by its name. */
  cachedList(form: Form, name: string, links: () => Links, rows: readonly Row[]): Buffer {
    const kept = this.#lists[form].get(name)
    if (kept) return kept
    const bytes = this.list(form, links, rows)
    this.#lists[form].set(name, bytes)
    return bytes
  }
}

const COMMA = Buffer.from(',')
const END = Buffer.from(']}')
