import type { Rule } from '../rules.ts'

/** What was seen of a disk that was full, and of what is on it. */
export interface Disk {
  /** Acknowledged before. */
  before: number
  /** How often the last of it was taken, and how many were refused meanwhile. */
  fillings: number
  refused: number
  /** From when there was space until somebody was served; none where nobody was. */
  servedAfterMs: number | undefined
  /** Whether PostgreSQL keeps a checksum with every page. */
  hasChecksums: boolean
  /** Tables that were read from the disk, and what was said of those that could not be. */
  tables: number
  unreadable: readonly string[]
  /** Pages whose checksum was found wrong: until it was killed, and from then on. */
  corruptBefore: number
  corruptAfter: number
}

export const DISK: Rule<Disk>[] = [
  ({ before }) => !(before > 0) && 'nothing was acknowledged before',
  ({ fillings }) => !(fillings > 0) && 'the disk was never filled',
  ({ refused }) => !(refused > 0) && 'nobody was refused: the disk was not full',
  ({ servedAfterMs }) => !(Number(servedAfterMs) >= 0) && 'nobody was served again',
  ({ hasChecksums }) => !hasChecksums && 'no page has a checksum',
  ({ tables }) => !(tables > 0) && 'no table was read',
  ({ unreadable: [first, ...more] }) =>
    first !== undefined && `${more.length + 1} tables cannot be read, first: ${first}`,
  ({ corruptBefore: pages }) => !(pages === 0) && `${pages} pages were found corrupt while it ran`,
  ({ corruptAfter: pages }) => !(pages === 0) && `${pages} pages are corrupt on the disk`,
]
