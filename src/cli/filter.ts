/** Which instances are meant: the same options wherever a command is about many of them. */
import { type Command, Option } from 'commander';
import { parseDuration } from '../base/duration.ts';
import type { InstanceFilter, Store } from '../index.ts';
import { choiceOption } from './desk.ts';
import { badCommand } from './failing.ts';
import { checkFlow } from './known-flow.ts';
import { meant } from '../base/nearest.ts';
import { readFlowName, readMoment, readPairs } from './words.ts';

export interface FilterOptions {
  readonly flow?: string;
  readonly status?: readonly string[];
  readonly key?: string;
  readonly tenant?: string;
  readonly error?: string;
  readonly stalled?: boolean;
  readonly parent?: string;
  readonly attribute?: readonly string[];
  readonly olderThan?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
  readonly endedAfter?: string;
  readonly endedBefore?: string;
}

const STATUSES = [
  'running',
  'waiting',
  'suspended',
  'compensating',
  'completed',
  'failed',
  'canceled',
] as const;

type Status = (typeof STATUSES)[number];

export function filterOptions(command: Command): Command {
  return command
    .addOption(new Option('--flow <name>', 'of this flow, or of one version: NAME@2'))
    .addOption(choiceOption('--status <status...>', 'one or more of these', STATUSES))
    .option('--key <key>', 'with this business key')
    .option('--tenant <tenant>', 'of this tenant')
    .option('--error <error>', 'failed with this code, CODE* for all that begin so, or ~TEXT')
    .option('--attribute <name=value...>', 'with this search attribute')
    .option('--parent <id>', 'called by this instance')
    .option('--stalled', 'that wait where branches meet for what cannot come any more')
    .option('--older-than <duration>', 'started longer ago than this, such as 1d')
    .option('--created-after <moment>', 'started at this moment or later')
    .option('--created-before <moment>', 'started before this moment')
    .option('--ended-after <moment>', 'over at this moment or later')
    .option('--ended-before <moment>', 'over before this moment');
}

/** A flow that the store does not know finds nothing, which looks as if there were nothing. */
export async function checkFilter(store: Store, { flow }: FilterOptions): Promise<void> {
  if (flow !== undefined) await checkFlow(store, readFlowName(flow));
}

/** What the options say, as the engine is asked. Empty if they say nothing. */
export function filterOf(options: FilterOptions): InstanceFilter {
  const { flow, status, key, tenant, error, stalled, parent, attribute } = options;
  return {
    ...(flow === undefined ? {} : flowSought(flow)),
    ...(status === undefined ? {} : { status: status.flatMap(statusesIn) }),
    ...(key === undefined ? {} : { key }),
    ...(tenant === undefined ? {} : { tenant }),
    ...(error === undefined ? {} : { error: errorSought(error) }),
    ...(stalled === true ? { stalled } : {}),
    ...(parent === undefined ? {} : { parent }),
    ...(attribute === undefined ? {} : { attributes: attributesIn(attribute) }),
    ...momentsOf(options),
  };
}

function flowSought(word: string): { flow: string; version?: number } {
  const { name, version } = readFlowName(word);
  return version === undefined ? { flow: name } : { flow: name, version };
}

/** `--status failed,canceled` and `--status failed canceled` are the same. */
function statusesIn(word: string): readonly Status[] {
  return word.split(',').map((one) => {
    const status = STATUSES.find((known) => known === one);
    if (status !== undefined) return status;
    throw badCommand(`there is no status "${one}": ${meant(one, STATUSES)}`);
  });
}

function errorSought(word: string): { code: string } | { contains: string } {
  return word.startsWith('~') ? { contains: word.slice(1) } : { code: word };
}

/** A number or a truth is written as such; in quotes it is text. */
function attributesIn(words: readonly string[]): Record<string, string | number | boolean> {
  const pairs = [...readPairs('--attribute', words)].map(([name, text]) => {
    const plain = /^(-?(0|[1-9]\d*)(\.\d+)?|true|false|".*")$/.test(text);
    return [name, plain ? plainValue(name, text) : text] as const;
  });
  return Object.fromEntries(pairs);
}

function plainValue(name: string, text: string): string | number | boolean {
  try {
    return JSON.parse(text) as string | number | boolean;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    throw badCommand(`--attribute ${name}: what begins with a quote is JSON; came ${text}`);
  }
}

type Moments = Pick<
  InstanceFilter,
  'createdAfter' | 'createdBefore' | 'endedAfter' | 'endedBefore'
>;

function momentsOf(options: FilterOptions): Moments {
  const { olderThan, createdAfter, createdBefore, endedAfter, endedBefore } = options;
  if (olderThan !== undefined && createdBefore !== undefined) {
    throw badCommand('--older-than and --created-before say the same thing: use one of them');
  }
  const read = (name: string, word: string | undefined): number | undefined => {
    return word === undefined ? undefined : readMoment(`--${name}`, word);
  };
  const moments = {
    createdAfter: read('created-after', createdAfter),
    createdBefore:
      olderThan === undefined
        ? read('created-before', createdBefore)
        : Date.now() - spanOf(olderThan),
    endedAfter: read('ended-after', endedAfter),
    endedBefore: read('ended-before', endedBefore),
  };
  return Object.fromEntries(Object.entries(moments).filter(([, at]) => at !== undefined));
}

function spanOf(word: string): number {
  const ms = parseDuration(word);
  if (ms.ok) return ms.value;
  throw badCommand(`--older-than: ${ms.problem}`);
}
