import { raw, type Sql } from 'sql-template-tag'

/**
 * A whole number of our own, printed into the statement instead of sent beside it. A plan made for the very limit of a call
 * always promises to be cheaper than one for any, so that a statement with a limit was planned anew each time
 * ('keep-plan'). Only for numbers of which there are few: each makes another statement.
 */
export function printed(count: number): Sql {
  if (!Number.isSafeInteger(count)) throw new TypeError(`${count} is no whole number`)
  return raw(String(count))
}
