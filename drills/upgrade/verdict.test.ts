import { testRules } from '../test-rules.ts'
import { UPGRADE } from './verdict.ts'

const ACTS = new Map([
  ['invite', 9],
  ['askAboutListing', 9],
])

testRules('upgrade: what is judged of two versions side by side', UPGRADE, {
  good: {
    ...{ added: ['0007_x', '0008_y'], ran: ['0007_x', '0008_y'], rows: 800, unread: [], changed: [] },
    ...{ retold: { old: [], new: [] }, session: { old: 200, new: 200 } },
    ...{ sentAgain: { old: 20, new: 20 }, recognised: 40, acts: { old: ACTS, new: ACTS } },
    ...{ meanwhile: 30, beside: 200, byOld: 150, forNew: 70, byNew: 60, refused: 0, unheard: 0, miscounted: 0 },
  },
  nothing: {
    ...{ added: [], ran: [], rows: 0, unread: [], changed: [] },
    ...{ retold: { old: [], new: [] }, session: { old: 200, new: 200 } },
    ...{ sentAgain: { old: 0, new: 0 }, recognised: 0, acts: { old: new Map(), new: new Map() } },
    ...{ meanwhile: 0, beside: 0, byOld: 0, forNew: 0, byNew: 0, refused: 0, unheard: 0, miscounted: 0 },
  },
  bad: [
    ['there was nothing to lose', { rows: 0 }, /nothing that could be lost/],
    ['a migration was not run', { ran: ['0007_x'] }, /1 migrations were run, and 2 were to be/],
    ['a list was empty from the start', { unread: ['consultas'] }, /nothing of the past was read: consultas/],
    ['a row is changed', { changed: [{ table: 'apps', rows: 1, of: 2 }] }, /1 of 2 rows of apps/],
    ['the old node tells otherwise', { retold: { old: ['/v3/x'], new: [] } }, /the old node tells \/v3\/x otherwise/],
    ['the new node tells otherwise', { retold: { old: [], new: ['/v3/x'] } }, /the new node tells \/v3\/x otherwise/],
    ['a session is gone at the old', { session: { old: 303, new: 200 } }, /not signed in at the old node \(303\)/],
    ['a session is gone at the new', { session: { old: 200, new: 303 } }, /not signed in at the new node \(303\)/],
    ['nothing was sent again', { sentAgain: { old: 0, new: 40 } }, /no inquiry of the old node was sent again/],
    ['an inquiry was taken twice', { recognised: 39 }, /taken again by the other/],
    ['nobody did anything at a node', { acts: { old: ACTS, new: new Map() } }, /nothing to be done at the new node/],
    [
      'an act was never done',
      { acts: { old: new Map([['invite', 0]]), new: ACTS } },
      /the old node never let anybody invite/,
    ],
    ['nobody asked during the migration', { meanwhile: 0 }, /nobody asked while/],
    ['the old served nobody afterwards', { beside: 0 }, /served nobody beside/],
    ['the old delivered nothing', { byOld: 0 }, /the old node delivered nothing after/],
    ['the old delivered nothing of the new', { forNew: 0 }, /delivered nothing for the new one/],
    ['the new delivered nothing', { byNew: 0 }, /the new node delivered nothing/],
    ['somebody was refused', { refused: 1 }, /1 requests were refused/],
    ['nobody was told of an inquiry', { unheard: 1 }, /1 inquiries were acknowledged, and nobody was told/],
    ['counts are wrong', { miscounted: 1 }, /the counts of 1 agencies are wrong/],
  ],
})
