import { afterAny, type CompletedCommand, completionsOf, groupsOf, openOptions } from './model.ts'

/** `source <(rodado completion zsh)` after compinit, or a file `_rodado` in $fpath. */
export function zshScript(commands: CompletedCommand[]): string {
  const completions = completionsOf(commands)
  const ofOptions = completions.flatMap(({ path, optionValues }) =>
    optionValues.map(({ option, values }) => `    '${path} ${option}') compadd -- ${values.join(' ')} ;;`),
  )
  const described = commands.map(({ name, summary }) => `'${name}:${quoted(summary)}'`)
  return `#compdef rodado
# zsh completion of rodado: source <(rodado completion zsh)
_rodado() {
  local command_path=$words[2] prev=$words[CURRENT-1]
  case $command_path in
    (${groupsOf(commands).join('|') || "''"}) if (( CURRENT > 3 )); then command_path="$command_path $words[3]"; fi ;;
  esac
  if (( CURRENT == 2 )); then
    local -a commands=(${described.join(' ')})
    _describe command commands
    return
  fi
  case "$command_path $prev" in
${ofOptions.join('\n')}
    (${afterAny(openOptions(commands))}) _files ;;
    (*) case $command_path in
${completions.map(({ path, words }) => `      '${path}') compadd -- ${words.join(' ')} --help ;;`).join('\n')}
    esac ;;
  esac
}
if [[ $funcstack[1] == _rodado ]]; then _rodado "$@"; else compdef _rodado rodado; fi
`
}

/** In single quotes, and for _describe, which separates by a colon. */
const quoted = (text: string): string => text.replaceAll(':', '\\:').replaceAll("'", "'\\''")
