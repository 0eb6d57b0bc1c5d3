import { testRules } from '../test-rules.ts'
import { UPGRADE } from './verdict.ts'

const ACTIONS = new Map([
  ['invite', 9],
  ['askAboutListing', 9],
])

testRules('upgrade: rules', UPGRADE, {
  good: {
    ...{ added: ['0007_x', '0008_y'], ran: ['0007_x', '0008_y'], rows: 800, emptyLists: [], changed: [] },
    ...{ changedPaths: { old: [], new: [] }, session: { old: 200, new: 200 } },
    ...{ sentAgain: { old: 20, new: 20 }, recognised: 40, actions: { old: ACTIONS, new: ACTIONS } },
    ...{ meanwhile: 30, beside: 200, byOld: 150, forNew: 70, byNew: 60, refused: 0, withoutEvent: 0, miscounted: 0 },
  },
  nothing: {
    ...{ added: [], ran: [], rows: 0, emptyLists: [], changed: [] },
    ...{ changedPaths: { old: [], new: [] }, session: { old: 200, new: 200 } },
    ...{ sentAgain: { old: 0, new: 0 }, recognised: 0, actions: { old: new Map(), new: new Map() } },
    ...{ meanwhile: 0, beside: 0, byOld: 0, forNew: 0, byNew: 0, refused: 0, withoutEvent: 0, miscounted: 0 },
  },
  bad: [
    ['there was nothing to lose', { rows: 0 }, /nothing to lose/],
    ['a migration was not run', { ran: ['0007_x'] }, /1 of 2 migrations were run/],
    ['a list was empty from the start', { emptyLists: ['consultas'] }, /nothing to compare in consultas/],
    ['a row is changed', { changed: [{ table: 'apps', rows: 1, of: 2 }] }, /1 of 2 rows of apps/],
    ['the old node answers differently', { changedPaths: { old: ['/v3/x'], new: [] } }, /old node changed: \/v3\/x/],
    ['the new node answers differently', { changedPaths: { old: [], new: ['/v3/x'] } }, /new node changed: \/v3\/x/],
    ['a session is invalid on the old node', { session: { old: 303, new: 200 } }, /not valid on the old node \(303\)/],
    ['a session is invalid on the new node', { session: { old: 200, new: 303 } }, /not valid on the new node \(303\)/],
    ['nothing was sent again', { sentAgain: { old: 0, new: 40 } }, /no inquiry of the old node was sent again/],
    ['an inquiry was stored twice', { recognised: 39 }, /stored again by the other/],
    ['a node had no workload', { actions: { old: ACTIONS, new: new Map() } }, /no workload on the new node/],
    [
      'an action never succeeded',
      { actions: { old: new Map([['invite', 0]]), new: ACTIONS } },
      /invite never succeeded on the old node/,
    ],
    ['no request came during the migration', { meanwhile: 0 }, /no request while/],
    ['the old node served nothing afterwards', { beside: 0 }, /served nothing beside/],
    ['the old node delivered nothing', { byOld: 0 }, /the old node delivered nothing after/],
    ['the old node delivered nothing of the new', { forNew: 0 }, /delivered nothing for the new one/],
    ['the new node delivered nothing', { byNew: 0 }, /the new node delivered nothing/],
    ['a request was refused', { refused: 1 }, /1 requests were refused/],
    [
      'an inquiry has no delivered event',
      { withoutEvent: 1 },
      /1 inquiries were acknowledged without a delivered event/,
    ],
    ['counters are wrong', { miscounted: 1 }, /the counters of 1 agencies are wrong/],
  ],
})
