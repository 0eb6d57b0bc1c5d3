import { commandsWith, type Shape, UsageError } from './command.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import type { CompletedCommand, CompletedOption } from './completion/model.ts'
import { zshScript } from './completion/zsh.ts'
import type { CommandEntries } from './program.ts'
import { suggestion } from './suggestion.ts'
import { TOPICS } from './topics.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }
type Shell = keyof typeof SCRIPTS
const SHELLS = Object.keys(SCRIPTS) as Shell[]

/** The arguments that have few values, by the name in a command's definition. */
const ARGUMENTS: Record<string, readonly string[]> = {
  METHOD: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  TOPIC: TOPICS,
  SHELL: SHELLS,
}

/** The command that prints a completion script for these commands. */
export const completionOf = <C>(commands: CommandEntries<C>) =>
  commandsWith<C>().defineCommand('SHELL', {}, async (_values, _io, name) => {
    const shell = SHELLS.find((known) => known === name)
    if (!shell) throw new UsageError(`the shells are ${SHELLS.join(', ')}.${suggestion(name, SHELLS)}`)
    const script = SCRIPTS[shell](await readCommands(commands))
    return { json: { shell, script }, text: script }
  })

async function readCommands<C>(commands: CommandEntries<C>): Promise<CompletedCommand[]> {
  const entries = Object.entries(commands)
  return Promise.all(
    entries.map(async ([name, { summary, load }]) => describe(name, summary, (await load()).run.shape)),
  )
}

const describe = (name: string, summary: string, { args, options, subcommands }: Shape): CompletedCommand => ({
  name,
  summary,
  values: args.split(' ').flatMap((arg) => ARGUMENTS[arg] ?? []),
  options: Object.entries(options).map(
    ([option, { type, short, values }]): CompletedOption => ({
      name: option,
      short,
      takesValue: type === 'string',
      values: values ?? [],
    }),
  ),
  subcommands: Object.entries(subcommands).map(([verb, shape]) => describe(verb, '', shape)),
})
