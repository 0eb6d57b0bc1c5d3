import { testRules } from '../test-rules.ts'
import { BACKUP } from './verdict.ts'

testRules('backup: rules', BACKUP, {
  good: {
    events: 400,
    invitations: 40,
    meanwhile: 30,
    missing: 0,
    halves: 0,
    invented: 0,
    saved: 2_000,
    restored: 2_000,
  },
  nothing: { events: 0, invitations: 0, meanwhile: 0, missing: 0, halves: 0, invented: 0, saved: 0, restored: 0 },
  bad: [
    ['no event was acknowledged before', { events: 0 }, /no event was acknowledged/],
    ['no invitation was acknowledged before', { invitations: 0 }, /no invitation was acknowledged/],
    ['there was no load', { meanwhile: 0 }, /nothing was acknowledged during/],
    ['an acknowledged record is missing', { missing: 1 }, /1 acknowledged records are not in the backup/],
    ['a record is incomplete', { halves: 1 }, /1 records are incomplete/],
    ['completeness was not checked', { halves: Number.NaN }, /incomplete/],
    ['an event never existed', { invented: 1 }, /1 events of the backup never existed/],
    ['rows are missing', { restored: 1_999 }, /2000 rows were saved and 1999 restored/],
    ['there were no rows', { saved: 0, restored: 0 }, /0 rows were saved/],
  ],
})
