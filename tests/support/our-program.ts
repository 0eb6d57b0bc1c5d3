import { join } from 'node:path'

/** Programs of ours that tests start as processes of their own, by their sources. */
export const OUR_PROGRAMS = { rodado: 'src/cli/main.ts', embedded: 'tests/support/embedded-process.ts' }

/** The variable that says where scripts/test.ts has compiled them. */
export const OUR_PROGRAMS_FOLDER = 'RODADO_TEST_PROGRAMS'

/** The file that node runs for one of them: compiled once for the whole run, since every start would take seconds to do it. */
export function ourProgram(name: keyof typeof OUR_PROGRAMS): string {
  const folder = process.env[OUR_PROGRAMS_FOLDER]
  if (!folder) throw new Error('No compiled programs: run tests with `npm test` or `npm test -- <files>`.')
  return join(folder, `${name}.mjs`)
}
