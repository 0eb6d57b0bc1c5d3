import type { Rule } from '../rules.ts'
import type { SlowClients } from './clients.ts'

const MAX_TIMES = 1.5 // p99 with the hanging receiver ÷ without
const SLOWEST_OTHER_MS = 1_000
const MIN_TOLERATED_S = 5 // cutting off a client at once would not test the limits

/** The effect of hanging receivers and slow clients on others. */
interface Slow {
  /** All rounds, and those in which the receiver hung throughout. */
  rounds: number
  hung: number
  /** Calls that still hung long after the webhook was switched off. */
  stuck: number
  /** The median of the others' p99 with the hanging receiver ÷ without. */
  times: number
  /** Events for the healthy webhooks, and how many arrived. */
  sent: number
  received: number
  /** How many slow clients there were, and what became of them. */
  clients: number
  slowClients: SlowClients
}

const wasTolerated = (seconds: number | undefined): boolean => Number(seconds) >= MIN_TOLERATED_S

export const SLOW: Rule<Slow>[] = [
  ({ hung, rounds }) => !(hung > 0 && hung === rounds) && `it hung throughout in ${hung} of ${rounds} rounds`,
  ({ stuck }) => !(stuck === 0) && `${stuck} calls were not released`,
  ({ times }) => !(times <= MAX_TIMES) && `the others wait ${times.toFixed(2)} times as long, more than ${MAX_TIMES}`,
  ({ sent }) => !(sent > 0) && 'no event was sent',
  ({ sent, received }) => !(received === sent) && `${sent - received} events never arrived`,
  ({ clients, slowClients }) =>
    !(slowClients.connected > 0 && slowClients.connected === clients) &&
    `${slowClients.connected} of ${clients} clients were accepted`,
  ({ slowClients: { headers } }) => !wasTolerated(headers.firstS) && 'a client with slow headers was cut off at once',
  ({ slowClients: { bodies } }) => !wasTolerated(bodies.firstS) && 'a client with a slow body was cut off at once',
  ({ slowClients: { left } }) => !(left === 0) && `${left} slow connections were not cut off`,
  ({ slowClients: { requests } }) => !(requests > 0) && 'no other request was sent',
  ({ slowClients: { requests, wrong } }) => !(wrong === 0) && `${wrong} of ${requests} other requests were not served`,
  ({ slowClients: { p99 } }) => !(p99 <= SLOWEST_OTHER_MS) && `p99 of other requests was ${p99.toFixed(0)} ms`,
]
