/** The sentences for what does not fit the schema, made of its titles and descriptions. */
import { isJsonObject, type Json } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { show } from '../../builder/checks.ts';
import { type Finding, wrong } from './finding.ts';
import { pointerTo, stepsOf } from './pointer.ts';
import type { Schema } from './schema-parts.ts';
import { TASK_WORDS } from './schema-tasks.ts';
import { type Offence, resolved } from './violation.ts';
import { both, these } from './words.ts';

/** What a task has beside the word that makes it, now and then written one level too deep. */
const OF_TASKS: ReadonlySet<string> = new Set([
  ...['if', 'input', 'output', 'export', 'timeout', 'then', 'metadata'],
  ...['while', 'foreach', 'catch'],
]);

/** So many names are soon read. */
const NAMES_MAX = 6;

/** Words that people have reason to look for, and what to say to them. */
const FORMER: Readonly<Record<string, string>> = {
  certificate: 'authentication by certificate was announced and never became part of the language',
};

export function sayMissing(offence: Offence): Finding {
  const { schema, pointer, property, value } = offence;
  const unknown = keysOf(value).filter((key) => !Object.hasOwn(schema.properties ?? {}, key));
  const misspelt = unknown.find((key) => meantBy({ ...offence, property: key }) === property);
  const advice = misspelt === undefined ? '' : `; did you mean that by "${misspelt}"?`;
  const message = `${ownerOf(offence)} needs "${property}"${advice}`;
  return wrong('serverless.missing-property', pointer, message);
}

export function sayUnknown(offence: Offence): Finding {
  const { schema, pointer, property } = offence;
  const message = `${ownerOf(offence)} has no property "${property}"; ${adviceFor(offence)}`;
  const at = pointerTo(pointer, property);
  const finding = wrong('serverless.unknown-property', at, message);
  const isWarning = schema['x-open'] === true;
  return { ...finding, atKey: true, ...(isWarning && { isWarning }) };
}

function adviceFor(offence: Offence): string {
  const { schema, property } = offence;
  const properties = Object.entries(schema.properties ?? {});
  const names = properties.map(([name]) => name);
  const former = Object.hasOwn(FORMER, property) ? FORMER[property] : undefined;
  if (former !== undefined) return `${former}; ${these(names)}`;
  const word = meantBy(offence);
  if (word !== undefined) return `did you mean "${word}"?`;
  const within = properties.find(([, one]) =>
    Object.hasOwn(resolved(one).properties ?? {}, property),
  );
  if (within !== undefined) return `it belongs into "${within[0]}"`;
  return OF_TASKS.has(property) ? 'it belongs to the task itself, further out' : these(names);
}

/** The property that a misspelt one was meant to be. */
export function meantBy({ schema, property }: Offence): string | undefined {
  return nearest(property, Object.keys(schema.properties ?? {}));
}

export function sayTwoTasks({ pointer, value }: Offence): Finding {
  const words = TASK_WORDS.filter((word) => keysOf(value).includes(word));
  const own = words.includes('for') ? words.filter((word) => word !== 'do') : words;
  const message = `a task does one thing, and this one has ${both(own)}; make a task of each`;
  return wrong('serverless.two-tasks', pointer, message);
}

export function sayNoTask({ pointer, value }: Offence): Finding {
  const keys = keysOf(value);
  const words = [...TASK_WORDS].sort();
  for (const key of keys) {
    const word = OF_TASKS.has(key) ? undefined : nearest(key, words);
    if (word === undefined) continue;
    const message = `"${key}" makes no task; did you mean "${word}"?`;
    return { ...wrong('serverless.no-task', pointerTo(pointer, key), message), atKey: true };
  }
  const here = keys.length === 0 ? 'nothing' : both(keys);
  const message = `a task has one of ${words.join(', ')}; this one has ${here}`;
  return wrong('serverless.no-task', pointer, message);
}

/** An item of a list that has several names, where each has to be an item of its own. */
export function sayTwoNames({ schema, pointer, value }: Offence): Finding {
  const isTask = schema.title === 'an item of a list of tasks';
  const code = isTask ? 'serverless.two-tasks' : 'serverless.two-choices';
  const rule = `${schema.title} has one name, and this has ${both(keysOf(value))}`;
  return wrong(code, pointer, `${rule}; begin each with a dash of its own`);
}

export function sayChoice(offence: Offence): Finding {
  const { schema, pointer, value } = offence;
  const choice = (schema['x-choice'] ?? []).join(', ');
  const owner = ownerOf(offence);
  const chosen = chosenOf(offence);
  if (chosen.length > 0) {
    const rule = `${owner} has one of ${choice}, and here are ${both(chosen)}`;
    return wrong('serverless.two-choices', pointer, `${rule}; remove all but one`);
  }
  const also = keysOf(value).includes('use') ? ', and cannot itself "use" another' : '';
  return wrong('serverless.no-choice', pointer, `${owner} needs one of ${choice}${also}`);
}

/** Those of the choice that are there. */
export function chosenOf({ schema, value }: Offence): readonly string[] {
  const keys = keysOf(value);
  return (schema['x-choice'] ?? []).filter((key) => keys.includes(key));
}

/** What stands there is not what the schema describes. */
export function sayValue({ keyword, schema, pointer, value }: Offence): Finding {
  const rule = `${subjectOf(pointer)} is ${schema.description ?? shapeOf(schema)}`;
  const came = keyword === 'not' ? '' : `; came ${cameOf(value)}${hintFor(schema, value)}`;
  return wrong('serverless.bad-value', pointer, `${rule}${came}`);
}

function hintFor({ type, pattern, enum: words = [] }: Schema, value: Json | undefined): string {
  const isWord = typeof value === 'number' || typeof value === 'boolean';
  if (isWord && type === 'string' && pattern === undefined) return '; put it in quotes';
  const word = typeof value === 'string' ? nearest(value, words) : undefined;
  return word === undefined ? '' : `; did you mean "${word}"?`;
}

/** An object, and what it has if that is soon said. */
function shapeOf({ properties = {} }: Schema): string {
  const names = Object.keys(properties);
  return names.length > NAMES_MAX ? 'an object' : `an object with ${names.join(', ')}`;
}

export function cameOf(value: Json | undefined): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isJsonObject(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object';
  return show(value);
}

function keysOf(value: Json | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** Whose property it is: what the schema calls it, or the name it has here. */
function ownerOf({ schema, pointer }: Offence): string {
  return schema.title ?? subjectOf(pointer);
}

function subjectOf(pointer: string): string {
  const steps = stepsOf(pointer);
  const [around, last] = [steps.at(-2), steps.at(-1)];
  if (last === undefined) return 'a definition';
  const isItem = /^\d+$/.test(last) && around !== undefined;
  return isItem ? `item ${Number(last) + 1} of "${around}"` : `"${last}"`;
}
