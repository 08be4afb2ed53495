/** The generator's structured drafts and the builder's: said the same, they are the same. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Code, Definition, NodeCode } from '../model/definition.ts';
import type { Draft, DraftNode } from '../model/draft.ts';
import { type Block, hasKind, type Row } from './random-blocks.ts';
import { caseOf } from './random-case.ts';
import { END, FIRST_VARS, layOut } from './random-layout.ts';
import { itemOf, sagaIn } from './random-maps.ts';
import type { Drawing } from './story.ts';

test('structured drafts are what the builder makes of the same blocks', () => {
  let compared = 0;
  for (let seed = 1; seed <= 600; seed += 1) {
    const { shape, failing } = caseOf(seed);
    if (shape.family === 'unstructured') continue;
    const drawing = layOut(shape.row, { name: 'same', isTrapped: () => false, failing });
    if (!canBeSaid(shape.row, drawing)) continue;
    compared += 1;
    const { draft } = build(shape.row, drawing);
    expect(sayingsOf(draft)).toEqual(sayingsOf(drawing.draft));
    expect(draft.vars).toEqual(drawing.draft.vars);
    expect(draft.nodes).toEqual(drawing.draft.nodes);
    expect(namesOf(draft.edges)).toEqual(namesOf(drawing.draft.edges));
  }
  expect(compared).toBeGreaterThan(150);
});

/** The builder has no end inside a region, and no end of the flow without an output. */
function canBeSaid(row: Row, drawing: Drawing): boolean {
  if (row.some((block) => block.rows.some((inner) => hasKind(inner, 'end')))) return false;
  return nodeOf(drawing, END)?.settings['output'] !== 'none';
}

/** What it says of failures; that the whole instance is undone need not be said. */
function sayingsOf({ saga = 'instance', onUndoFailure, onFailure }: Draft): unknown {
  return { saga, onUndoFailure, onFailure };
}

function namesOf(edges: readonly { readonly id: string }[]): string[] {
  return edges.map(({ id }) => id).sort();
}

function nodeOf({ draft }: Drawing, id: string): DraftNode | undefined {
  return draft.nodes.find((node) => node.id === id);
}

/** The builder without its types: what is said to it is made up here. */
type Untyped = { [method: string]: (...args: readonly unknown[]) => Untyped };

function build(row: Row, drawing: Drawing): Definition {
  const { saga, onUndoFailure, onFailure } = drawing.draft;
  const failing = {
    ...(saga && { saga }),
    ...(onUndoFailure && { onUndoFailure }),
    ...(onFailure && { onFailure }),
  };
  const builder = flow('same', { vars: FIRST_VARS, ...failing }) as unknown as Untyped;
  const last = row.at(-1)?.kind;
  const output = drawing.code?.[END]?.['output'];
  const said = say(builder, last === 'end' ? row.slice(0, -1) : row, drawing);
  const made: unknown = output === undefined ? said['end']?.() : said['end']?.(output);
  return (made as { definition: Definition }).definition;
}

function say(builder: Untyped, row: Row, drawing: Drawing): Untyped {
  return row.reduce((b, block) => {
    const [method, ...args] = sentenceFor(block, drawing);
    const said = b[String(method)]?.(block.id, ...args);
    if (said === undefined) throw new Error(`the builder has no method "${String(method)}"`);
    return said;
  }, builder);
}

function sentenceFor({ id, kind, rows }: Block, drawing: Drawing): readonly unknown[] {
  const settings = nodeOf(drawing, id)?.settings ?? {};
  const code = drawing.code?.[id] ?? {};
  const body = (row: Row) => (b: Untyped) => say(b, row, drawing);
  const [first = []] = rows;
  const arms = rows.map((row, index) => [`a${index}`, row] as const);
  switch (kind) {
    case 'step':
      return ['step', () => null, stepOptions(settings)];
    case 'set':
      return ['set', code['value'], settings];
    case 'sleep':
      return ['sleep', code['duration'] ?? settings['ms']];
    case 'wait': {
      const { event, key = code['key'], timeoutMs: timeout } = settings;
      return ['waitFor', { event, key, timeout }];
    }
    case 'first':
      return ['firstOf', firstArms(settings, code)];
    case 'emit': {
      if (code['event'] !== undefined) return ['emit', code['event']];
      const { type, key = code['key'], data = code['data'] } = settings;
      return ['emit', { type, key, data }];
    }
    case 'call': {
      const { flow: callee, input = code['input'], key = code['key'] } = settings;
      return ['call', callee, input, { key }];
    }
    case 'fail':
      return ['fail', code['error'] ?? settings['error']];
    case 'try':
      return ['try', body(first), tryOptions(settings, code, rows[1] && body(rows[1]))];
    case 'race':
      return ['race', Object.fromEntries(arms.map(([arm, row]) => [arm, body(row)]))];
    case 'terminate':
      return ['terminate', code['output']];
    case 'scope':
      return ['scope', body(first), { saga: settings['saga'] }];
    case 'repeat': {
      const check = settings['check'] as string;
      return ['repeat', { [check]: code[check] ?? settings['times'] }, body(first)];
    }
    case 'map':
      return ['map', mapOptions(drawing, id), body(first)];
    case 'task':
    case 'approve': {
      const { fixed, asks: _, ...ways } = settings;
      return [kind, { ...(fixed as JsonObject), ...ways, ...code }];
    }
    case 'fork':
      return ['parallel', Object.fromEntries(arms.map(([arm, row]) => [arm, body(row)]))];
    case 'choose':
    case 'many': {
      const whens = arms.slice(0, -1);
      const said = whens.map(([arm, row]) => [arm, { when: code[`when.${arm}`], do: body(row) }]);
      const many = kind === 'many' ? { many: true } : {};
      return ['choose', Object.fromEntries(said), { otherwise: body(rows.at(-1) ?? []), ...many }];
    }
    default:
      throw new Error(`the builder cannot say "${kind}"`);
  }
}

function mapOptions(drawing: Drawing, id: string): object {
  const { over = drawing.code?.[id]?.['over'] } = nodeOf(drawing, id)?.settings ?? {};
  const item = itemOf(id);
  const { as, limit, settles } = nodeOf(drawing, item)?.settings ?? {};
  const { collect, until } = drawing.code?.[item] ?? {};
  return {
    ...{ over, as, collect, until, saga: nodeOf(drawing, sagaIn(id))?.settings['saga'] },
    ...(limit === 1 ? { mode: 'sequential' } : { limit }),
    ...(settles === true ? { onError: 'collect' } : {}),
  };
}

function stepOptions({ priority, retry, undo, onFailure }: JsonObject): object {
  const { retry: again } = (undo ?? {}) as JsonObject;
  const undoing = { do: () => null, retry: retryOptions(again) };
  return {
    priority,
    retry: retryOptions(retry),
    undo: undo === undefined ? undefined : undoing,
    onFailure,
  };
}

function retryOptions(retry: Json | undefined, when?: Code): object | undefined {
  if (retry === undefined) return undefined;
  const {
    maxAttempts,
    delayMs: delay,
    backoff,
    maxDelayMs: maxDelay,
    jitter,
  } = retry as JsonObject;
  return { maxAttempts, delay, backoff, maxDelay, jitter, when };
}

function tryOptions({ errors, asks, retry }: JsonObject, code: NodeCode, mend: unknown): object {
  const when = asks === true ? code['when'] : undefined;
  const meant = errors === undefined && when === undefined ? undefined : { errors, when };
  return { catch: meant, do: mend, retry: retryOptions(retry, code['retry.when']) };
}

function firstArms({ arms }: JsonObject, code: NodeCode): object {
  type Arm = { arm: string; event?: string; key?: string | null; afterMs?: number | null };
  const said = (arms as unknown as readonly Arm[]).map(({ arm, event, key, afterMs }) => {
    const after = afterMs ?? code[`after.${arm}`];
    return [arm, event === undefined ? { after } : { event, key: key ?? code[`key.${arm}`] }];
  });
  return Object.fromEntries(said) as object;
}
