import { lookup, Resolver } from 'node:dns/promises'

const TIMEOUT_MS = 2_000
const TRIES = 2

/**
 * The addresses of a name. Node's own lookup holds one of the four threads that the whole process shares for as long as
 * a name server is silent, so that a few names on such servers would stop everybody's deliveries, and password checks
 * with them. So DNS is asked directly; what it does not know may stand in the hosts file, or need a search domain.
 */
export function openResolver(): (name: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  const asking = new Map<string, Promise<string[]>>()

  async function ask(name: string): Promise<string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (found.length > 0) return found
    const silent = answers.find((answer) => answer.status === 'rejected' && answer.reason.code === 'ETIMEOUT')
    if (silent) throw (silent as PromiseRejectedResult).reason
    return (await lookup(name, { all: true })).map(({ address }) => address)
  }

  /** Those who ask for the same name at the same time share the answer. */
  return (name) => {
    const known = asking.get(name)
    if (known) return known
    const answer = ask(name).finally(() => asking.delete(name))
    asking.set(name, answer)
    return answer
  }
}
