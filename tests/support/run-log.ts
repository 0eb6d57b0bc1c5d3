import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Leaves lines in the folder of the run, each once a process, for the checks that come after all tests (*.last.ts). */
export function logInRun(kind: string): (line: string) => void {
  const run = process.env.RODADO_TEST_RUN
  if (!run) return () => undefined
  const file = join(run, `${kind}-${process.pid}.txt`)
  const noted = new Set<string>()
  return (line) => {
    if (noted.has(line)) return
    noted.add(line)
    appendFileSync(file, `${line}\n`)
  }
}

/** What all processes of the run have noted. */
export function readRunLog(kind: string): string[] {
  const run = process.env.RODADO_TEST_RUN ?? ''
  const files = readdirSync(run).filter((name) => name.startsWith(`${kind}-`))
  return files.flatMap((file) => readFileSync(join(run, file), 'utf8').trim().split('\n'))
}
