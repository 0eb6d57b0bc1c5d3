import type { Rule } from '../rules.ts'

/** The load during a backup, and what the restored copy holds. */
export interface Copied {
  /** Events and invitations acknowledged before the backup. */
  events: number
  invitations: number
  /** Acknowledged during the backup. */
  meanwhile: number
  /** Acknowledged before, and not in the copy. */
  missing: number
  /** Events without a delivery, deliveries without an event, invitations without an email. */
  halves: number
  /** Events of the copy that never existed. */
  invented: number
  /** Row counts. */
  saved: number
  restored: number
}

export const BACKUP: Rule<Copied>[] = [
  ({ events }) => !(events > 0) && 'no event was acknowledged before the backup',
  ({ invitations }) => !(invitations > 0) && 'no invitation was acknowledged before the backup',
  ({ meanwhile }) => !(meanwhile > 0) && 'nothing was acknowledged during the backup',
  ({ missing }) => !(missing === 0) && `${missing} acknowledged records are not in the backup`,
  ({ halves }) => !(halves === 0) && `${halves} records are incomplete`,
  ({ invented }) => !(invented === 0) && `${invented} events of the backup never existed`,
  ({ saved, restored }) => !(saved > 0 && saved === restored) && `${saved} rows were saved and ${restored} restored`,
]
