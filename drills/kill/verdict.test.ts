import { testRules } from '../test-rules.ts'
import { KILL } from './verdict.ts'

const EACH = { server: 1, 'worker 1': 2, database: 1 }

testRules('kill: rules', KILL, {
  good: { killed: new Map(Object.entries(EACH)), idle: 0, takenOver: 3, received: 500, refused: 20 },
  nothing: { killed: new Map(), idle: 0, takenOver: 0, received: 0, refused: 0 },
  bad: [
    ['there was nothing to kill', { killed: new Map() }, /nothing to kill/],
    [
      'one process was never killed',
      { killed: new Map(Object.entries({ ...EACH, database: 0 })) },
      /database was never/,
    ],
    ['a kill came without load', { idle: 1 }, /1 kills came without load/],
    ['the load was not measured', { idle: Number.NaN }, /NaN kills/],
    ['nothing was taken over', { takenOver: 0 }, /no delivery of a killed server was taken over/],
    ['the receiver never failed', { refused: 0 }, /the receiver never failed/],
  ],
})
