import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Logs lines in the run's folder, each once per process, for the checks after all tests (*.last.ts). */
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

/** The lines that all processes of the run have logged. */
export function readRunLog(kind: string): string[] {
  const run = process.env.RODADO_TEST_RUN ?? ''
  const files = readdirSync(run).filter((name) => name.startsWith(`${kind}-`))
  return files.flatMap((file) => readFileSync(join(run, file), 'utf8').trim().split('\n'))
}
