import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Programs of ours that tests start as processes of their own, by their sources. */
export const PROGRAMS = {
  rodado: 'src/cli/main.ts',
  embedded: 'tests/support/embedded-process.ts',
  fuzz: 'fuzz/run.ts',
  fuzzWorker: 'fuzz/worker.ts',
  fuzzCostServer: 'fuzz/cost-server.ts',
  isolation: 'tests/isolation/report.ts',
  kill: 'drills/kill.ts',
  failover: 'drills/failover.ts',
}

/** The variable that says where scripts/test.ts has compiled them. */
export const PROGRAMS_FOLDER = 'RODADO_TEST_PROGRAMS'

/** The file that node runs for one of them: compiled once for the whole run, since every start would take seconds to do it. */
export function compiledProgram(name: keyof typeof PROGRAMS): string {
  const folder = process.env[PROGRAMS_FOLDER]
  if (!folder) throw new Error('No compiled programs: run tests with `npm test` or `npm test -- <files>`.')
  return join(folder, `${name}.mjs`)
}

/** The same for whoever also runs by itself: without a compiled one, node reads the source. */
export const runnableProgram = (name: keyof typeof PROGRAMS): { file: string; execArgv: string[] } =>
  process.env[PROGRAMS_FOLDER]
    ? { file: compiledProgram(name), execArgv: [] }
    : { file: fileURLToPath(new URL(`../../${PROGRAMS[name]}`, import.meta.url)), execArgv: ['--import', 'tsx'] }
