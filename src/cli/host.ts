/**
 * What a Serverless Workflow is given and allowed where it is run: hosts it may reach although they
 * are not public, what it may start, folders it may read, and secrets.
 *
 * A secret is best named by a file or a variable of the environment: other users of the machine can
 * read command lines. None of them is ever said again.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { pathToFileURL } from 'node:url';
import type { EngineOptions, Json } from '../index.ts';
import { choiceOption } from './desk.ts';
import { badCommand } from './failing.ts';
import { shellWord } from './mending.ts';
import { meant } from '../base/nearest.ts';
import type { Terminal } from './terminal.ts';
import { readPairs } from './words.ts';

export interface HostFlags {
  readonly allowNet?: readonly string[];
  readonly allowRun?: readonly string[];
  readonly allowRead?: readonly string[];
  readonly secret?: readonly string[];
}

/** What an engine takes of it. */
export type Hosted = Pick<EngineOptions, 'http' | 'secrets' | 'serverless'>;

const RUNS = ['shell', 'script', 'container', 'process'] as const;

/** Each may be said several times; but for secrets, also several in one word, with commas. */
export function hostOptions(command: Command): Command {
  const net = new Option('--allow-net <host>', 'HOST[:PORT] that is not public: reach it');
  const run = choiceOption('--allow-run <kind>', 'what it may start on this machine', RUNS);
  const read = new Option('--allow-read <folder>', 'where it may read file: URLs');
  const secret = new Option('--secret <name=value>', 'JSON, @FILE or env:VARIABLE, for $secrets');
  for (const option of [net, run, read]) {
    option.argParser((words: string, before: Words) => [
      ...(before ?? []),
      ...words.split(',').filter((word) => word !== ''),
    ]);
  }
  secret.argParser((word: string, before: Words) => [...(before ?? []), word]);
  for (const option of [net, run, read, secret]) command.addOption(option);
  return command;
}

type Words = readonly string[] | undefined;

export function hostOf(terminal: Terminal, flags: HostFlags, file: string): Hosted {
  const { allowNet = [], allowRun = [], allowRead = [], secret = [] } = flags;
  const unknown = allowRun.find((kind) => !RUNS.some((known) => known === kind));
  if (unknown !== undefined) {
    throw badCommand(`--allow-run has no "${unknown}": ${meant(unknown, RUNS)}`);
  }
  const path = resolve(terminal.folder, file);
  return {
    http: { allow: allowNet },
    secrets: secretsOf(terminal, secret),
    serverless: {
      ...Object.fromEntries(allowRun.map((kind) => [kind, true])),
      files: allowRead.map((folder) => resolve(terminal.folder, folder)),
      base: pathToFileURL(path).href,
      // One instance is run, and nothing else is begun or ended for it.
      schedules: false,
    },
  };
}

/** The words by which the same is said again: a secret that was written out is not. */
export function hostWords({ allowNet, allowRun, allowRead, secret = [] }: HostFlags): string {
  const said = (flag: string, values: readonly string[] = []): string =>
    values.map((value) => ` ${flag} ${shellWord(value)}`).join('');
  const secrets = secret.map((word) =>
    /=(@|env:)/.test(word) ? word : word.replace(/=.*$/s, '=…'),
  );
  return (
    said('--allow-net', allowNet) +
    said('--allow-run', allowRun) +
    said('--allow-read', allowRead) +
    said('--secret', secrets)
  );
}

function secretsOf(terminal: Terminal, words: readonly string[]): Readonly<Record<string, Json>> {
  const misread = words.find((word) => word.indexOf('=') < 1);
  // What came may be the secret itself.
  if (misread !== undefined) {
    throw badCommand('--secret is NAME=JSON, NAME=@FILE or NAME=env:VARIABLE');
  }
  const pairs = readPairs('--secret', words);
  return Object.fromEntries(
    [...pairs].map(([name, word]) => [name, secretOf(terminal, name, word)]),
  );
}

/** What is JSON is what it means, and anything else is text. */
function secretOf(terminal: Terminal, name: string, word: string): Json {
  const text = textOf(terminal, name, word);
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return text;
  }
}

function textOf({ folder, env }: Terminal, name: string, word: string): string {
  if (word.startsWith('env:')) {
    const variable = word.slice('env:'.length);
    const found = env[variable];
    if (found !== undefined) return found;
    throw badCommand(`--secret ${name}: the environment has no ${variable}`);
  }
  if (!word.startsWith('@')) return word;
  try {
    // A file of one line ends with the end of that line.
    return readFileSync(resolve(folder, word.slice(1)), 'utf8').replace(/\r?\n$/, '');
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    throw badCommand(`--secret ${name} cannot be read: ${thrown.message}`);
  }
}
