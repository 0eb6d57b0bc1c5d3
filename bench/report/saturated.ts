import type { Machine } from '../machine.ts'
import { type Comparison, median, type NodesPart, type Round } from '../scenario.ts'

const FULL = 0.9 // of a core, or of all: the rest is the kernel's, or somebody else's

/** Cores that were busy, by whom, and what part of the machine that was, with what neither of them did. */
export interface Busy {
  node: number
  postgres: number
  client: number
  ofAll: number
}

/** What one side kept busy, the median of its rounds. */
export function busyOf(rounds: Round[], { cores }: Pick<Machine, 'cores'>): Busy {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const ofPostgres = ({ serverBusy, postgresMicrosPerRequest = 0, cpuMicrosPerRequest }: Round) =>
    (serverBusy * postgresMicrosPerRequest) / cpuMicrosPerRequest
  return {
    node: middle((round) => round.serverBusy - ofPostgres(round)),
    postgres: middle(ofPostgres),
    client: middle(({ clientBusy }) => clientBusy),
    ofAll: middle(({ serverBusy, clientBusy, othersBusy }) => (serverBusy + clientBusy) / cores + othersBusy),
  }
}

/** Whether its processes went where they liked: then no core is the servers', and all of them are what can be full. */
export const wentAnywhere = ({ anywhere }: Comparison, { pinned }: Pick<Machine, 'pinned'>): boolean =>
  anywhere === true || !pinned

/** Which core was full of those that servers and client have; or, where they have none, whose thread, or all cores. */
export function saturated(result: Comparison, rounds: Round[], machine: Pick<Machine, 'cores' | 'pinned'>): string {
  const { node, client, ofAll } = busyOf(rounds, machine)
  if (wentAnywhere(result, machine)) return fullAnywhere({ node, client, ofAll, cores: machine.cores })
  if (median(rounds.map(({ serverBusy }) => serverBusy)) > FULL) return 'server'
  return client > FULL ? 'client' : 'neither'
}

/** JavaScript runs in one thread: a process of ours is full with one core, PostgreSQL only with the machine. */
const fullAnywhere = (busy: { node: number; client: number; ofAll: number; cores: number }): string => {
  if (busy.ofAll > FULL) return `all ${busy.cores} cores`
  if (busy.node > FULL) return 'server'
  return busy.client > FULL ? 'client' : `none (${percent(busy.ofAll)} of all cores)`
}

/**
 * What nodes were held up by: all cores, their own thread, their client; their thread too, where it would have run all the
 * time had others not had its core; or none of these.
 */
export function nodesBound(part: NodesPart, { cores }: Pick<Machine, 'cores'>): string {
  const { count, nodes, postgres, client, others, thread } = part
  const ofAll = (nodes + postgres + client + others) / cores
  if (ofAll > FULL) {
    const shares = Object.entries({ nodes, PostgreSQL: postgres, client, others })
      .map(([who, busy]) => ({ who, share: busy / cores / ofAll }))
      .filter(({ share }) => share >= 0.01)
      .map(({ who, share }) => `${who} ${percent(share)}`)
    return `all ${cores} cores: ${shares.join(', ')}`
  }
  const threads = count === 1 ? "the node's thread" : "the nodes' threads"
  if (thread.ran > FULL) return threads
  if (client / count > FULL) return 'the client'
  if (thread.ran + thread.waited > FULL) return `${threads}, waiting for a core ${percent(thread.waited)} of the time`
  return `none of these (${percent(ofAll)} of all cores)`
}

const percent = (share: number) => `${Math.round(share * 100)} %`
