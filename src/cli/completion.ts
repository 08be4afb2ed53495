/**
 * Completion for shells. Commands and options are written into the script, so that a tab costs
 * nothing; ids and names of flows are asked for, from whatever store the command line says.
 */
import { type Command, Option } from 'commander';

/** What a shell can complete a command with. */
export interface Words {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
  readonly first: Offer;
  /** By option: what its value may be. */
  readonly values: ReadonlyMap<string, Offer>;
}

/** What there is to choose from at one place. */
interface Offer {
  readonly words: readonly string[];
  /** Files, too. */
  readonly files: boolean;
  /** What else is asked for, of the store. */
  readonly asks: readonly ('ids' | 'flows' | 'tasks')[];
}

const NOTHING: Offer = { words: [], files: false, asks: [] };

export function wordsOf(program: Command): readonly Words[] {
  const commands = program.commands.filter((command) => !isHidden(command));
  const names = [...commands.map((command) => command.name()), 'help'];
  const known = commands.map((command) => ({
    name: command.name(),
    summary: command.description(),
    options: optionsOf(command).flatMap(({ long }) => long ?? []),
    first: firstOf(command),
    values: valuesOf(command),
  }));
  const first = { ...NOTHING, words: names };
  const summary = 'say how a command is called';
  return [...known, { name: 'help', summary, options: [], first, values: new Map() }];
}

function isHidden(command: Command): boolean {
  return command.name().startsWith('_');
}

/** Its own and those of what is below it: whoever types them has said which by then. */
function optionsOf(command: Command): readonly Option[] {
  const all = [command, ...command.commands].flatMap(({ options }) => options);
  const names = all.map(({ long }) => long);
  return [
    ...all.filter(({ long }, at) => names.indexOf(long) === at),
    new Option('-h, --help', 'say how it is called'),
  ];
}

/** By the name of an argument: what it may be. */
const FIRSTS: Readonly<Record<string, Partial<Offer>>> = {
  id: { asks: ['ids'] },
  task: { asks: ['tasks'] },
  flow: { asks: ['flows'] },
  file: { files: true },
  files: { files: true },
  'flow-or-file': { files: true, asks: ['flows'] },
  'file-flow-or-id': { files: true, asks: ['flows', 'ids'] },
  from: { files: true, asks: ['flows'] },
};

function firstOf(command: Command): Offer {
  const [first] = command.registeredArguments;
  const below = command.commands.map((one) => one.name());
  const words = [...below, ...(first?.argChoices ?? [])];
  return { ...NOTHING, words, ...FIRSTS[first?.name() ?? ''] };
}

/** Options whose value is a file or a folder. */
const FILES: ReadonlySet<string> = new Set(['--handlers', '--allow-read']);

function valuesOf(command: Command): ReadonlyMap<string, Offer> {
  const values = new Map<string, Offer>();
  for (const { long, argChoices } of optionsOf(command)) {
    if (argChoices !== undefined) values.set(long ?? '', { ...NOTHING, words: argChoices });
    if (long !== undefined && FILES.has(long)) values.set(long, { ...NOTHING, files: true });
    if (long === '--flow') values.set(long, { ...NOTHING, asks: ['flows'] });
    if (long === '--parent' || long === '--instance') {
      values.set(long, { ...NOTHING, asks: ['ids'] });
    }
  }
  return values;
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

const ASK = 'perdure _complete';

/** Each place where something is offered: after a command, and after an option of one. */
function placesOf(words: readonly Words[]): readonly (readonly [string, string, Offer])[] {
  return words.flatMap(({ name, values }) =>
    [...values].map(([option, offer]) => [name, option, offer] as const),
  );
}

/**
 * The store is read off the line and not from its words, which bash cuts at every colon: a URL
 * would be three of them.
 */
function bashScript(words: readonly Words[]): string {
  const offered = ({ words: known, files, asks }: Offer): string => {
    const asked = asks.map((what) => ` $(${ASK} ${what} $store 2>/dev/null)`);
    return `words="${known.join(' ')}${asked.join('')}"${files ? '; files=1' : ''}`;
  };
  const values = placesOf(words).map(([name, option, offer]) => {
    return `    "${name} ${option}") ${offered(offer)} ;;`;
  });
  const cases = words.map(({ name, options, first }) => {
    return `    "${name} "*) ${offered(first)}; options="${options.join(' ')}" ;;`;
  });
  return `# bash completion of perdure: eval "$(perdure completion bash)"
_perdure() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local words="" options="" files="" store=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${words.map(({ name }) => name).join(' ')}" -- "$current"))
    return
  fi
  if [[ "$COMP_LINE" =~ [[:space:]]--store[=[:space:]]+([^[:space:]]+) ]]; then
    store="--store \${BASH_REMATCH[1]//[\\"\\']/}"
  fi
  case "\${COMP_WORDS[1]} $previous" in
${[...values, ...cases].join('\n')}
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
  const offered = ({ words: known, files, asks }: Offer, more: readonly string[]): string => {
    const asked = asks.map((what) => ` \${(f)"$(${ASK} ${what} $store 2>/dev/null)"}`);
    const rest = files ? '; _files' : '';
    return `compadd -- ${[...more, ...known].join(' ')}${asked.join('')}${rest}`;
  };
  const values = placesOf(words).map(([name, option, offer]) => {
    return `    "${name} ${option}") ${offered(offer, [])} ;;`;
  });
  const cases = words.map(({ name, options, first }) => {
    return `    "${name} "*) ${offered(first, options)} ;;`;
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
  case "\${words[2]} \${words[CURRENT - 1]}" in
${[...values, ...cases].join('\n')}
  esac
}
compdef _perdure perdure
`;
}

function fishScript(words: readonly Words[]): string {
  const names = words.map(({ name }) => name).join(' ');
  const start = `complete -c perdure -n 'not __fish_seen_subcommand_from ${names}'`;
  const offered = ({ words: known, asks }: Offer): string => {
    const asked = asks.map((what) => `(${ASK} ${what} (__perdure_store) 2>/dev/null)`);
    return [...known, ...asked].join(' ');
  };
  const lines = words.flatMap(({ name, summary, options, first, values }) => {
    const on = `complete -c perdure -n '__fish_seen_subcommand_from ${name}'`;
    const offer = offered(first);
    return [
      `${start} -f -a ${name} -d '${plain(summary)}'`,
      ...options.map((option) => {
        const value = values.get(option);
        const none = value === undefined ? '' : ` -x -a '${offered(value)}'`;
        const after = value?.files === true ? ' -r -F' : none;
        return `${on} -l ${option.slice(2)}${after}`;
      }),
      ...(offer === '' ? [] : [`${on}${first.files ? '' : ' -f'} -a '${offer}'`]),
    ];
  });
  return `# fish completion of perdure: perdure completion fish | source
function __perdure_store
  set -l words (commandline -opc)
  set -l at (contains -i -- --store $words)
  and printf '%s\\n' --store $words[(math $at + 1)]
end
${lines.join('\n')}
`;
}

/** Nothing that a shell would take for more than a letter. */
function plain(text: string): string {
  return text.replaceAll(/['":$`\\]/g, ' ');
}
