import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyStopped, end, initPrimary, query, startServer, untilAnswers } from '../../drills/replicas.ts'
import { migrate } from '../../src/store/migrate.ts'
import { freePort } from './free-port.ts'

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_wal_senders: '4',
  wal_keep_size: '256MB',
  max_connections: '100',
  shared_buffers: '32MB',
  fsync: 'off',
  full_page_writes: 'off',
}

/** A primary and its replicas: real servers, made from the embedded store's binaries. */
export interface Replicated {
  primaryUrl: string
  primaryPid: number | undefined
  replicas: Replica[]
  /** Runs a statement on the primary. */
  query(text: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

export interface Replica {
  url: string
  pid: number | undefined
  query(text: string): Promise<Record<string, unknown>[]>
  /** As a power failure does. */
  kill(): Promise<void>
}

/** Starts a migrated primary and a replica for each of the given settings. */
export async function startReplicated(replicaSettings: Record<string, string>[]): Promise<Replicated> {
  const folder = await mkdtemp(join(process.env.RODADO_TEST_DATA ?? tmpdir(), 'rodado-replicated-'))
  const servers: ChildProcess[] = []
  const stop = async () => {
    for (const server of servers) await end(server, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const { account, binaries, first } = await initPrimary(folder)
    const start = async (dir: string, port: number, more: Record<string, string>) => {
      const settings = { ...SETTINGS, port: String(port), ...more }
      const server = startServer({ account, binaries, dir, settings })
      servers.push(server)
      await untilAnswers(port, server)
      return server
    }
    const port = await freePort()
    const primaryUrl = `postgres://rodado@127.0.0.1:${port}/rodado`
    const alone = await start(first, port, {})
    await query(port, 'postgres', 'create database rodado')
    await migrate({ connectionString: primaryUrl })
    await end(alone, 'SIGINT')

    const folders = replicaSettings.map((_, at) => join(folder, `replica${at}`))
    for (const to of folders) await copyStopped(first, to, account)
    const primary = await start(first, port, {})
    const replicas = await Promise.all(
      folders.map(async (dir, at): Promise<Replica> => {
        const own = await freePort()
        const upstream = { primary_conninfo: `host=127.0.0.1 port=${port} user=rodado` }
        const server = await start(dir, own, { ...upstream, ...replicaSettings[at] })
        return {
          url: `postgres://rodado@127.0.0.1:${own}/rodado`,
          pid: server.pid,
          query: (text) => query(own, 'rodado', text),
          kill: () => end(server, 'SIGKILL'),
        }
      }),
    )
    return { primaryUrl, primaryPid: primary.pid, replicas, query: (text) => query(port, 'rodado', text), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
