import sql, { type Sql } from 'sql-template-tag'

// PostgreSQL keeps a plan ('keep-plan') only while one made for the very values of a call does not promise to be cheaper.
// Where it does, because a value names one of many partitions, or a list is shorter than the ten that are otherwise
// assumed, the statement is planned anew each time, and that takes several times as long as it runs. What is wrapped
// in these is read when the statement runs, not before: partitions are left out all the same.

/** A text that plans are made without. */
export const unseen = (text: unknown): Sql => sql`concat(${text}::text)`

/** A list of texts of which plans do not know the length. */
export const unseenList = (texts: readonly (string | null)[]): Sql => sql`(select ${texts}::text[])`

/** The same of numbers. */
export const unseenNumbers = (numbers: readonly (number | null)[]): Sql => sql`(select ${numbers}::int[])`
