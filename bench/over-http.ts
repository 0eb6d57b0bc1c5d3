import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Captured } from './capture.ts'
import { startClient } from './client/process.ts'
import { type Asked, captureAnswers, prepareRequests } from './requests.ts'
import { interleave } from './rounds.ts'
import type { Bench, Comparison, Scenario } from './scenario.ts'
import { startBare, startRodado } from './server-process.ts'

export interface HttpScenario extends Scenario {
  asked: Asked
}

export const isOverHttp = (scenario: Scenario): scenario is HttpScenario => 'asked' in scenario

/** Measures a GET beside a bare server that sends the same bytes. */
export function overHttp(asked: Asked): HttpScenario {
  const { name, title, target } = asked
  return {
    name,
    title,
    asked,
    async measure({ installation, progress }: Bench): Promise<Comparison> {
      const { folder, environment } = installation
      const running: { stop(): Promise<void> }[] = []
      try {
        const ours = keep(running, await startRodado(environment, join(folder, 'rodado.log')))
        const answers = await captureAnswers(asked, installation, ours.port)
        const bare = keep(running, await startBare(await store(answers, folder), join(folder, 'bare.log')))
        const client = keep(running, startClient())

        const prepare = () => prepareRequests(asked, answers, installation, ours.port)
        const rounds = await interleave({ bare, ours }, client, prepare, (line) => progress(`${name}  ${line}`))
        const bodyBytes = answers.reduce((sum, { body }) => sum + body.length, 0) / answers.length
        return { kind: 'comparison', name, title, target, bodyBytes, ...rounds }
      } finally {
        for (const process of running.reverse()) await process.stop()
      }
    },
  }
}

async function store(answers: Captured[], folder: string): Promise<string> {
  const file = join(folder, 'answers.json')
  await writeFile(file, JSON.stringify(answers.map((answer) => ({ ...answer, body: answer.body.toString('base64') }))))
  return file
}

function keep<T extends { stop(): Promise<void> }>(running: { stop(): Promise<void> }[], started: T): T {
  running.push(started)
  return started
}
