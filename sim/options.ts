/** What the simulator is asked to do. A mistake is one sentence, and nothing runs. */
import { parseArgs } from 'node:util';
import { no, ok, type Result } from '../src/base/result.ts';

export interface Options {
  /** The seeds to play: from, and how many. */
  readonly from: number;
  readonly count: number;
  /** One seed alone, told in full. */
  readonly seed: number | null;
  readonly store: 'memory' | 'sqlite';
  /** Someone does something to each of them while it is played. */
  readonly operations: boolean;
  /** Whether jq programs are played: as many as definitions after them, alone, or not at all. */
  readonly jq: 'too' | 'alone' | 'not';
}

const COUNT_DEFAULT = 20_000;

export function readOptions(args: readonly string[]): Result<Options, string> {
  const parsed = parse(args);
  if (!parsed.ok) return parsed;
  const { store = 'memory', operations = false } = parsed.value;
  if (store !== 'memory' && store !== 'sqlite') {
    return no(`--store is memory or sqlite; came "${store}"`);
  }
  const numbers: Record<string, number | null> = {};
  for (const name of ['count', 'from', 'seed'] as const) {
    const text = parsed.value[name];
    if (text !== undefined && !/^\d{1,15}$/.test(text)) {
      return no(`--${name} is a whole number, 0 or more; came "${text}"`);
    }
    numbers[name] = text === undefined ? null : Number(text);
  }
  const { seed = null, from, count } = numbers;
  if (seed !== null && (from !== null || count !== null)) {
    return no('--seed plays one alone: leave out --from and --count');
  }
  if (parsed.value.jq && (operations || parsed.value.store !== undefined)) {
    return no('--jq plays no definitions: leave out --operations and --store');
  }
  const jq = jqPart(parsed.value, seed);
  return ok({ from: from ?? 1, count: count ?? COUNT_DEFAULT, seed, store, operations, jq });
}

/** A run that is about one definition, one store or an operator is about nothing else. */
function jqPart({ jq, store, operations }: Texts, seed: number | null): Options['jq'] {
  if (jq) return 'alone';
  return seed !== null || store !== undefined || operations ? 'not' : 'too';
}

type Texts = Readonly<Partial<Record<'count' | 'from' | 'seed' | 'store', string>>> & {
  readonly operations?: boolean;
  readonly jq?: boolean;
};

function parse(args: readonly string[]): Result<Texts, string> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { count: text, from: text, seed: text, store: text, operations: flag, jq: flag };
  try {
    return ok(parseArgs({ args: [...args], options }).values);
  } catch {
    const known = '--count N, --from N, --seed N, --operations, --jq and --store memory|sqlite';
    return no(`the simulator takes ${known}; came "${args.join(' ')}"`);
  }
}
