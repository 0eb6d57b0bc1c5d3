import type { Trickled } from '../trickle.ts'
import { tryRules } from '../tried.ts'
import { SLOW } from './verdict.ts'

const TRICKLED: Trickled = {
  ...{ connected: 100, headers: { firstS: 10, lastS: 12 }, bodies: { firstS: 60, lastS: 61 }, left: 0 },
  ...{ asked: 900, wrong: 0, p99: 40 },
}
const trickled = (other: Partial<Trickled>) => ({ trickled: { ...TRICKLED, ...other } })
const NEVER = { firstS: undefined, lastS: undefined }

tryRules('slow: what is judged of those that hang and trickle', SLOW, {
  good: {
    ...{ rounds: 3, hung: 3, stuck: 0, times: 1.1, told: 6_000, received: 6_000 },
    ...{ clients: 100, trickled: TRICKLED },
  },
  nothing: {
    ...{ rounds: 0, hung: 0, stuck: 0, times: Number.NaN, told: 0, received: 0, clients: 0 },
    ...trickled({ connected: 0, headers: NEVER, bodies: NEVER, asked: 0, p99: Number.NaN }),
  },
  bad: [
    ['nobody hung', { hung: 0 }, /one hung all the while in 0 of 3 rounds/],
    ['nobody hung in one round, or not to its end', { hung: 2 }, /one hung all the while in 2 of 3 rounds/],
    ['nobody was to hang', { rounds: 0, hung: 0 }, /in 0 of 0 rounds/],
    ['a call hangs on and on', { stuck: 1 }, /1 calls hung on/],
    ['the others wait', { times: 1.51 }, /the others wait 1\.51 times as long/],
    ['how long they wait was not measured', { times: Number.NaN }, /the others wait NaN times/],
    ['nobody was told', { told: 0, received: 0 }, /nobody was told anything/],
    ['an event is lost', { received: 5_999 }, /1 events never arrived/],
    ['a client was not let in', trickled({ connected: 99 }), /99 of 100 clients/],
    ['headers were cut off at once', trickled({ headers: { firstS: 1, lastS: 12 } }), /whose headers trickle/],
    ['bodies were cut off at once', trickled({ bodies: { firstS: 1, lastS: 61 } }), /whose body trickles/],
    ['no body was ever cut off', trickled({ bodies: NEVER }), /whose body trickles/],
    ['somebody goes on and on', trickled({ left: 1 }), /1 connections that trickle were not cut off/],
    ['nobody else asked', trickled({ asked: 0 }), /nobody else asked/],
    ['somebody else was not served', trickled({ wrong: 2 }), /2 of 900 others were not served/],
    ['somebody else waited', trickled({ p99: 1_001 }), /p99 was 1001 ms/],
  ],
})
