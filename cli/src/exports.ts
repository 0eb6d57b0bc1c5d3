/** What a server's own command line shares with the one for partners. */

export type { Found, Kind, MatchValues, Outcome } from './bestmatch/match.ts'
export * from './command.ts'
export { PARTNER_COMMANDS } from './commands.ts'
export type { Credentials, PartnerConfig } from './config.ts'
export { adaptCommands, type CommandEntries, type Environment, handleOutputErrors, runProgram } from './program.ts'
export { isTerminal } from './terminal.ts'
