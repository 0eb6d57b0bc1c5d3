import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Captured } from './capture.ts'
import { compareServers } from './compare.ts'
import { type Asked, captureAnswers, prepareRequests } from './requests.ts'
import type { Bench, Comparison, Scenario, Side } from './scenario.ts'
import { BARE } from './server-process.ts'

export interface HttpScenario extends Scenario {
  asked: Asked
}

export const isOverHttp = (scenario: Scenario): scenario is HttpScenario => 'asked' in scenario

/** Measures a GET of what is in memory beside a bare server that sends the same bytes, and beside the usual way. */
export function overHttp(asked: Asked, { usual }: { usual: boolean }): HttpScenario {
  const { name, title } = asked
  const bare = async (answers: Captured[], folder: string) => ({ program: BARE, file: await store(answers, folder) })
  return {
    name,
    title,
    asked,
    seconds: usual ? 25 : 17,
    measure: (bench) => compareGets(bench, { asked: () => asked, bare, usual, asksPostgres: false }),
  }
}

interface Gets {
  /** What that side is asked: the same, but for cookies, which each signs by itself. */
  asked(side: Side): Asked
  bare(answers: Captured[], folder: string): Promise<{ program: string; file: string }>
  usual: boolean
  asksPostgres: boolean
  /** What ours is started with beside what the installation says. */
  environment?: Record<string, string>
}

/** Measures GETs; the bare server is told how ours answered. */
export async function compareGets(bench: Bench, gets: Gets): Promise<Comparison> {
  const { installation } = bench
  const { name, title, target } = gets.asked('ours')
  const answers: Partial<Record<Side, Captured[]>> = {}
  return compareServers(bench, {
    about: { name, title, target },
    usual: gets.usual,
    postgresMicros: gets.asksPostgres ? installation.servingMicros : undefined,
    reads: true,
    ...(gets.environment && { environment: gets.environment }),
    async bare(ours) {
      const { mayRefuse, ...meant } = gets.asked('ours')
      answers.ours = await captureAnswers(meant, installation, ours.port)
      const bodyBytes = answers.ours.reduce((sum, { body }) => sum + body.length, 0) / answers.ours.length
      return { ...(await gets.bare(answers.ours, installation.folder)), bodyBytes }
    },
    async prepare(side, ports) {
      // What is unchanged is unchanged by each server's own ETag.
      if (side === 'usual') answers.usual ??= await captureAnswers(gets.asked('usual'), installation, ports.usual)
      const known = (side === 'usual' ? answers.usual : answers.ours) ?? []
      return prepareRequests(gets.asked(side), known, installation, ports.ours)
    },
  })
}

async function store(answers: Captured[], folder: string): Promise<string> {
  const file = join(folder, 'answers.json')
  await writeFile(file, JSON.stringify(answers.map((answer) => ({ ...answer, body: answer.body.toString('base64') }))))
  return file
}
