import { compiledProgram } from './compiled-program.ts'

/** Replaces npx: `npx rodado` then runs the program from source. */
export const npx = (): string => `#!/bin/sh\nshift\nexec '${process.execPath}' '${compiledProgram('rodado')}' "$@"\n`
