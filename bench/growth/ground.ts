import { join } from 'node:path'
import { openStore, type Store } from '../../src/store/db.ts'
import { type Client, startClient } from '../client/process.ts'
import { openClient } from '../database.ts'
import { type Installation, install } from '../installation.ts'
import { captureAnswers, prepareRequests } from '../requests.ts'
import { startRodado } from '../server-process.ts'

const ROUND_MS = 100
const AT_A_TIME = 10
const NOTHINGS = 100

/** An installation with its server, to grow in. */
export interface Field {
  installation: Installation
  store: Store
  /** The bench's own app. */
  appId: number
  /** How to tell the milliseconds that a GET takes, asked over one connection for a while. */
  getting(targets: string[]): Promise<() => Promise<number>>
  /** Milliseconds that one of those takes, asked one after the other. */
  each(work: () => Promise<unknown>): Promise<number>
  /** Milliseconds that PostgreSQL takes for nothing, there and back. */
  yardstick(): Promise<number>
  /** What inserts leave behind is tidied as autovacuum would in time. */
  tidy(): Promise<void>
  end(): Promise<void>
}

/** Nothing is delivered here: what is claimed, the bench claims. */
export async function openField(): Promise<Field> {
  const installation = await install()
  const store = openStore({ connection: installation.connection, max: 2 })
  const sql = await openClient(installation.connection)
  const environment = { ...installation.environment, ROLE: 'api' }
  const ours = await startRodado(environment, join(installation.folder, 'rodado.log'))
  const client: Client = startClient()
  const { rows } = await sql.query<{ id: number }>('select min(id) as id from apps')
  return {
    installation,
    store,
    appId: rows[0]?.id ?? 0,
    async getting(targets) {
      const asked = { name: 'growth', title: 'growth', targets, target: 1 }
      const answers = await captureAnswers(asked, installation, ours.port)
      const requests = await prepareRequests(asked, answers, installation, ours.port)
      const order = { port: ours.port, connections: 1, durationMs: ROUND_MS, requests }
      return async () => {
        const { answered, elapsedMicros } = await client.load(order)
        return elapsedMicros / answered / 1000
      }
    },
    async each(work) {
      const began = performance.now()
      for (let turn = 0; turn < AT_A_TIME; turn++) await work()
      return (performance.now() - began) / AT_A_TIME
    },
    async yardstick() {
      const began = performance.now()
      for (let turn = 0; turn < NOTHINGS; turn++) await sql.query('select 1')
      return (performance.now() - began) / NOTHINGS
    },
    tidy: async () => void (await sql.query('vacuum analyze')),
    async end() {
      await client.stop()
      await ours.stop()
      await sql.end()
      await store.close()
      await installation.remove()
    },
  }
}
