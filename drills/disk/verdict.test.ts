import { testRules } from '../test-rules.ts'
import { DISK } from './verdict.ts'

testRules('disk: what is judged of one that was full', DISK, {
  good: {
    ...{ before: 190, fillings: 5, refused: 390, servedAfterMs: 120 },
    ...{ hasChecksums: true, tables: 90, unreadable: [], corruptBefore: 0, corruptAfter: 0 },
  },
  nothing: {
    ...{ before: 0, fillings: 0, refused: 0, servedAfterMs: undefined },
    ...{ hasChecksums: true, tables: 0, unreadable: [], corruptBefore: 0, corruptAfter: 0 },
  },
  bad: [
    ['there was nothing to lose', { before: 0 }, /nothing was acknowledged before/],
    ['it was never full', { fillings: 0 }, /the disk was never filled/],
    ['nobody noticed', { refused: 0 }, /the disk was not full/],
    ['nobody was served again', { servedAfterMs: undefined }, /nobody was served again/],
    ['pages have no checksum', { hasChecksums: false }, /no page has a checksum/],
    ['no table was read', { tables: 0 }, /no table was read/],
    ['two tables cannot be read', { unreadable: ['events: invalid page', 'apps: x'] }, /2 tables .* events: invalid/],
    ['a page was corrupt while it ran', { corruptBefore: 1 }, /1 pages were found corrupt while it ran/],
    ['a page is corrupt', { corruptAfter: 1 }, /1 pages are corrupt on the disk/],
    ['the count is not there', { corruptAfter: Number.NaN }, /NaN pages are corrupt/],
  ],
})
