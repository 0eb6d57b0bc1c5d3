import { testRules } from '../test-rules.ts'
import { KILL } from './verdict.ts'

const EACH = { server: 1, 'worker 1': 2, database: 1 }

testRules('kill: what is judged of the kills', KILL, {
  good: { killed: new Map(Object.entries(EACH)), idle: 0, received: 500, refused: 20 },
  nothing: { killed: new Map(), idle: 0, received: 0, refused: 0 },
  bad: [
    ['there was nobody', { killed: new Map() }, /nobody to kill/],
    ['one of them was spared', { killed: new Map(Object.entries({ ...EACH, database: 0 })) }, /database was never/],
    ['a kill came when nothing was done', { idle: 1 }, /1 kills fell into no load/],
    ['the load was not looked at', { idle: Number.NaN }, /NaN kills/],
    ['the receiver was well', { refused: 0 }, /the receiver never failed/],
  ],
})
