/**
 * Types of activities that need no handler. Each reads its config and says of which kind its node
 * is, and what it can end with; those with a flowchart inside have that read by whoever asks.
 */
import { admitJson, type Json, type JsonObject } from '../../base/json.ts';
import { BUILT_IN_TYPES, type BuiltInType, DONE } from '../../model/activity.ts';
import type { DraftEdge, DraftNode } from '../../model/draft.ts';
import { show } from '../builder/checks.ts';
import { readItem } from '../builder/maps.ts';
import { given, readDuration, readTimeLimit } from '../builder/readers.ts';
import { outcomeRule } from './connections.ts';
import { checkFields, hear, type Part, say } from './parts.ts';

export interface Made {
  readonly kind: string;
  readonly settings: JsonObject;
  /** What it can end with. */
  readonly outcomes: readonly string[];
  /** What lies inside. */
  readonly nodes?: readonly DraftNode[];
  readonly edges?: readonly DraftEdge[];
}

/** A flowchart inside an activity, as it was read. */
export interface Inside {
  /** Where it begins; null: nowhere. */
  readonly body: string | null;
  readonly nodes: readonly DraftNode[];
  readonly edges: readonly DraftEdge[];
}

/** Reads the flowchart in a config, whose activities lie in the region of that node. */
export type ReadInside = (config: Part, parent: string) => Inside;

type BuiltIn = (config: Part, id: string, readInside: ReadInside) => Made;

export const BODY_FIELDS = ['start', 'activities', 'connections'] as const;
const JUST_DONE: readonly string[] = [DONE];

export function builtInOf(type: string | undefined): BuiltIn | undefined {
  const known = BUILT_IN_TYPES.find((one) => one === type);
  return known === undefined ? undefined : BUILT_INS[known];
}

const BUILT_INS: Readonly<Record<BuiltInType, BuiltIn>> = {
  start(config) {
    checkFields(config, []);
    return { kind: 'pass', settings: {}, outcomes: JUST_DONE };
  },

  end(config) {
    checkFields(config, []);
    return { kind: 'win', settings: {}, outcomes: [] };
  },

  pass(config) {
    checkFields(config, ['outcomes', 'result']);
    const { result } = config.fields;
    const value = result === undefined ? undefined : readResult(config, result);
    return { kind: 'pass', settings: given({ result: value }), outcomes: readFixed(config) };
  },

  delay(config) {
    checkFields(config, ['for']);
    const rule = { code: 'flowchart.bad-delay', what: `"for" of ${config.what}` };
    const ms = hear(config, 'for', (found) => readDuration(found, rule, config.fields['for']));
    return { kind: 'sleep', settings: { ms: ms ?? 0 }, outcomes: JUST_DONE };
  },

  event(config) {
    checkFields(config, ['type', 'timeout', 'key']);
    const { type, timeout } = config.fields;
    if (typeof type !== 'string' || type.trim() === '') {
      const message = `${config.what} has the "type" of the event it waits for; came ${show(type)}`;
      say(config, { code: 'flowchart.bad-event', message }, 'type');
    }
    const rule = { code: 'flowchart.bad-timeout', what: `the timeout of ${config.what}` };
    const timeoutMs = hear(config, 'timeout', (found) => readTimeLimit(found, rule, timeout));
    const event = typeof type === 'string' ? type : '';
    return {
      kind: 'wait',
      settings: given({ event, key: readKey(config), timeoutMs }),
      outcomes: JUST_DONE,
    };
  },

  flowchart(config, id, readInside) {
    checkFields(config, BODY_FIELDS);
    const { body, nodes, edges } = readInside(config, id);
    return { kind: 'flowchart', settings: { body }, outcomes: JUST_DONE, nodes, edges };
  },

  /** A map, in whose region a hidden runner has the flowchart run for one item after the other. */
  forEach(config, id, readInside) {
    checkFields(config, [...BODY_FIELDS, 'items', 'limit', 'as', 'mode']);
    const { as, mode, limit } = config.fields;
    const list = readItems(config);
    const { settings } = hear(config, 'items', (found) => readItem(found, { as, mode, limit }));
    const runner = `${id}/:item`;
    const { body, nodes, edges } = readInside(config, runner);
    if (config.fields['start'] === null) {
      const message = `${config.what} runs something for each item, so its start is not null`;
      say(config, { code: 'flowchart.no-start', message }, 'start');
    }
    const item = { id: runner, parent: id, kind: 'item', hidden: true };
    return {
      kind: 'map',
      settings: { body: runner, ...list },
      outcomes: JUST_DONE,
      nodes: [
        { ...item, settings: { ...given({ body: body ?? undefined }), ...settings } },
        ...nodes,
      ],
      edges,
    };
  },
};

/** What it always ends with. */
function readFixed(config: Part): readonly string[] {
  const { outcomes = JUST_DONE } = config.fields;
  const list = Array.isArray(outcomes) ? Array.from(outcomes as readonly unknown[]) : undefined;
  const badly = list?.filter((one) => outcomeRule(one) !== undefined) ?? [];
  if (list !== undefined && badly.length === 0) return list as string[];
  const rule =
    list === undefined
      ? ` are a list of names; came ${show(outcomes)}`
      : `: each ${outcomeRule(badly[0])}; came ${show(badly[0])}`;
  const message = `the outcomes of ${config.what}${rule}`;
  say(config, { code: 'flowchart.bad-outcomes', message }, 'outcomes');
  return JUST_DONE;
}

function readResult(config: Part, result: unknown): Json | undefined {
  const admitted = admitJson(result);
  if (admitted.ok) return admitted.value;
  const message = `the result of ${config.what} is JSON: ${admitted.problem}`;
  say(config, { code: 'flowchart.bad-config', message }, 'result');
  return undefined;
}

function readKey(config: Part): string | undefined {
  const { key } = config.fields;
  if (key === undefined || (typeof key === 'string' && key !== '')) return key;
  const message = `the key of ${config.what} is a text; came ${show(key)}`;
  say(config, { code: 'flowchart.bad-event', message }, 'key');
  return undefined;
}

const ROOTS: readonly string[] = ['input', 'results', 'vars', 'item'];

/** The list itself, or the way to it. */
function readItems(config: Part): JsonObject {
  const { items } = config.fields;
  if (typeof items === 'string') {
    const from = items.split('.');
    if (ROOTS.includes(from[0] ?? '') && !from.includes('')) return { from };
  }
  const admitted = admitJson(items);
  if (Array.isArray(items) && admitted.ok) return { over: admitted.value };
  const ways = "a list, or the way to one as 'input.lines' or 'results.fetch.orders'";
  const came = admitted.ok ? `came ${show(items)}` : admitted.problem;
  const roots = `(it begins with ${ROOTS.join(', ')})`;
  const message = `the items of ${config.what} are ${ways} ${roots}; ${came}`;
  say(config, { code: 'flowchart.bad-items', message }, 'items');
  return { over: [] };
}
