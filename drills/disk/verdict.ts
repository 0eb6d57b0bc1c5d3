import type { Rule } from '../rules.ts'

/** What happened while the disk was full, and what is on it afterwards. */
export interface Disk {
  /** Acknowledged before. */
  before: number
  /** How often the disk was filled, and how many requests were refused. */
  fillings: number
  refused: number
  /** `ready` answered 503 and named the disk. */
  reported: boolean
  /** From when there was space until a request was served; undefined if none was. */
  servedAfterMs: number | undefined
  /** True if PostgreSQL stores page checksums. */
  hasChecksums: boolean
  /** Tables read from the disk, and the errors of unreadable ones. */
  tables: number
  unreadable: readonly string[]
  /** Wrong page checksums before and after the restart. */
  corruptBefore: number
  corruptAfter: number
}

export const DISK: Rule<Disk>[] = [
  ({ before }) => !(before > 0) && 'nothing was acknowledged before',
  ({ fillings }) => !(fillings > 0) && 'the disk was never filled',
  ({ refused }) => !(refused > 0) && 'no request was refused: the disk was not full',
  ({ reported }) => !reported && '`ready` did not name the disk',
  ({ servedAfterMs }) => !(Number(servedAfterMs) >= 0) && 'no request was served again',
  ({ hasChecksums }) => !hasChecksums && 'no page has a checksum',
  ({ tables }) => !(tables > 0) && 'no table was read',
  ({ unreadable: [first, ...more] }) =>
    first !== undefined && `${more.length + 1} tables cannot be read, first: ${first}`,
  ({ corruptBefore: pages }) => !(pages === 0) && `${pages} pages were corrupt before the restart`,
  ({ corruptAfter: pages }) => !(pages === 0) && `${pages} pages are corrupt on the disk`,
]
