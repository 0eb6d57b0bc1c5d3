import { compiledProgram } from './compiled-program.ts'

/** Stands in for npx: in a clone, `npx rodado` is the command that npm ci leaves; here it is the one from source. */
export const npx = (): string => `#!/bin/sh\nshift\nexec '${process.execPath}' '${compiledProgram('rodado')}' "$@"\n`
