/** Activities: what each of them is, and what is to happen when it fails. */
import { admitJson, type Json, type JsonObject } from '../../base/json.ts';
import { meant } from '../../base/nearest.ts';
import { MERGE_MODES, type MergeMode } from '../../model/merge.ts';
import { isRecord, nameRule, show } from '../builder/checks.ts';
import { readLimit } from '../builder/limit-options.ts';
import { given, readTimeLimit, readWord } from '../builder/readers.ts';
import { readRetry } from '../builder/retry-options.ts';
import { outcomeRule } from './connections.ts';
import { hear, type Part, say } from './parts.ts';

/** Whatever its type. */
export const COMMON_FIELDS: readonly string[] = [
  ...['id', 'type', 'mergeMode', 'canStart', 'config'],
];
/** Where a handler runs it. */
export const HANDLER_FIELDS: readonly string[] = [
  ...['outcomes', 'retry', 'timeout', 'priority', 'limit', 'onFailure'],
];

const TYPE_CHARS_MAX = 200;
// Control characters break every log that shows them; half a surrogate pair is not UTF-8.
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

/** Its name in its flowchart, whether it may be called so or not; undefined if it has none. */
export function readId(part: Part, index: number): string | undefined {
  const { id } = part.fields;
  if (typeof id === 'string' && id !== '') {
    const rule = nameRule(id);
    if (rule === undefined) return id;
    const message = `the id of an activity ${rule}; came ${show(id)}`;
    say(part, { code: 'flowchart.bad-id', message }, 'id');
    return id;
  }
  const message = `activity ${index + 1} of ${part.what} has no id; came ${show(id)}`;
  say(part, { code: 'flowchart.no-id', message: `${message}: give it a text` }, 'id');
  return undefined;
}

export function readType(part: Part): string | undefined {
  const { type } = part.fields;
  if (type === undefined) {
    const message = `${part.what} has no type: name a handler, or a built-in type`;
    say(part, { code: 'flowchart.no-type', message });
    return undefined;
  }
  if (isType(type)) return type;
  const rule = `a printable text of 1 to ${TYPE_CHARS_MAX} characters without "/"`;
  const message = `the type of ${part.what} is ${rule}; came ${show(type)}`;
  say(part, { code: 'flowchart.bad-type', message }, 'type');
  return undefined;
}

function isType(type: unknown): type is string {
  if (typeof type !== 'string' || type.trim() === '' || type.length > TYPE_CHARS_MAX) return false;
  // With a slash before it stands the name of a flow.
  return !UNPRINTABLE.test(type) && !type.includes('/') && type !== '__proto__';
}

export function readMode(part: Part): MergeMode {
  const { mergeMode } = part.fields;
  const known = MERGE_MODES.find((mode) => mode === mergeMode);
  if (known !== undefined) return known;
  if (mergeMode !== undefined) {
    const advice =
      typeof mergeMode === 'string'
        ? meant(mergeMode, MERGE_MODES)
        : `it is one of ${MERGE_MODES.join(', ')}`;
    const message = `${part.what} has the mergeMode ${show(mergeMode)}, which is none; ${advice}`;
    say(part, { code: 'flowchart.bad-merge-mode', message }, 'mergeMode');
  }
  return 'converge';
}

export function readCanStart(part: Part): boolean {
  const { canStart = false } = part.fields;
  if (typeof canStart === 'boolean') return canStart;
  const message = `canStart of ${part.what} is true or false; came ${show(canStart)}`;
  say(part, { code: 'flowchart.bad-can-start', message }, 'canStart');
  return false;
}

/** Undefined if any will do, or if it has been said that these will not. */
export function readOutcomes(part: Part): readonly string[] | undefined {
  const { outcomes } = part.fields;
  if (outcomes === undefined) return undefined;
  const list = Array.isArray(outcomes) ? Array.from(outcomes as readonly unknown[]) : [];
  const rules = list.flatMap((one) => {
    const rule = outcomeRule(one);
    return rule === undefined ? [] : [`an outcome ${rule}; came ${show(one)}`];
  });
  if (list.length === 0) rules.push(`they are a list of one name or more; came ${show(outcomes)}`);
  else if (new Set(list).size < list.length) rules.push('each of them is there once');
  for (const rule of rules) {
    const message = `the outcomes of ${part.what}: ${rule}`;
    say(part, { code: 'flowchart.bad-outcomes', message }, 'outcomes');
  }
  return rules.length === 0 ? (list as string[]) : undefined;
}

/** What its handler is told, and how it is run. */
export function readHandled(part: Part, outcomes: readonly string[] | undefined): JsonObject {
  const { fields, what } = part;
  const rule = (field: string) => ({ code: `flowchart.bad-${field}`, what: `${field} of ${what}` });
  const times = hear(part, 'timeout', (found) =>
    readTimeLimit(found, rule('timeout'), fields['timeout']),
  );
  const parks = { ...rule('on-failure'), what: `onFailure of ${what}`, words: ['incident'] };
  const config = readConfig(part);
  return given({
    config: config === undefined || Object.keys(config).length === 0 ? undefined : config,
    outcomes,
    retry: readTries(part),
    timeoutMs: times,
    priority: readPriority(part),
    limit: hear(part, 'limit', (found) => readLimit(found, rule('limit'), fields['limit'])),
    onFailure: hear(part, 'onFailure', (found) => readWord(found, parks, fields['onFailure'])),
  });
}

function readConfig(part: Part): JsonObject | undefined {
  const { config } = part.fields;
  if (config === undefined) return undefined;
  const admitted = admitJson(config);
  if (admitted.ok && isRecord(admitted.value)) return admitted.value;
  const came = admitted.ok ? `came ${show(config)}` : admitted.problem;
  const message = `the config of ${part.what} is an object of JSON values: ${came}`;
  say(part, { code: 'flowchart.bad-config', message }, 'config');
  return undefined;
}

function readTries(part: Part): Json | undefined {
  const { retry: asked } = part.fields;
  const { retry, when } = hear(part, 'retry', (found) => readRetry(found, 'retry', asked));
  if (when === undefined) return retry;
  const message = `the retry of ${part.what} has no "when": a flowchart is JSON, without functions`;
  say(part, { code: 'option.unknown', message }, 'retry');
  return undefined;
}

function readPriority(part: Part): number | undefined {
  const { priority } = part.fields;
  if (priority === undefined || Number.isSafeInteger(priority)) return priority as number;
  const message = `the priority of ${part.what} is a whole number; came ${show(priority)}`;
  say(part, { code: 'flowchart.bad-priority', message }, 'priority');
  return undefined;
}
