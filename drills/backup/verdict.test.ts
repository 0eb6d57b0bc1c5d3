import { testRules } from '../test-rules.ts'
import { BACKUP } from './verdict.ts'

testRules('backup: what is judged of a copy', BACKUP, {
  good: {
    ...{ events: 400, invitations: 40, meanwhile: 30, missing: 0, halves: 0, invented: 0 },
    ...{ saved: 2_000, restored: 2_000 },
  },
  nothing: { events: 0, invitations: 0, meanwhile: 0, missing: 0, halves: 0, invented: 0, saved: 0, restored: 0 },
  bad: [
    ['no event was there to be copied', { events: 0 }, /no event was acknowledged/],
    ['no invitation was', { invitations: 0 }, /no invitation was acknowledged/],
    ['nothing was done meanwhile', { meanwhile: 0 }, /nothing was done while/],
    ['something is not in it', { missing: 1 }, /1 things that had been acknowledged/],
    ['something is half there', { halves: 1 }, /1 things are half there/],
    ['whether anything is half there was not told', { halves: Number.NaN }, /half there/],
    ['something never was', { invented: 1 }, /1 events of the backup never were/],
    ['rows are missing', { restored: 1_999 }, /2000 rows were saved and 1999 restored/],
    ['there were no rows', { saved: 0, restored: 0 }, /0 rows were saved/],
  ],
})
