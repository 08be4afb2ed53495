/** What people can do to an instance: what each takes, when it makes sense, what it is called. */
import type { Instance, Json, JsonObject, Token } from '../../api/shapes.ts';
import { isOver } from '../use-instance.ts';

export type Verb =
  | 'retry'
  | 'skip'
  | 'wake'
  | 'set'
  | 'send'
  | 'move'
  | 'suspend'
  | 'resume'
  | 'revive'
  | 'rerun'
  | 'migrate'
  | 'cancel';

export interface Action extends JsonObject {
  readonly do: Verb;
}

/** What somebody wants to do, as far as it is known when the dialog opens. */
export interface Wanted {
  readonly verb: Verb;
  readonly token?: number;
  readonly node?: string;
  readonly scope?: number;
  readonly name?: string;
  /** What comes next, once it is done: to mend a step is to set something and to try again. */
  readonly next?: Wanted;
}

export interface Deed {
  readonly label: string;
  /** What the button says that does it. */
  readonly now: string;
  readonly means: string;
  /** Said once it is done. */
  readonly done: string;
}

export const DEEDS: Readonly<Record<Verb, Deed>> = {
  retry: {
    ...{ label: 'Retry', now: 'Retry now', done: 'It is tried again' },
    means: 'What failed is run again, with all its attempts.',
  },
  skip: {
    ...{ label: 'Skip', now: 'Skip it', done: 'Skipped' },
    means: 'A token goes on as if this were its result.',
  },
  wake: {
    ...{ label: 'Wake', now: 'Wake it', done: 'Woken' },
    means: 'A waiting token is given what it waits for: a message with this data, or its moment.',
  },
  set: {
    ...{ label: 'Set a variable', now: 'Set it', done: 'The variable is set' },
    means: 'A variable has another value from now on.',
  },
  send: {
    ...{ label: 'Send a message', now: 'Send it', done: 'The message is sent' },
    means: 'A message for this instance alone, delivered now or when it waits for it.',
  },
  move: {
    ...{ label: 'Move a token', now: 'Move it', done: 'The token is moved' },
    means: 'A token leaves what it does and goes on at another node of the same region.',
  },
  suspend: {
    ...{ label: 'Suspend', now: 'Suspend it', done: 'Suspended' },
    means: 'It stands still: nothing of it is due until it is resumed.',
  },
  resume: {
    ...{ label: 'Resume', now: 'Resume it', done: 'It goes on' },
    means: 'It goes on as what it was.',
  },
  revive: {
    ...{ label: 'Revive', now: 'Revive it', done: 'It goes on where it failed' },
    means: 'It goes on where it failed. Nothing that was done is done again.',
  },
  rerun: {
    ...{ label: 'Rerun from a node', now: 'Rerun it', done: 'It runs from there again' },
    means: 'Goes back to when it last came to a node, and on from there: in place, or as a copy.',
  },
  migrate: {
    ...{ label: 'Migrate', now: 'Migrate it', done: 'It goes on by the other version' },
    means: 'It goes on by another version of its flow.',
  },
  cancel: {
    ...{ label: 'Cancel', now: 'Cancel it', done: 'Canceled' },
    means: 'Ends it and the instances it called; what was done can be undone first.',
  },
};

/** Waits that somebody may answer; others are for tokens, for people or for mending. */
const WAKEABLE = new Set(['time', 'message', 'first', 'signal']);

export function canWake({ wait }: Pick<Token, 'wait'>): boolean {
  return wait !== null && WAKEABLE.has(wait.on);
}

/** A step that waits for its next attempt need not wait for it. */
function waitsToRetry({ status, attempts, lastError }: Token): boolean {
  return status === 'ready' && attempts > 0 && lastError !== null;
}

/** What was undone cannot go on where it failed: it begins again, from a node before that. */
export function canRevive({ status, outcome }: Pick<Instance, 'status' | 'outcome'>): boolean {
  return status === 'failed' && outcome === null;
}

export function verbsFor(instance: Instance): readonly Verb[] {
  const { status, tokens, incidents } = instance;
  if (isOver(instance)) return canRevive(instance) ? ['revive', 'rerun'] : ['rerun'];
  const verbs: Verb[] = [];
  if (incidents.length > 0 || tokens.some(waitsToRetry)) verbs.push('retry');
  if (tokens.length > 0) verbs.push('skip');
  if (tokens.some(canWake)) verbs.push('wake');
  verbs.push('set', 'send', 'move');
  verbs.push(status === 'suspended' ? 'resume' : 'suspend');
  return [...verbs, 'rerun', 'migrate', 'cancel'];
}

/** What stands in the fields of the dialog, as it was typed. */
export type Values = Readonly<Record<string, string>>;

/** What a field has that is no good, by its name. */
export class BadField extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** The action that the fields mean. Throws a `BadField` if one of them is no good. */
export function actionOf(verb: Verb, values: Values): Action {
  switch (verb) {
    case 'cancel':
      return { do: verb, ...(values['saga'] === 'yes' ? { saga: true } : {}) };
    case 'retry':
      return { do: verb, ...(values['token'] === '' ? {} : { token: tokenIn(values) }) };
    case 'skip':
      return { do: verb, token: tokenIn(values), ...jsonIn(values, 'result') };
    case 'wake':
      return {
        ...{ do: verb, token: tokenIn(values) },
        ...{ ...jsonIn(values, 'data'), ...jsonIn(values, 'vars'), ...textIn(values, 'arm') },
      };
    case 'set':
      return setOf(values);
    case 'move':
      return { do: verb, token: tokenIn(values), to: wanted(values, 'to', 'a node') };
    case 'send':
      return { do: verb, type: wanted(values, 'type', 'a type'), ...jsonIn(values, 'data') };
    case 'rerun':
      return rerunOf(values);
    case 'migrate':
      return migrateOf(values);
    default:
      return { do: verb };
  }
}

function setOf(values: Values): Action {
  const { value } = jsonIn(values, 'value');
  if (value === undefined) throw new BadField('value', 'say the value, as JSON');
  const scope = values['scope'] ?? '';
  return {
    ...{ do: 'set', name: wanted(values, 'name', 'a variable'), value },
    ...(scope === '' ? {} : { scope: Number(scope) }),
  };
}

function rerunOf(values: Values): Action {
  const isCopy = values['copy'] === 'yes';
  return {
    ...{ do: 'rerun', from: wanted(values, 'from', 'a node') },
    ...(isCopy ? { copy: true, ...textIn(values, 'key') } : {}),
  };
}

function migrateOf(values: Values): Action {
  const version = Number(wanted(values, 'version', 'a version'));
  const nodes: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith(NODE_FIELD) && value !== '') nodes[name.slice(NODE_FIELD.length)] = value;
  }
  return { do: 'migrate', version, ...(Object.keys(nodes).length === 0 ? {} : { nodes }) };
}

/** Fields of a mapping begin so: what a node of now is called there. */
export const NODE_FIELD = 'node:';

function wanted(values: Values, field: string, what: string): string {
  const text = (values[field] ?? '').trim();
  if (text === '') throw new BadField(field, `choose ${what}`);
  return text;
}

function tokenIn(values: Values): number {
  return Number(wanted(values, 'token', 'a token'));
}

function textIn(values: Values, field: string): JsonObject {
  const text = (values[field] ?? '').trim();
  return text === '' ? {} : { [field]: text };
}

/** Left out where nothing stands. */
function jsonIn(values: Values, field: string): JsonObject {
  const text = (values[field] ?? '').trim();
  if (text === '') return {};
  try {
    return { [field]: JSON.parse(text) as Json };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : '';
    throw new BadField(field, `this is no JSON (${why}); text stands in "quotes"`);
  }
}
