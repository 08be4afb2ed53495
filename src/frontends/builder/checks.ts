/**
 * What the builder refuses, in the words it refuses it with.
 *
 * TypeScript catches most of this while it is written. Those who write JavaScript, or cast, get it
 * here: as diagnostics, all of them at once, and never as a throw in the middle of a chain.
 */
import type { Code, NodeCode } from '../../model/definition.ts';
import type { Diagnostic } from '../../model/draft.ts';
import type { Handler } from './path.ts';

/** Past this a name is a mistake, and no log line or screen shows it whole. */
const NAME_CHARS_MAX = 100;
const FLOW_NAME_CHARS_MAX = 200;
const FLOW_NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;
// Control characters break every log that shows them; half a surrogate pair is not UTF-8.
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** What is wrong with one node; grows while the node is read. */
export interface Findings {
  readonly node: string;
  readonly list: Diagnostic[];
}

export function findingsOf(node: string): Findings {
  return { node, list: [] };
}

export function complain({ node, list }: Findings, code: string, message: string): void {
  list.push({ code, message, node });
}

/** Begins a node: its id, and findings that already say what is wrong with its name. */
export function begin(name: unknown): Findings {
  const found = findingsOf(typeof name === 'string' ? name : show(name));
  checkName(found, name);
  return found;
}

/** The name of an arm or a branch, which becomes part of an id. */
export function checkName(found: Findings, name: unknown): void {
  const rule = nameRule(name);
  if (rule !== undefined) complain(found, 'node.bad-name', `a name ${rule}; came ${show(name)}`);
}

/** The name of an arm, where the order of arms matters. */
export function checkArmName(found: Findings, kind: string, arm: string): void {
  checkName(found, arm);
  if (!/^\d+$/.test(arm)) return;
  const message =
    `JavaScript moves the key "${arm}" of "${found.node}" to the front, and arms are tried ` +
    `in order; call it "n${arm}"`;
  complain(found, `${kind}.arm-is-a-number`, message);
}

/** Which rule a name breaks, as a sentence that goes on after it; undefined if none. */
export function nameRule(name: unknown): string | undefined {
  if (typeof name !== 'string') return 'is a string, and comes first';
  if (name === '') return 'has at least one character';
  if (name.length > NAME_CHARS_MAX) return `has at most ${NAME_CHARS_MAX} characters`;
  if (name.startsWith(':')) return "does not begin with ':', which marks nodes nobody wrote";
  // Ids of regions and edges are made of names with these two between them.
  if (name.includes('/') || name.includes('->')) return "contains neither '/' nor '->'";
  if (UNPRINTABLE.test(name)) return 'has printable characters only';
  if (name === '__proto__') return 'is not __proto__, which JavaScript keeps for itself';
  return undefined;
}

export function checkFlowName(name: unknown): Diagnostic[] {
  if (typeof name === 'string' && FLOW_NAME.test(name) && name.length <= FLOW_NAME_CHARS_MAX) {
    return [];
  }
  const message =
    'a flow name begins with a letter, digit or _ and goes on with letters, digits, _ . or -, ' +
    `${FLOW_NAME_CHARS_MAX} at most; came ${show(name)}`;
  return [{ code: 'flow.bad-name', message }];
}

/** One closure as the code of a node, under its slot. */
export function readClosure(found: Findings, slot: string, value: unknown): NodeCode {
  const closure = readPure(found, slot, 'the view', value);
  return closure === undefined ? {} : { [slot]: closure as Code };
}

/** A function that answers at once. `of` is what it is given. */
export function readPure(
  found: Findings,
  slot: string,
  of: string,
  value: unknown,
): ((...given: never[]) => unknown) | undefined {
  if (typeof value !== 'function') {
    const message = `"${slot}" of "${found.node}" is a function of ${of}; came ${show(value)}`;
    complain(found, 'code.not-a-function', message);
    return undefined;
  }
  if (Object.prototype.toString.call(value) === '[object AsyncFunction]') {
    const message =
      `"${slot}" of "${found.node}" returns a promise, and a closure is synchronous and pure; ` +
      'do the work in a step and read its result here';
    complain(found, 'code.not-synchronous', message);
    return undefined;
  }
  return value as (...given: never[]) => unknown;
}

export function readHandler(found: Findings, value: unknown): readonly [string, Handler][] {
  if (typeof value === 'function') return [[found.node, value as Handler]];
  const message = `step "${found.node}" needs a function as its handler; came ${show(value)}`;
  complain(found, 'handler.not-a-function', message);
  return [];
}

/** The options of a method, with every key it does not know reported. */
export function readOptions(
  found: Findings,
  what: string,
  known: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!isRecord(value)) {
    const message = `${what} takes an object with ${quoted(known)}; came ${show(value)}`;
    complain(found, 'option.not-an-object', message);
    return {};
  }
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    complain(found, 'option.unknown', `${what} has no option "${key}"; it knows ${quoted(known)}`);
  }
  return value;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(', ');
}

/** A stranger's value in a few words. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(cut(value));
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (value === null) return 'null';
  const primitive = typeof value === 'number' || typeof value === 'boolean';
  return primitive ? String(value) : `a ${typeof value}`.replace(/^a (?=[aeiou])/, 'an ');
}

function cut(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
