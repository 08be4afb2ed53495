/**
 * Completion for shells. Commands and options are written into the script, so that a tab costs
 * nothing; ids and names of flows are asked for, from whatever store the command line says.
 */
import type { Command } from 'commander';

/** What a shell can complete a command with. */
export interface Words {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
  /** Words below it: `outbox requeue`. */
  readonly below: readonly string[];
  /** What its first argument is. */
  readonly first: 'file' | 'id' | 'flow' | 'other';
}

export function wordsOf(program: Command): readonly Words[] {
  const commands = program.commands.filter((command) => !isHidden(command));
  return commands.map((command) => ({
    name: command.name(),
    summary: command.description(),
    options: longOptions(command),
    below: command.commands.map((one) => one.name()),
    first: firstOf(command),
  }));
}

function isHidden(command: Command): boolean {
  return command.name().startsWith('_');
}

function longOptions(command: Command): readonly string[] {
  const own = command.options.flatMap(({ long }) => long ?? []);
  const below = command.commands.flatMap((one) => longOptions(one));
  return [...new Set([...own, ...below, '--help'])];
}

function firstOf(command: Command): Words['first'] {
  const [first] = command.registeredArguments;
  switch (first?.name()) {
    case 'id':
      return 'id';
    case 'flow':
      return 'flow';
    case 'file':
    case 'files':
    case 'flow-or-file':
    case 'file-flow-or-id':
    case 'from':
      return 'file';
    default:
      return 'other';
  }
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function scriptOf(shell: Shell, words: readonly Words[]): string {
  switch (shell) {
    case 'bash':
      return bashScript(words);
    case 'zsh':
      return zshScript(words);
    case 'fish':
      return fishScript(words);
    default:
      return shell satisfies never;
  }
}

/** The store of the line that is being typed, if it says one. */
const ASK = 'perdure _complete';

function bashScript(words: readonly Words[]): string {
  const cases = words.map(({ name, options, below, first }) => {
    const asks =
      first === 'id' || first === 'flow' ? ` $(${ASK} ${first}s $store 2>/dev/null)` : '';
    const files = first === 'file' ? '; files=1' : '';
    const known = `words="${below.join(' ')}${asks}"; options="${options.join(' ')}"`;
    return `    ${name}) ${known}${files} ;;`;
  });
  return `# bash completion of perdure: eval "$(perdure completion bash)"
_perdure() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" options="" files="" store="" i
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words.map(({ name }) => name).join(' ')} help" -- "$current"))
    return
  fi
  for ((i = 2; i < COMP_CWORD; i++)); do
    [ "\${COMP_WORDS[i - 1]}" = "--store" ] && store="--store \${COMP_WORDS[i]}"
  done
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *)
      COMPREPLY=($(compgen -W "$words" -- "$current"))
      [ -n "$files" ] && COMPREPLY+=($(compgen -f -- "$current"))
      ;;
  esac
}
complete -o default -F _perdure perdure
`;
}

function zshScript(words: readonly Words[]): string {
  const commands = words.map(({ name, summary }) => `    '${name}:${plain(summary)}'`);
  const cases = words.map(({ name, options, below, first }) => {
    const asks =
      first === 'id' || first === 'flow' ? ` \${(f)"$(${ASK} ${first}s $store 2>/dev/null)"}` : '';
    const files = first === 'file' ? '; _files' : '';
    return `    ${name}) compadd -- ${[...options, ...below].join(' ')}${asks}${files} ;;`;
  });
  return `#compdef perdure
# zsh completion of perdure: perdure completion zsh > "\${fpath[1]}/_perdure"
_perdure() {
  local -a commands store
  local at=\${words[(i)--store]}
  commands=(
${commands.join('\n')}
  )
  (( at < CURRENT )) && store=(--store \${words[at + 1]})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case "\${words[2]}" in
${cases.join('\n')}
  esac
}
compdef _perdure perdure
`;
}

function fishScript(words: readonly Words[]): string {
  const names = words.map(({ name }) => name).join(' ');
  const lines = words.flatMap(({ name, summary, options, below, first }) => {
    const on = `complete -c perdure -n '__fish_seen_subcommand_from ${name}'`;
    const asks =
      first === 'id' || first === 'flow' ? [`${on} -f -a '(${ASK} ${first}s 2>/dev/null)'`] : [];
    const start = `complete -c perdure -n 'not __fish_seen_subcommand_from ${names}'`;
    return [
      `${start} -f -a ${name} -d '${plain(summary)}'`,
      ...options.map((option) => `${on} -l ${option.slice(2)}`),
      ...(below.length === 0 ? [] : [`${on} -f -a '${below.join(' ')}'`]),
      ...asks,
    ];
  });
  return `# fish completion of perdure: perdure completion fish | source\n${lines.join('\n')}\n`;
}

/** Nothing that a shell would take for more than a letter. */
function plain(text: string): string {
  return text.replaceAll(/['":$`\\]/g, ' ');
}
