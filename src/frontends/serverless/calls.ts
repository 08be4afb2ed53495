/** `call`: one of the protocols that a handler speaks, or a function of the definition's own. */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Template } from '../../model/serverless.ts';
import { CALL_KINDS } from '../../model/serverless.ts';
import { bareOf, spotOf } from './envelopes.ts';
import { drawEach } from './listening.ts';
import type { Entry, Region } from './lists.ts';
import { objectIn, reused, textIn } from './shelf.ts';
import { put, type Sketch } from './sketch.ts';
import { escaped, inside, programOf, templateOf } from './templates.ts';

export function drawCall(sketch: Sketch): void {
  const { entry } = sketch;
  const call = textIn(entry.task, 'call') ?? '';
  const kind = CALL_KINDS.find((name) => name === call);
  if (kind === undefined) return drawFunction(sketch, call);
  if (kind === 'asyncapi' && isJsonObject(objectIn(entry.task, 'with')['subscription'])) {
    return drawSubscription(sketch);
  }
  const given = withOf(sketch, objectIn(entry.task, 'with'));
  put(sketch, 'sw-call', { call: kind, with: given, ...policiesOf(sketch, entry.task['with']) });
}

function withOf({ desk, entry, region }: Sketch, given: JsonObject): Template {
  return templateOf(desk.drawing, given, inside(spotOf(entry, region), 'with'));
}

/** Messages that are consumed: which of them, and for how long, is asked for each. */
function drawSubscription(sketch: Sketch): void {
  const { desk, entry, region, id } = sketch;
  const { drawing } = desk;
  const { subscription, ...rest } = objectIn(entry.task, 'with');
  const at = `${entry.at}/with/subscription`;
  const rounds = `${id}#fetch`;
  put(sketch, 'sw-listen', { body: rounds });
  const foreach = isJsonObject(subscription) ? subscription['foreach'] : undefined;
  const each = isJsonObject(foreach) ? { value: foreach, at: `${at}/foreach`, back: rounds } : null;
  const feeds = each === null ? {} : drawEach(sketch, rounds, each);
  const again = each === null ? drawing.lead(rounds, rounds) : null;
  const inner = sketch.envelope.inner === true ? { inner: true } : {};
  const settings = {
    task: { ...bareOf({ ...entry, id: rounds }, region), next: null, ...inner },
    ...{ call: 'asyncapi', with: withOf(sketch, rest) },
    ...{ consume: consumeOf(sketch, subscription, at), again, ...feeds },
    ...policiesOf(sketch, entry.task['with']),
  };
  drawing.add({ id: rounds, kind: 'sw-fetch', settings, parent: id, hidden: true, at: entry.at });
}

function consumeOf({ desk, region }: Sketch, subscription: Json | undefined, at: string): object {
  const { filter, consume } = isJsonObject(subscription) ? subscription : {};
  const { amount, while: during, until, for: within } = isJsonObject(consume) ? consume : {};
  const spot = { at, vars: region.vars };
  const asked = (name: string, text: Json | undefined): object =>
    typeof text === 'string' ? { [name]: programOf(desk.drawing, text, inside(spot, name)) } : {};
  const valued = (name: string, value: Json | undefined): object =>
    value === undefined
      ? {}
      : { [name]: templateOf(desk.drawing, value, inside(inside(spot, 'consume'), name)) };
  return {
    ...{ ...asked('filter', filter), ...asked('while', during), ...asked('until', until) },
    ...{ ...valued('amount', amount), ...valued('for', within) },
  };
}

/** Policies of the definition's that a call names, to be evaluated where it is made. */
export function policiesOf({ desk, region }: Sketch, given: Json | undefined): object {
  const names = new Set(usesIn(given));
  const found = [...names].flatMap((name) => {
    const policy = reused(desk.shelf, 'authentications', name);
    if (policy === undefined) return [];
    const at = `/use/authentications/${escaped(name)}`;
    return [[name, templateOf(desk.drawing, policy, { at, vars: region.vars })] as const];
  });
  return found.length === 0 ? {} : { authentications: Object.fromEntries(found) };
}

function usesIn(value: Json | undefined): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as JsonObject).flatMap(([name, part]) => {
    const uses = name === 'authentication' && isJsonObject(part) ? part : undefined;
    const named = isJsonObject(uses) && typeof uses['use'] === 'string' ? [uses['use']] : [];
    return [...named, ...usesIn(part)];
  });
}

/** A task that is written elsewhere, called with arguments: it has a region of its own. */
function drawFunction(sketch: Sketch, call: string): void {
  const { desk, entry, region, id, draw } = sketch;
  const { drawing, shelf } = desk;
  const inUse = reused(shelf, 'functions', call);
  const task = inUse ?? shelf.functions.get(call);
  const args = isJsonObject(entry.task['with']) ? { args: withOf(sketch, entry.task['with']) } : {};
  if (!isJsonObject(task)) return drawUnknown(sketch, call);
  if (region.calling.includes(call)) {
    const circle = [...region.calling.slice(region.calling.indexOf(call)), call].join(' → ');
    const message = `functions call each other in a circle: ${circle}`;
    drawing.complain('serverless.function-circle', message, `${entry.at}/call`);
    return put(sketch, 'sw-do', { body: null });
  }
  const at = `/use/functions/${escaped(call)}`;
  const inner: Entry = { name: call, task, at, id: `${id}>${at}` };
  const inside: Region = {
    ...{ owner: id, prefix: `${id}>`, vars: [], exit: 'list' },
    calling: [...region.calling, call],
    ...(region.of === undefined ? {} : { of: region.of }),
  };
  draw(inner, inside, () => null);
  put(sketch, 'sw-do', { body: inner.id, ...args });
}

/** It stands elsewhere and has not been fetched: the definition can be read, and not be run. */
function drawUnknown(sketch: Sketch, call: string): void {
  const error = {
    type: 'https://serverlessworkflow.io/spec/1.0.0/errors/configuration',
    status: 400,
    title: 'Configuration error',
    detail: `the function "${call}" has not been fetched`,
  };
  put(sketch, 'sw-raise', { error: { lit: error } });
}
