import { PARTNER_COMMANDS } from './commands.ts'
import { readPartnerConfig } from './config.ts'
import { type Environment, runProgram } from './program.ts'
import { VERSION } from './version.ts'

const NOTE = 'RODADO_URL, RODADO_APP_KEY and RODADO_APP_SECRET say which marketplace, and who calls.'

/** Runs a partner's command line and returns the exit code. */
export const run = (argv: string[], environment: Environment): Promise<number> =>
  runProgram(
    { version: VERSION, commands: PARTNER_COMMANDS, note: NOTE, readConfig: readPartnerConfig },
    argv,
    environment,
  )
