import { join } from 'node:path'
import type { Prepared } from './client/connection.ts'
import { startClient } from './client/process.ts'
import { interleave } from './rounds.ts'
import type { Bench, Comparison, Side } from './scenario.ts'
import { type ServerProcess, startBaseline, startRodado } from './server-process.ts'
import { startUsual } from './usual.ts'

/** How a comparison is set up; ours is started first, since the bare server repeats what it said. */
export interface Setting {
  about: Pick<Comparison, 'name' | 'title' | 'target' | 'ratioOf'>
  /** What ours is started with beside what the installation says. */
  environment?: Record<string, string>
  /** The bare server's program and what it is told. */
  bare(ours: ServerProcess): Promise<{ program: string; file: string; bodyBytes: number }>
  /** Whether the usual way takes its turns. */
  usual: boolean
  /** What PostgreSQL has spent that counts, where the servers ask it. */
  postgresMicros?: (() => number) | undefined
  reads?: boolean
  prepare(side: Side, ports: Record<'ours' | 'usual', number>): Promise<Prepared[]>
}

/** Starts the servers, has them take turns, and ends them. */
export async function compareServers({ installation, progress }: Bench, setting: Setting): Promise<Comparison> {
  const { about, environment = {}, usual: withUsual, postgresMicros } = setting
  const { folder } = installation
  const running: { stop(): Promise<void> }[] = []
  const keep = <T extends { stop(): Promise<void> }>(started: T): T => {
    running.push(started)
    return started
  }
  installation.placePostgres('client')
  try {
    const ours = keep(await startRodado({ ...installation.environment, ...environment }, join(folder, 'rodado.log')))
    const { program, file, bodyBytes } = await setting.bare(ours)
    const bare = keep(await startBaseline(program, file, join(folder, 'bare.log')))
    const usual = withUsual ? keep(await startUsual(installation)) : undefined
    const rounds = await interleave({
      servers: { bare, ours, usual },
      client: keep(startClient()),
      prepare: (side) => setting.prepare(side, { ours: ours.port, usual: usual?.port ?? 0 }),
      postgresMicros,
      reads: setting.reads,
      whenWarm: () => installation.placePostgres('server'),
      progress: (line) => progress(`${about.name}  ${line}`),
    })
    return { kind: 'comparison', ...about, bodyBytes, ...rounds }
  } finally {
    for (const process of running.reverse()) await process.stop()
    installation.placePostgres('anywhere')
  }
}
