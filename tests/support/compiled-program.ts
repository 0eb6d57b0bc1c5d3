import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Programs that tests start as processes, by their sources. */
export const PROGRAMS = {
  rodado: 'src/cli/main.ts',
  partner: 'cli/src/main.ts',
  embedded: 'tests/support/embedded-process.ts',
  fuzz: 'fuzz/run.ts',
  fuzzWorker: 'fuzz/worker.ts',
  fuzzCostServer: 'fuzz/cost-server.ts',
  isolation: 'tests/isolation/report.ts',
  kill: 'drills/kill.ts',
  failover: 'drills/failover.ts',
  failingDrill: 'tests/support/failing-drill.ts',
  trust: 'drills/trust.ts',
  audit: 'scripts/audit.ts',
  image: 'scripts/image.ts',
}

/** The variable with the folder where scripts/test.ts has compiled them. */
export const PROGRAMS_FOLDER = 'RODADO_TEST_PROGRAMS'

/** The compiled file of a program: compiling at every start would take seconds. */
export function compiledProgram(name: keyof typeof PROGRAMS): string {
  const folder = process.env[PROGRAMS_FOLDER]
  if (!folder) throw new Error('No compiled programs: run tests with `npm test` or `npm test -- <files>`.')
  return join(folder, `${name}.mjs`)
}

/** The compiled file if there is one; otherwise the source, for programs that also run without the test runner. */
export const runnableProgram = (name: keyof typeof PROGRAMS): { file: string; execArgv: string[] } =>
  process.env[PROGRAMS_FOLDER]
    ? { file: compiledProgram(name), execArgv: [] }
    : { file: fileURLToPath(new URL(`../../${PROGRAMS[name]}`, import.meta.url)), execArgv: ['--import', 'tsx'] }
