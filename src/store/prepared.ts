import type { Sql } from 'sql-template-tag'

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
