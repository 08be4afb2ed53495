/** What stands on a command line, read: JSON, numbers, names with versions, moments. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Json } from '../index.ts';
import { versionNumber } from '../serverless.ts';
import { excerptOf, spotAt } from './excerpt.ts';
import { badCommand } from './failing.ts';
import type { Terminal } from './terminal.ts';

/** JSON as it stands there, or of the file that is named after an `@`, or `-` for stdin. */
export function readJson({ folder }: Terminal, what: string, word: string): Json {
  const text = word === '-' ? readText(what, 0) : fileIn(word, folder, what);
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    const spot = spotAt(text, whereItBreaks(text));
    const shown = word === text ? '' : ` ${word}:${spot.line}:${spot.column}`;
    const why = thrown.message.replace(/ (in JSON )?at position .*$/, '');
    throw badCommand(`${what} is JSON:${shown} ${why}\n${excerptOf(text, spot)}`);
  }
}

/** The first letter that no JSON has there: what comes before it only lacks its end. */
function whereItBreaks(text: string): number {
  let [sound, broken] = [0, text.length + 1];
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2);
    if (lacksOnlyItsEnd(text.slice(0, middle))) sound = middle;
    else broken = middle;
  }
  return sound;
}

function lacksOnlyItsEnd(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    const [, at] = /position (\d+)/.exec(thrown.message) ?? [];
    return at === undefined ? /end of JSON/.test(thrown.message) : Number(at) >= text.length;
  }
}

function fileIn(word: string, folder: string, what: string): string {
  return word.startsWith('@') ? readText(what, resolve(folder, word.slice(1))) : word;
}

function readText(what: string, file: string | number): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    throw badCommand(`${what} cannot be read: ${thrown.message}`);
  }
}

export function readWhole(what: string, word: string, least = 0): number {
  const number = Number(word);
  if (/^-?\d+$/.test(word) && Number.isSafeInteger(number) && number >= least) return number;
  const rule = least === Number.MIN_SAFE_INTEGER ? '' : `, ${least} or more`;
  throw badCommand(`${what} is a whole number${rule}; came "${word}"`);
}

/** `order` or `order@2`; of a workflow, also `shop.order@1.2.0`. */
export interface FlowName {
  readonly name: string;
  readonly version?: number;
}

export function readFlowName(word: string): FlowName {
  const [, workflow, parts] = /^(.+)@(\d+\.\d+\.\d+\S*)$/.exec(word) ?? [];
  if (workflow !== undefined && parts !== undefined) {
    return { name: workflow, version: versionNumber(parts) };
  }
  const [, name = word, version] = /^(.+)@(\d+)$/.exec(word) ?? [];
  return version === undefined ? { name } : { name, version: readWhole('a version', version, 1) };
}

/** A moment as a date, or as ISO 8601. */
export function readMoment(what: string, word: string): number {
  const at = Date.parse(word);
  if (!Number.isNaN(at)) return at;
  throw badCommand(
    `${what} is a moment such as 2026-11-16 or 2026-11-16T18:00:00Z; came "${word}"`,
  );
}

/** `name=value` pairs; a value that is JSON is what it means. */
export function readPairs(what: string, words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at > 0) return [word.slice(0, at), word.slice(at + 1)] as const;
      throw badCommand(`${what} is name=value; came "${word}"`);
    }),
  );
}

/** Tokens are numbers that `perdure show` lists. */
export function tokenOf(word: string): number {
  return readWhole('a token', word, 1);
}
