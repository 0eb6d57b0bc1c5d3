import type { Rule } from '../rules.ts'

/** What was copied while more was made, and what came out of the copy. */
export interface Copied {
  /** Events and invitations that had been acknowledged when it began. */
  events: number
  invitations: number
  /** Acknowledged while it was made. */
  meanwhile: number
  /** Of what had been acknowledged before: not in the copy. */
  missing: number
  /** Events without a delivery, deliveries without an event, invitations without a letter. */
  halves: number
  /** Events of the copy that never were. */
  invented: number
  /** Rows. */
  saved: number
  restored: number
}

export const BACKUP: Rule<Copied>[] = [
  ({ events }) => !(events > 0) && 'no event was acknowledged before the backup',
  ({ invitations }) => !(invitations > 0) && 'no invitation was acknowledged before the backup',
  ({ meanwhile }) => !(meanwhile > 0) && 'nothing was done while the backup was made',
  ({ missing }) => !(missing === 0) && `${missing} things that had been acknowledged are not in the backup`,
  ({ halves }) => !(halves === 0) && `${halves} things are half there`,
  ({ invented }) => !(invented === 0) && `${invented} events of the backup never were`,
  ({ saved, restored }) => !(saved > 0 && saved === restored) && `${saved} rows were saved and ${restored} restored`,
]
