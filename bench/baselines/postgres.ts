import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { accountFor } from '../../src/store/embedded/account.ts'
import { findBinaries } from '../../src/store/embedded/binaries.ts'
import { clusterDir } from '../../src/store/embedded/cluster.ts'
import { startPostmaster } from '../../src/store/embedded/postmaster.ts'
import { stopPostmaster } from '../../src/store/embedded/process.ts'
import { PORT } from '../../src/store/embedded/settings.ts'
import { socketFolder } from '../../src/store/embedded/socket.ts'

const POLL_MS = 2

/** Milliseconds from starting PostgreSQL on that cluster, with our binaries and settings, to its first answer. */
export async function timePostgres(dataDir: string): Promise<number> {
  const dir = clusterDir(dataDir)
  const account = await accountFor(dir)
  const binaries = await findBinaries(account)
  const socket = await socketFolder(dir)
  const began = performance.now()
  const { child } = await startPostmaster({ dataDir, account, binaries, settings: {} })
  try {
    while (!(await answers(socket.host))) await pause(POLL_MS)
    return performance.now() - began
  } finally {
    if (child.pid !== undefined) await stopPostmaster(child.pid, dir, account)
    await socket.remove()
  }
}

async function answers(host: string): Promise<boolean> {
  const client = new pg.Client({ host, port: PORT, user: 'rodado', database: 'rodado' })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
