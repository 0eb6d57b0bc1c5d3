import type { Rule } from '../rules.ts'
import type { SlowClients } from './clients.ts'

const MOST_TIMES = 1.5 // as long as without the one that hangs
const SLOWEST_OTHER_MS = 1_000
const LEAST_TOLERATED_S = 5 // whoever is cut off at once has not trickled

/** What others saw of those that hang and of those that trickle. */
export interface Slow {
  /** Rounds in which one was to hang, and those in which it did, with all its calls and all the while. */
  rounds: number
  hung: number
  /** Calls that still hung long after they were let go of. */
  stuck: number
  /** The median of the others' p99 with it, times without it. */
  times: number
  /** Events for the others, and those that came. */
  told: number
  received: number
  /** How many were to trickle, and what came of it. */
  clients: number
  slowClients: SlowClients
}

const wasTolerated = (seconds: number | undefined): boolean => Number(seconds) >= LEAST_TOLERATED_S

export const SLOW: Rule<Slow>[] = [
  ({ hung, rounds }) => !(hung > 0 && hung === rounds) && `one hung all the while in ${hung} of ${rounds} rounds`,
  ({ stuck }) => !(stuck === 0) && `${stuck} calls hung on after they were let go of`,
  ({ times }) => !(times <= MOST_TIMES) && `the others wait ${times.toFixed(2)} times as long, more than ${MOST_TIMES}`,
  ({ told }) => !(told > 0) && 'nobody was told anything',
  ({ told, received }) => !(received === told) && `${told - received} events never arrived`,
  ({ clients, slowClients }) =>
    !(slowClients.connected > 0 && slowClients.connected === clients) &&
    `${slowClients.connected} of ${clients} clients that trickle were let in`,
  ({ slowClients: { headers } }) =>
    !wasTolerated(headers.firstS) && 'somebody whose headers trickle was cut off at once',
  ({ slowClients: { bodies } }) => !wasTolerated(bodies.firstS) && 'somebody whose body trickles was cut off at once',
  ({ slowClients: { left } }) => !(left === 0) && `${left} connections that trickle were not cut off`,
  ({ slowClients: { asked } }) => !(asked > 0) && 'nobody else asked meanwhile',
  ({ slowClients: { asked, wrong } }) => !(wrong === 0) && `${wrong} of ${asked} others were not served`,
  ({ slowClients: { p99 } }) => !(p99 <= SLOWEST_OTHER_MS) && `the others' p99 was ${p99.toFixed(0)} ms`,
]
