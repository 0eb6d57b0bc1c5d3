import { testRules } from '../test-rules.ts'
import { DISK } from './verdict.ts'

testRules('disk: rules', DISK, {
  good: {
    before: 190,
    fillings: 5,
    refused: 390,
    reported: true,
    servedAfterMs: 120,
    hasChecksums: true,
    tables: 90,
    unreadable: [],
    corruptBefore: 0,
    corruptAfter: 0,
  },
  nothing: {
    before: 0,
    fillings: 0,
    refused: 0,
    reported: false,
    servedAfterMs: undefined,
    hasChecksums: true,
    tables: 0,
    unreadable: [],
    corruptBefore: 0,
    corruptAfter: 0,
  },
  bad: [
    ['there was nothing to lose', { before: 0 }, /nothing was acknowledged before/],
    ['it was never full', { fillings: 0 }, /the disk was never filled/],
    ['no request was refused', { refused: 0 }, /the disk was not full/],
    ['`ready` stays silent', { reported: false }, /did not name the disk/],
    ['work did not resume', { servedAfterMs: undefined }, /no request was served again/],
    ['pages have no checksum', { hasChecksums: false }, /no page has a checksum/],
    ['no table was read', { tables: 0 }, /no table was read/],
    ['two tables cannot be read', { unreadable: ['events: invalid page', 'apps: x'] }, /2 tables .* events: invalid/],
    ['a page was corrupt before the restart', { corruptBefore: 1 }, /1 pages were corrupt before the restart/],
    ['a page is corrupt', { corruptAfter: 1 }, /1 pages are corrupt on the disk/],
    ['the count is missing', { corruptAfter: Number.NaN }, /NaN pages are corrupt/],
  ],
})
