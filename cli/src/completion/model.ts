export interface CompletedOption {
  name: string
  short: string | undefined
  takesValue: boolean
  /** The values that it takes, if they are few. */
  values: readonly string[]
}

/** What can be typed after a command. */
export interface CompletedCommand {
  name: string
  summary: string
  /** The values of its arguments, if they are few. */
  values: readonly string[]
  options: CompletedOption[]
  subcommands: CompletedCommand[]
}

/** A command line up to where its words are completed: `app create`, and the words that may follow. */
interface Completion {
  path: string
  words: string[]
  /** After an option with few values: those. */
  optionValues: { option: string; values: readonly string[] }[]
}

/** Every command and subcommand with its words. */
export const completionsOf = (commands: CompletedCommand[], before = ''): Completion[] =>
  commands.flatMap(({ name, values, options, subcommands }) => {
    const path = before + name
    const words = [...subcommands.map((each) => each.name), ...values, ...options.flatMap(spellings)]
    const optionValues = options.flatMap((option) =>
      option.values.length === 0 ? [] : spellings(option).map((each) => ({ option: each, values: option.values })),
    )
    return [{ path, words, optionValues }, ...completionsOf(subcommands, `${path} `)]
  })

/** The options of any command that take a value which cannot be listed: the shell completes files there. */
export const openOptions = (commands: CompletedCommand[]): string[] => [
  ...new Set(
    commands.flatMap(({ options, subcommands }) => [
      ...options.filter(({ takesValue, values }) => takesValue && values.length === 0).flatMap(spellings),
      ...openOptions(subcommands),
    ]),
  ),
]

const spellings = ({ name, short }: CompletedOption): string[] => [`--${name}`, ...(short ? [`-${short}`] : [])]

/** The names of the commands that have subcommands. */
export const groupsOf = (commands: CompletedCommand[]): string[] =>
  commands.filter(({ subcommands }) => subcommands.length > 0).map(({ name }) => name)

/** A pattern of bash and zsh: a path that ends with one of the options. */
export const afterAny = (options: string[]): string => options.map((option) => `*' ${option}'`).join('|') || "''"
