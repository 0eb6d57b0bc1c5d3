import { testRules } from '../test-rules.ts'
import { POOLER } from './verdict.ts'

testRules('pooler: rules', POOLER, {
  good: {
    restarts: 10,
    idle: 0,
    hiddenMs: 20,
    hiddenWithoutDirectMs: 5,
    slowestCommandMs: 900,
    locksLeft: 0,
    connections: 12,
    poolsTogether: 80,
    tooOld: 'DATABASE_URL leads through a pooler that … prepared statements',
  },
  nothing: {
    restarts: 0,
    idle: 0,
    hiddenMs: Number.NaN,
    hiddenWithoutDirectMs: Number.NaN,
    slowestCommandMs: undefined,
    locksLeft: 0,
    connections: 0,
    poolsTogether: 0,
    tooOld: 'missing',
  },
  bad: [
    ['the pooler ran on', { restarts: 0 }, /never killed/],
    ['nothing was served after a restart', { idle: 2 }, /after 2 restarts nothing/],
    ['a disabled app was served', { hiddenMs: 60_000 }, /^a disabled app was served/],
    ['it was served without a direct address', { hiddenWithoutDirectMs: 1_500 }, /^without DATABASE_DIRECT_URL/],
    ['a command failed', { slowestCommandMs: undefined }, /hung or failed/],
    ['a command hung', { slowestCommandMs: 60_000 }, /hung or failed/],
    ['a lock stayed', { locksLeft: 1 }, /1 advisory locks/],
    ['each client had its own connection', { connections: 80 }, /shared none/],
    ['an old pooler was accepted', { tooOld: 'accepted' }, /was not refused: accepted/],
  ],
})
