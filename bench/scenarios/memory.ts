import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startClient } from '../client/process.ts'
import { targetsOf } from '../inquiries/page.ts'
import { captureAnswers, prepareRequests } from '../requests.ts'
import type { Memories, Scenario } from '../scenario.ts'
import { BARE, type Memory, type ServerProcess, startBaseline, startRodado } from '../server-process.ts'
import { startUsual } from '../usual.ts'

const MINUTE_MS = 60_000
const LOOK_MS = 1_000
const CONNECTIONS = 16
const CATALOGUES = ['/v3/colores', '/v3/marcas', '/v3/ciudades?region=2']

/** What each server holds after a minute in which all of them are asked for lists and pages of inquiries. */
export const memory: Scenario = {
  name: 'memory',
  title: 'Memory after a minute of load',
  seconds: 75,

  async measure(bench): Promise<Memories> {
    const { installation, progress } = bench
    const { folder, environment } = installation
    const pages = targetsOf((await bench.market()).dealers)
    const asked = { name: 'memory', title: 'memory', targets: [...CATALOGUES, ...pages], target: 1 }
    const running: { stop(): Promise<void> }[] = []
    const keep = <T extends { stop(): Promise<void> }>(started: T): T => {
      running.push(started)
      return started
    }
    try {
      const ours = keep(await startRodado(environment, join(folder, 'rodado.log')))
      const answers = await captureAnswers(asked, installation, ours.port)
      const file = join(folder, 'answers.json')
      await writeFile(
        file,
        JSON.stringify(answers.map(({ body, ...rest }) => ({ ...rest, body: body.toString('base64') }))),
      )
      const bare = keep(await startBaseline(BARE, file, join(folder, 'bare.log')))
      const usual = keep(await startUsual(installation))
      const requests = await prepareRequests(asked, answers, installation, ours.port)
      const parts: [string, ServerProcess][] = [
        ['bare', bare],
        ['usual', usual],
        ['ours', ours],
      ]
      const client = parts.map(() => keep(startClient()))
      const measured = parts.map(async ([title, server], at) => {
        const { rss: before } = await server.memory()
        const load = client[at]?.load({ port: server.port, connections: CONNECTIONS, durationMs: MINUTE_MS, requests })
        const watched = watch(server)
        const answered = (await load)?.answered ?? 0
        const { most, last } = await watched.end()
        progress(`memory  ${title}  ${answered.toLocaleString('en')} answers, ${mib(before)} → ${mib(last.rss)} MiB`)
        return { title, answered, before, after: last.rss, most, heap: last.heapUsed }
      })
      return { kind: 'memories', name: 'memory', title: memory.title, parts: await Promise.all(measured) }
    } finally {
      for (const process of running.reverse()) await process.stop()
    }
  },
}

const mib = (bytes: number) => Math.round(bytes / 2 ** 20)

/** Looks every second, and once more at the end. */
function watch(server: ServerProcess) {
  const over = new AbortController()
  let most = 0
  const look = async (): Promise<Memory> => {
    const seen = await server.memory()
    most = Math.max(most, seen.rss)
    return seen
  }
  const looking = (async () => {
    while (!over.signal.aborted) {
      await look()
      await pause(LOOK_MS, undefined, { signal: over.signal }).catch(() => undefined)
    }
  })()
  return {
    async end() {
      over.abort()
      await looking
      const last = await look()
      return { most, last }
    },
  }
}
