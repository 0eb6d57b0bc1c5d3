import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Connection } from '../src/store/db.ts'
import { startEmbedded } from '../src/store/embedded/start.ts'
import { keptMasterKey } from '../src/store/master-key.ts'
import { urlOf } from '../tests/support/database.ts'
import { answeringOf, familyMicros, servingMeter } from './deliveries/processes.ts'
import { remember } from './interrupted.ts'
import { type Place, place } from './machine.ts'
import { plainEnvironment } from './server-process.ts'

const RODADO = fileURLToPath(new URL('../bin/rodado.js', import.meta.url))
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A Rodado of the bench's own, with its database and one app, that is gone afterwards. */
export interface Installation {
  folder: string
  connection: Connection
  masterKey: Buffer
  /** As an operator would set it, but for the limits: the bench asks more of one app than any partner may. */
  environment: Record<string, string>
  app: { key: string; secret: string }
  /** What PostgreSQL has spent, all its processes together. */
  postgresMicros(): number
  /** The same without what it tidies up in the background, which is nobody's who only reads. */
  servingMicros(): number
  /** Where PostgreSQL answers from now on. */
  placePostgres(to: Place): void
  /** What a command prints with --json. */
  command<T>(...args: string[]): Promise<T>
  remove(): Promise<void>
}

/** Made as an operator makes it. PostgreSQL is the bench's, so that it outlives the servers that are measured on it. */
export async function install(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'rodado-bench-'))
  const dataDir = join(folder, 'data')
  const embedded = await startEmbedded({ dataDir, log: quiet, purpose: 'command' })
  const masterKey = keptMasterKey(dataDir)
  const environment = {
    DATABASE_URL: urlOf(embedded.connection),
    MASTER_KEY: masterKey.toString('hex'),
    PUBLIC_URL: 'http://rodado.example',
    RATE_PER_SECOND: '1000000',
    RATE_BURST: '10000000',
  }
  const command = async <T>(...args: string[]): Promise<T> => {
    const env = { ...plainEnvironment(), ...environment }
    const { stdout } = await promisify(execFile)(process.execPath, [RODADO, ...args, '--json'], { env })
    return JSON.parse(stdout) as T
  }
  const forget = remember(remove)
  async function remove() {
    forget()
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await command('migrate')
    const { AppKey: key, AppSecret: secret } = await command<Record<string, string>>(
      'app',
      'create',
      '--nombre',
      'Bench',
    )
    return {
      folder,
      connection: embedded.connection,
      masterKey,
      environment,
      app: { key: key ?? '', secret: secret ?? '' },
      postgresMicros: () => familyMicros(embedded.pid),
      servingMicros: servingMeter(embedded.pid),
      placePostgres(to) {
        for (const pid of answeringOf(embedded.pid)) place(pid, to)
      },
      command,
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}
