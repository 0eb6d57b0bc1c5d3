import type { CompletedCommand } from './model.ts'

/** `rodado completion fish | source`. */
export const fishScript = (commands: CompletedCommand[]): string =>
  [
    '# fish completion of rodado: rodado completion fish | source',
    'complete -c rodado -f',
    ...commands.map(
      ({ name, summary }) => `complete -c rodado -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap((command) => linesOf(command, `__fish_seen_subcommand_from ${command.name}`)),
    '',
  ].join('\n')

function linesOf({ values, options, subcommands }: CompletedCommand, condition: string): string[] {
  const verbs = subcommands.map(({ name }) => name).join(' ')
  const line = (rest: string, when = condition) => `complete -c rodado -n ${quoted(when)} ${rest}`
  return [
    ...(verbs ? [line(`-a ${quoted(verbs)}`, `${condition}; and not __fish_seen_subcommand_from ${verbs}`)] : []),
    ...(values.length > 0 ? [line(`-a ${quoted(values.join(' '))}`)] : []),
    ...options.map(({ name, short, takesValue, values: ofOption }) =>
      line(
        [
          `-l ${name}`,
          short && `-s ${short}`,
          ofOption.length > 0 ? `-x -a ${quoted(ofOption.join(' '))}` : takesValue && '-r -F',
        ]
          .filter(Boolean)
          .join(' '),
      ),
    ),
    ...subcommands.flatMap((each) => linesOf(each, `${condition}; and __fish_seen_subcommand_from ${each.name}`)),
  ]
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
