import type { CommandSpec } from './command.ts';

/** A command as the scripts complete it. */
export interface Completed {
  /** The words, such as `keys create`. */
  readonly path: string;
  readonly summary: string;
  /** Next words: verbs. */
  readonly verbs: readonly { readonly name: string; readonly summary: string }[];
  readonly options: readonly CompletedOption[];
  /** Whether arguments are files. */
  readonly takesFiles: boolean;
}

export interface CompletedOption {
  /** With dashes. */
  readonly name: string;
  readonly doc: string;
  readonly hasValue: boolean;
  /** Values there are; none: files are completed if the value is one. */
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

/** Text in single quotes, for a POSIX shell and zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** fish has backslashes in single quotes. */
const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const names = (items: readonly { readonly name: string }[]): string =>
  items.map(({ name }) => name).join(' ');

/** How the command is found in the words that were typed: its verbs follow it. */
const FIND_COMMAND = (commands: readonly CommandSpec[]): string =>
  commands
    .filter(({ verbs }) => verbs !== undefined)
    .map(({ name }) => name)
    .join('|');

/** The values of an option: `files`, or words. null: nothing is known. */
const valuesOf = ({ choices, isFile }: CompletedOption): string | null =>
  isFile ? '@files' : choices.length > 0 ? choices.join(' ') : null;

/** The lines of a `case` with the options, the values of options and the next words of each command. */
function cases(commands: readonly Completed[]): string {
  return commands
    .map(({ path, verbs, options, takesFiles }) => {
      const values = options.flatMap((option) => {
        const list = option.hasValue ? valuesOf(option) : null;
        return list === null ? [] : `      ${quoted(option.name)}) values=${quoted(list)} ;;`;
      });
      const others = options
        .filter((option) => option.hasValue && valuesOf(option) === null)
        .map(({ name }) => quoted(name));
      const unknown = others.length === 0 ? [] : [`      ${others.join('|')}) values=@none ;;`];
      return [
        `    ${quoted(path)})`,
        `      words=${quoted(names(verbs))} options=${quoted(names(options))} files=${takesFiles ? 1 : ''}`,
        ...(values.length + unknown.length === 0
          ? []
          : ['      case $previous in', ...values, ...unknown, '      esac']),
        '      ;;',
      ].join('\n');
    })
    .join('\n');
}

/** Completion for bash, without the package bash-completion. */
export const bashScript = (
  commands: readonly CommandSpec[],
  completed: readonly Completed[],
): string => `# Completion of sluice for bash: source <(sluice completion bash)
_sluice() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local command=\${COMP_WORDS[1]} values= words= options= files=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quoted(names(commands))} -- "$current"))
    return
  fi
  case $command in
    ${FIND_COMMAND(commands)}) [ "$COMP_CWORD" -gt 2 ] && command="$command \${COMP_WORDS[2]}" ;;
  esac
  case $command in
${cases(completed)}
  esac
  case $values in
    @files) COMPREPLY=($(compgen -f -- "$current")) ;;
    @none) ;;
    '')
      if [ "\${current#-}" != "$current" ]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
      else
        COMPREPLY=($(compgen -W "$words" -- "$current"))
        [ -n "$files" ] && COMPREPLY+=($(compgen -f -- "$current"))
      fi
      ;;
    *) COMPREPLY=($(compgen -W "$values" -- "$current")) ;;
  esac
}
complete -F _sluice sluice bin/sluice ./bin/sluice`;

/** Completion for zsh. */
export const zshScript = (
  commands: readonly CommandSpec[],
  completed: readonly Completed[],
): string => `#compdef sluice
# Completion of sluice for zsh: source <(sluice completion zsh)
_sluice() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT - 1]}
  local command=\${words[2]} values= files= options=
  if (( CURRENT == 2 )); then
    local -a commands=(${commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ')})
    _describe command commands
    return
  fi
  case $command in
    ${FIND_COMMAND(commands)}) (( CURRENT > 3 )) && command="$command \${words[3]}" ;;
  esac
  local words=
  case $command in
${cases(completed)}
  esac
  case $values in
    @files) _files ;;
    @none) _message value ;;
    '')
      if [[ $current == -* ]]; then
        compadd -- \${=options}
      else
        compadd -- \${=words}
        [[ -n $files ]] && _files
      fi
      ;;
    *) compadd -- \${=values} ;;
  esac
}
compdef _sluice sluice`;

/** Completion for fish. */
export function fishScript(commands: readonly CommandSpec[], completed: readonly Completed[]): string {
  const line = (...words: readonly string[]) => ['complete -c sluice', ...words].join(' ');
  const condition = (path: string) => {
    const [first, second] = path.split(' ');
    const seen = `__fish_seen_subcommand_from ${first}`;
    return `-n ${fishQuoted(second === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${second}`)}`;
  };
  const option = (path: string, { name, doc, hasValue, choices, isFile }: CompletedOption) =>
    line(
      condition(path),
      name.startsWith('--') ? `-l ${fishQuoted(name.slice(2))}` : `-s ${name.slice(1)}`,
      ...(hasValue ? [isFile ? '-r -F' : '-x'] : []),
      ...(choices.length > 0 ? [`-a ${fishQuoted(choices.join(' '))}`] : []),
      `-d ${fishQuoted(doc)}`,
    );
  return [
    '# Completion of sluice for fish: sluice completion fish > ~/.config/fish/completions/sluice.fish',
    line('-f'),
    ...commands.map(({ name, summary }) =>
      line('-n __fish_use_subcommand', `-a ${name}`, `-d ${fishQuoted(summary)}`),
    ),
    ...completed.flatMap((command) => [
      ...command.verbs.map((verb) =>
        line(
          `-n ${fishQuoted(`__fish_seen_subcommand_from ${command.path}; and not __fish_seen_subcommand_from ${names(command.verbs)}`)}`,
          `-a ${verb.name}`,
          `-d ${fishQuoted(verb.summary)}`,
        ),
      ),
      ...command.options.map((one) => option(command.path, one)),
      ...(command.takesFiles ? [line(condition(command.path), '-F')] : []),
    ]),
  ].join('\n');
}
