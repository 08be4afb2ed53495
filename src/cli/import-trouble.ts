/**
 * What a module has against being imported, and where. What it imports may be to blame as well, and
 * of a mistake in the syntax of JavaScript Node does not say the file to whoever catches it: that
 * is asked for again, of one file after the other.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Spot, spotAt } from './excerpt.ts';

export interface Trouble {
  readonly text: string;
  /** Where it is, if that can be found out. */
  readonly at?: { readonly path: string; readonly source: string; readonly spot: Spot };
}

interface Named {
  readonly path: string;
  readonly spot: Spot;
}

/** So many files are looked through for a mistake in their syntax. */
const FILES_MAX = 50;

export function troubleWith(thrown: unknown, path: string, source: string): Trouble {
  if (!(thrown instanceof Error)) return { text: String(thrown) };
  const { name, message } = thrown;
  const text = `it cannot be imported: ${name}: ${message}`;
  const named = placeNamed(thrown, path) ?? brokenSyntax(thrown, path) ?? missing(thrown, source);
  if (named === undefined) return { text };
  if (!('path' in named)) return { text, at: { path, source, spot: named } };
  const own = named.path === path ? source : readIfAny(named.path);
  return own === undefined ? { text } : { text, at: { ...named, source: own } };
}

/** `file:///a/b.ts:3:12` or `/a/b.ts:3`, as a stack has them. */
const PLACE = /(?<=^|[\s(])(file:\/\/[^\s()]+?|\/[^\s()]+?):(\d+)(?::(\d+))?(?=[\s)]|$)/g;

/** The module itself if the stack has it, or else the first file that is not somebody else's. */
function placeNamed({ stack = '' }: Error, path: string): Named | undefined {
  const places = [...stack.matchAll(PLACE)]
    .map(([, file = '', line, column]) => ({
      path: file.startsWith('file:') ? fileURLToPath(file) : file,
      line: Number(line),
      column: column === undefined ? undefined : Number(column),
    }))
    .filter((one) => one.path === path || !isForeign(one.path));
  const found = places.find((one) => one.path === path) ?? places[0];
  if (found === undefined) return undefined;
  const { line, column = caretIn(stack) } = found;
  return { path: found.path, spot: { line, column } };
}

/** Packages, and this program itself. */
function isForeign(path: string): boolean {
  const ours = relative(resolve(import.meta.dirname, '..'), path);
  return path.includes('/node_modules/') || !ours.startsWith('..');
}

/** A mistake in the syntax is shown with a caret below the line. */
function caretIn(text: string): number {
  return (/\n([^\n]*)\n( *)\^/.exec(text)?.[2]?.length ?? 0) + 1;
}

/** Checked as Node checks it, and not run. */
function brokenSyntax(thrown: Error, path: string): Named | undefined {
  if (!(thrown instanceof SyntaxError)) return undefined;
  const files = new Set([path]);
  // What is added while it is walked is walked, too.
  for (const file of files) {
    const source = readIfAny(file);
    if (source === undefined) continue;
    const spot = /^\.[mc]?js$/.test(extname(file)) ? syntaxSpot(file) : undefined;
    if (spot !== undefined) return { path: file, spot };
    for (const [, word = ''] of source.matchAll(/(?:from|import)\s*\(?\s*['"](\.[^'"]+)['"]/g)) {
      if (files.size < FILES_MAX) files.add(join(dirname(file), word));
    }
  }
  return undefined;
}

function syntaxSpot(file: string): Spot | undefined {
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
  const [, line] = [file, pathToFileURL(file).href].flatMap((named) => {
    return stderr.startsWith(`${named}:`) ? (/^:(\d+)/.exec(stderr.slice(named.length)) ?? []) : [];
  });
  return line === undefined ? undefined : { line: Number(line), column: caretIn(stderr) };
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    return undefined;
  }
}

/** A package or a file that is not there: where its name is written. */
function missing(thrown: Error, source: string): Spot | undefined {
  const code: unknown = Reflect.get(thrown, 'code');
  if (typeof code !== 'string' || !code.startsWith('ERR_')) return undefined;
  const name = /'([^']+)'/.exec(thrown.message)?.[1];
  const at = name === undefined ? -1 : source.indexOf(name);
  return at < 0 ? undefined : spotAt(source, at);
}
