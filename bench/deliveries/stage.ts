import { closeSync, openSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { openStore, type Store } from '../../src/store/db.ts'
import { createSeal } from '../../src/store/sealed.ts'
import { type EventRow, writeEvents } from '../../src/webhooks/events.ts'
import type { Topic } from '../../src/webhooks/topics.ts'
import { ulid } from '../../src/webhooks/ulid.ts'
import type { Installation } from '../installation.ts'
import { freePort, type ServerProcess, startRodado } from '../server-process.ts'
import { usualConfig } from '../usual.ts'
import { startTold, type Told } from './told.ts'

/** Everything a delivery passes through, each in a process of its own, anywhere on the machine's cores. */
export interface Stage {
  /** Our server, which delivers. */
  rodado: ServerProcess
  receiver: Told
  /** The bare loop. */
  bare: Told
  /** The usual job loop, which empties the outbox when it is asked. */
  usual: Told
  /** The size of a payload. */
  bodyBytes: number
  /** The CPU time of PostgreSQL. */
  postgresMicros(): number
  /** Events in transactions of so many, so many transactions at a time. */
  write(count: number, perTransaction: number, atOnce: number): Promise<void>
  /** Shut: events stay in the outbox. Open: they are delivered. */
  shut(): Promise<void>
  open(): Promise<void>
  settled(): Promise<void>
  stop(): Promise<void>
}

const TOPICS: Topic[] = ['consulta.recibida', 'consulta.modificada', 'agencia.registrada', 'agencia.modificada']
const SECRET = '96d0300081d644d3bdceae8fbfc77955'
const CONNECTIONS = 64 // what four webhooks have together
const POLL_MS = 20
const WORDS = 'Hola, quisiera saber si el auto sigue disponible y si aceptan un usado en parte de pago. '

export async function setStage(installation: Installation): Promise<Stage> {
  const { folder, connection, masterKey, environment } = installation
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/hook`
  const receiver = await startTold(new URL('../baselines/receiver.js', import.meta.url), [String(port)])
  const rodado = await startRodado(
    { ...environment, ALLOW_PRIVATE_CALLBACKS: '127.0.0.0/8' },
    join(folder, 'deliveries.log'),
    'anywhere',
  )
  const store = openStore({ connection, max: 8 })
  const [app] = await store.query<{ id: number }>(sql`select id from apps order by id limit 1`)
  const appId = app?.id ?? 0
  await configure(store, appId, url, createSeal(masterKey).seal(SECRET, 'webhook'))
  const bodies = Array.from({ length: 1_000 }, () => eventOf(appId)).map(({ id, topic, payload }) => ({
    id,
    topic,
    body: payload,
  }))
  const file = join(folder, 'bodies.json')
  await writeFile(file, JSON.stringify(bodies))
  const bareArgs = [url, SECRET, file, String(CONNECTIONS)]
  const bare = await startTold(new URL('../baselines/post.js', import.meta.url), bareArgs)
  const usual = await startUsualWorker(installation)

  return {
    rodado,
    receiver,
    bare,
    usual,
    bodyBytes: Buffer.byteLength(bodies[0]?.body ?? ''),
    postgresMicros: installation.postgresMicros,
    async write(count, perTransaction, atOnce) {
      let left = count
      const hand = async () => {
        while (left > 0) {
          const events = Array.from({ length: Math.min(perTransaction, left) }, () => eventOf(appId))
          left -= events.length
          await store.transaction((tx) => writeEvents(tx, events))
        }
      }
      await Promise.all(Array.from({ length: atOnce }, hand))
    },
    shut: async () => void (await store.query(sql`update webhooks set paused_until = 'infinity'`)),
    async open() {
      const lanes = await store.query<{ id: number }>(sql`update webhooks set paused_until = null returning id`)
      for (const { id } of lanes) store.ring(`deliveries:${id}`)
    },
    async settled() {
      const waiting = sql`select 1 from deliveries where estado = 'pendiente' limit 1`
      while ((await store.query(waiting)).length > 0) await pause(POLL_MS)
      await store.query(sql`truncate deliveries, delivery_attempts, events`)
      await store.query(sql`vacuum analyze`)
    },
    async stop() {
      await store.close()
      await bare.stop()
      await usual.stop()
      await rodado.stop()
      await receiver.stop()
    },
  }
}

/** Its log goes to a file, as ours does. */
async function startUsualWorker(installation: Installation): Promise<Told> {
  const log = openSync(join(installation.folder, 'usual-worker.log'), 'a')
  const stdio = ['ignore', log, 'inherit', 'ipc'] as const
  const file = new URL('../baselines/usual/worker.js', import.meta.url)
  const worker = await startTold(file, [await usualConfig(installation)], { stdio: [...stdio] })
  closeSync(log)
  return worker
}

async function configure(store: Store, appId: number, url: string, secret: Buffer): Promise<void> {
  await store.query(sql`
    insert into webhooks (app_id, topic, callback, sealed_secret)
    select ${appId}::int, topic, ${url}, ${secret}::bytea from unnest(${TOPICS}::text[]) topic
    on conflict (app_id, topic) do update set callback = excluded.callback, updated_at = now(), paused_until = null`)
}

let turn = 0

/** About as large as an inquiry is. */
export function eventOf(appId: number): EventRow {
  const now = performance.timeOrigin + performance.now()
  const id = ulid(Math.floor(now))
  const topic = TOPICS[turn++ % TOPICS.length] as Topic
  const payload = JSON.stringify({ Id: id, Topic: topic, Version: 1, Enviado: now, Mensaje: WORDS.repeat(12) })
  return { id, appId, agenciaId: null, topic, sid: null, payload, traceparent: null }
}
