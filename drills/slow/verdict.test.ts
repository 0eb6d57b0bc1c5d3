import { testRules } from '../test-rules.ts'
import type { SlowClients } from './clients.ts'
import { SLOW } from './verdict.ts'

const SLOW_CLIENTS: SlowClients = {
  ...{ connected: 100, headers: { firstS: 10, lastS: 12 }, bodies: { firstS: 60, lastS: 61 }, left: 0 },
  ...{ asked: 900, wrong: 0, p99: 40 },
}
const slowClients = (other: Partial<SlowClients>) => ({ slowClients: { ...SLOW_CLIENTS, ...other } })
const NEVER = { firstS: undefined, lastS: undefined }

testRules('slow: what is judged of those that hang and trickle', SLOW, {
  good: {
    ...{ rounds: 3, hung: 3, stuck: 0, times: 1.1, told: 6_000, received: 6_000 },
    ...{ clients: 100, slowClients: SLOW_CLIENTS },
  },
  nothing: {
    ...{ rounds: 0, hung: 0, stuck: 0, times: Number.NaN, told: 0, received: 0, clients: 0 },
    ...slowClients({ connected: 0, headers: NEVER, bodies: NEVER, asked: 0, p99: Number.NaN }),
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
    ['a client was not let in', slowClients({ connected: 99 }), /99 of 100 clients/],
    ['headers were cut off at once', slowClients({ headers: { firstS: 1, lastS: 12 } }), /whose headers trickle/],
    ['bodies were cut off at once', slowClients({ bodies: { firstS: 1, lastS: 61 } }), /whose body trickles/],
    ['no body was ever cut off', slowClients({ bodies: NEVER }), /whose body trickles/],
    ['somebody goes on and on', slowClients({ left: 1 }), /1 connections that trickle were not cut off/],
    ['nobody else asked', slowClients({ asked: 0 }), /nobody else asked/],
    ['somebody else was not served', slowClients({ wrong: 2 }), /2 of 900 others were not served/],
    ['somebody else waited', slowClients({ p99: 1_001 }), /p99 was 1001 ms/],
  ],
})
