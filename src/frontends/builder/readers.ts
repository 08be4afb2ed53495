/** The values of options, one by one: what came instead is said with the name of the option. */
import { parseDuration } from '../../base/duration.ts';
import { admitJson, type Json, type JsonObject } from '../../base/json.ts';
import { searchProblem } from '../../model/attribute.ts';
import type { NodeCode } from '../../model/definition.ts';
import type { SagaReach } from '../../model/draft.ts';
import { complain, type Findings, isRecord, readClosure, show } from './checks.ts';

/** Under which code a value is refused, and what it is called then. */
export interface Rule {
  readonly code: string;
  readonly what: string;
}

/** Settings without those that nobody gave. */
export function given(settings: Readonly<Record<string, Json | undefined>>): JsonObject {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as JsonObject;
}

export function readDuration(found: Findings, rule: Rule, value: unknown): number | undefined {
  // What is neither is named by us: the parser would write it as JSON, and not all can be.
  const plain = typeof value === 'string' || typeof value === 'number';
  const parsed = parseDuration(plain ? value : show(value));
  if (parsed.ok) return parsed.value;
  complain(found, rule.code, `${rule.what}: ${parsed.problem}`);
  return undefined;
}

/** A duration that something can happen in; undefined if none was given. */
export function readTimeLimit(found: Findings, rule: Rule, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const ms = readDuration(found, rule, value);
  if (ms !== 0) return ms;
  complain(found, rule.code, `${rule.what} is longer than 0; came ${show(value)}`);
  return undefined;
}

/** One of a few words; undefined if none was given. */
export function readWord<Word extends string>(
  found: Findings,
  { code, what, words }: Rule & { readonly words: readonly Word[] },
  value: unknown,
): Word | undefined {
  const word = words.find((word) => word === value);
  if (word === undefined && value !== undefined) {
    const list = words.map((word) => `'${word}'`).join(', ');
    const either = list.replace(/, (?=[^,]*$)/, ' or ');
    complain(found, code, `${what} is ${either}; came ${show(value)}`);
  }
  return word;
}

/** Names that instances are found by; undefined if there are none, or wrong ones. */
export function readSearch(
  found: Findings,
  { code, what }: Rule,
  value: unknown,
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const badly = searchProblem(value);
  if (badly === undefined) return Object.freeze([...(value as readonly string[])]);
  complain(found, code, `${what} ${badly}`);
  return undefined;
}

const SAGA_REACHES: readonly SagaReach[] = ['none', 'scope', 'instance'];

export function readSaga(found: Findings, rule: Rule, value: unknown): SagaReach | undefined {
  return readWord(found, { ...rule, words: SAGA_REACHES }, value);
}

/** What was written as itself, or what a closure is to say. */
export interface Answer<Value> {
  readonly fixed?: Value;
  /** The closure under its slot; absent if there is none to ask. */
  readonly code?: NodeCode;
}

/** What something is matched or known by. */
export function readKey(found: Findings, rule: Rule, slot: string, key: unknown): Answer<string> {
  if (typeof key === 'function') return { code: readClosure(found, slot, key) };
  if (typeof key === 'string' && key !== '') return { fixed: key };
  if (key !== undefined) {
    complain(found, rule.code, `${rule.what} is a text or a closure; came ${show(key)}`);
  }
  return {};
}

export function readJson(found: Findings, rule: Rule, slot: string, value: unknown): Answer<Json> {
  if (typeof value === 'function') return { code: readClosure(found, slot, value) };
  if (value === undefined) return {};
  const admitted = admitJson(value);
  if (admitted.ok) return { fixed: admitted.value };
  complain(found, rule.code, `${rule.what} is JSON or a closure: ${admitted.problem}`);
  return {};
}

/** An object, as a frozen copy; undefined if none was given. */
export function readJsonObject(
  found: Findings,
  rule: Rule,
  value: unknown,
): JsonObject | undefined {
  if (value === undefined) return undefined;
  const admitted = admitJson(value);
  if (admitted.ok && isRecord(admitted.value)) return admitted.value;
  const came = admitted.ok ? show(value) : admitted.problem;
  complain(found, rule.code, `${rule.what} are an object of JSON values; came ${came}`);
  return undefined;
}

/** A type of message comes as text or as what `event()` makes. `does` is the verb of its node. */
export function readEvent(found: Findings, code: string, does: string, event: unknown): string {
  const type: unknown =
    typeof event === 'object' && event !== null ? Reflect.get(event, 'type') : event;
  if (typeof type === 'string' && type !== '') return type;
  complain(found, code, `${does} an event, a text or event('…'); came ${show(event)}`);
  return '';
}
