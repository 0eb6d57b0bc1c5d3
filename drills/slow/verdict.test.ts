import { testRules } from '../test-rules.ts'
import type { SlowClients } from './clients.ts'
import { SLOW } from './verdict.ts'

const SLOW_CLIENTS: SlowClients = {
  connected: 100,
  headers: { firstS: 10, lastS: 12 },
  bodies: { firstS: 60, lastS: 61 },
  left: 0,
  requests: 900,
  wrong: 0,
  p99: 40,
}
const slowClients = (other: Partial<SlowClients>) => ({ slowClients: { ...SLOW_CLIENTS, ...other } })
const NEVER = { firstS: undefined, lastS: undefined }

testRules('slow: rules for hanging receivers and slow clients', SLOW, {
  good: {
    rounds: 3,
    hung: 3,
    stuck: 0,
    times: 1.1,
    sent: 6_000,
    received: 6_000,
    clients: 100,
    slowClients: SLOW_CLIENTS,
  },
  nothing: {
    rounds: 0,
    hung: 0,
    stuck: 0,
    times: Number.NaN,
    sent: 0,
    received: 0,
    clients: 0,
    ...slowClients({ connected: 0, headers: NEVER, bodies: NEVER, requests: 0, p99: Number.NaN }),
  },
  bad: [
    ['the receiver never hung', { hung: 0 }, /it hung throughout in 0 of 3 rounds/],
    ['it did not hang throughout a round', { hung: 2 }, /it hung throughout in 2 of 3 rounds/],
    ['there was no round', { rounds: 0, hung: 0 }, /in 0 of 0 rounds/],
    ['a call was never released', { stuck: 1 }, /1 calls were not released/],
    ['the others wait longer', { times: 1.51 }, /the others wait 1\.51 times as long/],
    ['the waiting time was not measured', { times: Number.NaN }, /the others wait NaN times/],
    ['no event was sent', { sent: 0, received: 0 }, /no event was sent/],
    ['an event is lost', { received: 5_999 }, /1 events never arrived/],
    ['a client was not accepted', slowClients({ connected: 99 }), /99 of 100 clients/],
    ['slow headers were cut off at once', slowClients({ headers: { firstS: 1, lastS: 12 } }), /with slow headers/],
    ['slow bodies were cut off at once', slowClients({ bodies: { firstS: 1, lastS: 61 } }), /with a slow body/],
    ['no body was ever cut off', slowClients({ bodies: NEVER }), /with a slow body/],
    ['a slow client was never cut off', slowClients({ left: 1 }), /1 slow connections were not cut off/],
    ['there was no other request', slowClients({ requests: 0 }), /no other request was sent/],
    ['another request was not served', slowClients({ wrong: 2 }), /2 of 900 other requests were not served/],
    ['other requests were slow', slowClients({ p99: 1_001 }), /p99 of other requests was 1001 ms/],
  ],
})
