import { afterAny, type CompletedCommand, completionsOf, groupsOf, openOptions } from './model.ts'

/** `source <(rodado completion bash)`. */
export function bashScript(commands: CompletedCommand[]): string {
  const completions = completionsOf(commands)
  const ofOptions = completions.flatMap(({ path, optionValues }) =>
    optionValues.map(({ option, values }) => `    '${path} ${option}') words='${values.join(' ')}' ;;`),
  )
  return `# bash completion of rodado: source <(rodado completion bash)
_rodado() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path="\${COMP_WORDS[1]}" words=''
  case "$path" in
    ${groupsOf(commands).join('|') || "''"}) if ((COMP_CWORD > 2)); then path="$path \${COMP_WORDS[2]}"; fi ;;
  esac
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words='${commands.map(({ name }) => name).join(' ')} help version'
  else case "$path $prev" in
${ofOptions.join('\n')}
    ${afterAny(openOptions(commands))}) return ;;
    *) case "$path" in
${completions.map(({ path, words }) => `      '${path}') words='${words.join(' ')} --help' ;;`).join('\n')}
    esac ;;
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _rodado rodado
`
}
