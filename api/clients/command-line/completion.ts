// Completion for bash and zsh, made of the table of commands: words of commands, their options, values that are known.
import { COMMON, type Command } from './command.ts';

export const SHELLS = ['bash', 'zsh'] as const;

export function completionOf(shell: (typeof SHELLS)[number], commands: readonly Command[]): string {
  return shell === 'bash' ? bash(commands) : `${ZSH}\n${bash(commands)}`;
}

/** zsh reads completions of bash. */
const ZSH = `#compdef voicectl
autoload -U +X compinit && compinit -u
autoload -U +X bashcompinit && bashcompinit`;

function bash(commands: readonly Command[]): string {
  const firsts = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  const seconds = firsts.flatMap((first) => {
    const words = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]);
    return words.length === 0 ? [] : [`    ${first}) words="${words.join(' ')}" ;;`];
  });
  const options = commands.map(({ name, options: own = {} }) => {
    const all = Object.keys({ ...own, ...COMMON }).map((option) => `--${option}`);
    return `    "${name}") options="${all.join(' ')}" ;;`;
  });
  const choices = commands.flatMap(({ name, options: own = {}, args = [] }) => [
    ...Object.entries(own).flatMap(([option, { choices: values, isFile }]) =>
      values !== undefined
        ? [`    "${name} --${option}") values="${values.join(' ')}" ;;`]
        : isFile
          ? [`    "${name} --${option}") files=1 ;;`]
          : [],
    ),
    ...(args.some(({ isFile }) => isFile) ? [`    "${name} ") files=1 ;;`] : []),
  ]);
  return `_voicectl() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}"
  local words="" options="" values="" files="" command="$first"
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${firsts.join(' ')} --help" -- "$word")); return; fi
  case "$first" in
${seconds.join('\n')}
  esac
  if [ -n "$words" ]; then
    if [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); return; fi
    command="$first $second"
  fi
  case "$before" in --*) ;; *) before="" ;; esac
  case "$command $before" in
${choices.join('\n')}
  esac
  if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$word")); return; fi
  case "$command" in
${options.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) if [ -n "$files" ]; then COMPREPLY=($(compgen -f -- "$word")); fi ;;
  esac
}
complete -o default -F _voicectl voicectl
`;
}
