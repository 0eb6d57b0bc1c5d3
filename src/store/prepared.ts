import sql, { raw, type Sql } from 'sql-template-tag'

/** A statement's text and the values of its parameters. */
export type Statement = Pick<Sql, 'text' | 'values'>

/** Stands for a value until the statement is run. */
class Slot {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** A slot for each named value of the statement. */
export type Slots<Values> = { readonly [Name in keyof Values]-?: unknown }

/** A statement whose text is built once and run often, each time with other values. For long statements run often. */
export function prepared<Values extends object>(build: (slots: Slots<Values>) => Sql): (values: Values) => Statement {
  const slots = new Proxy({} as Slots<Values>, { get: (_, name) => new Slot(name) })
  const { text, values: parameters } = build(slots)
  return (values) => ({
    text,
    values: parameters.map((each) => (each instanceof Slot ? values[each.name as keyof Values] : each)),
  })
}

/**
 * A whole number of our own, printed into the statement instead of sent beside it. A plan made for the very limit of a call
 * always promises to be cheaper than one for any, so that a statement with a limit was planned anew each time
 * ('keep-plan'). Only for numbers of which there are few: each makes another statement.
 */
export function inlineNumber(count: number): Sql {
  if (!Number.isSafeInteger(count)) throw new TypeError(`${count} is no whole number`)
  return raw(String(count))
}

// PostgreSQL keeps a plan ('keep-plan') only while one made for the very values of a call does not promise to be cheaper.
// Where it does, because a value names one of many partitions, or a list is shorter than the ten that are otherwise
// assumed, the statement is planned anew each time, and that takes several times as long as it runs. What is wrapped
// in these is read when the statement runs, not before: partitions are left out all the same.

/** A text that plans are made without. */
export const hiddenText = (text: unknown): Sql => sql`concat(${text}::text)`

/** A list of texts of which plans do not know the length. */
export const hiddenTexts = (texts: readonly (string | null)[]): Sql => sql`(select ${texts}::text[])`

/** The same of numbers. */
export const hiddenNumbers = (numbers: readonly (number | null)[]): Sql => sql`(select ${numbers}::int[])`
