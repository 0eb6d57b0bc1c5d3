import sql, { raw, type Sql } from 'sql-template-tag'

/** A statement's text and the values of its parameters. */
export type Statement = Pick<Sql, 'text' | 'values'>

/** With a parameter as its limit, PostgreSQL plans every call. Each number makes another statement, so only few. */
export function inlineNumber(count: number): Sql {
  if (!Number.isSafeInteger(count)) throw new TypeError(`${count} is not a whole number`)
  return raw(String(count))
}

// PostgreSQL keeps a plan ('keep-plan') only if a plan for the values of one call does not seem cheaper, as it does if a
// value selects a partition or a list is short. These functions hide a value from the planner; partitions are still
// pruned when the statement runs.

export const opaqueText = (text: unknown): Sql => sql`concat(${text}::text)`

export const opaqueTexts = (texts: readonly (string | null)[]): Sql => sql`(select ${texts}::text[])`

export const opaqueNumbers = (numbers: readonly (number | null)[]): Sql => sql`(select ${numbers}::int[])`
