/**
 * What people do to an instance: an action becomes an input of the kernel, which does it or says
 * why not, and says in the history who did it. A preview runs the same kernel on what the store
 * holds and writes nothing.
 */
import { unreachable } from '../base/assert.ts';
import { EngineError } from '../base/engine-error.ts';
import type { Json } from '../base/json.ts';
import { assemble } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Refusal } from '../kernel/stride.ts';
import type { Acting, Action } from '../model/action.ts';
import type { Act, Birth } from '../model/change.ts';
import type { InstanceId, Instant, NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Head, InstanceRows } from '../model/instance.ts';
import type { Limits } from '../model/limits.ts';
import type { Store } from '../stores/store.ts';
import { admitValue, checkAction } from './action-options.ts';
import { checkUnused } from './births.ts';
import { actOf, type BulkPart, onceOf, wasDone } from './bulk-part.ts';
import type { Halting } from './halting.ts';
import { newInstanceId } from './ids.ts';
import type { Library } from './library.ts';
import { loadRows, notFound } from './loading.ts';
import { type Happening, type Heedful, migrating } from './migrating.ts';
import type { MessageHouse } from './messages.ts';
import { checkActing, checkStart } from './options.ts';
import { pastToRevive, WayBack } from './pasts.ts';
import { sendingInput, sendTo } from './sending.ts';
import type { Applied, Previewed, Request, Strides } from './strides.ts';
import type { Worker } from './worker.ts';

export interface ActingHouse {
  readonly store: Store;
  readonly strides: Strides;
  readonly library: Library;
  readonly limits: Limits;
  readonly halting: Pick<Halting, 'confirmed'>;
}

/** What is to be done to an instance, and who says so. */
export interface Deed {
  readonly action: Action;
  readonly acting: Acting;
  readonly bulk?: BulkPart;
}

/** What one try leaves to the next: nothing is read twice, and nothing is meant otherwise. */
interface Effort extends Deed {
  /** As it was when this try began, if somebody has looked. */
  rows: InstanceRows | null;
  way: WayBack | null;
  /** The version whose nodes are mapped. */
  version: number | null;
}

/** An action as the kernel takes it. */
interface Prepared {
  /** The one that is acted on: of a copy, the new one. */
  readonly instance: InstanceId;
  readonly input: (at: Instant) => Exclude<Happening, Heedful>;
  /** Of an instance that is not there yet. */
  readonly machine?: Machine;
}

/** Someone else may be quicker than whoever reads a history; not for ever. */
const TRIES_MAX = 20;

export interface Acted {
  /** The one it was done to: of a copy, the new one. */
  readonly instance: InstanceId;
  /** False if it was so already. */
  readonly isChanged: boolean;
}

/** Does it, or throws why not. */
export async function act(
  house: ActingHouse & MessageHouse,
  worker: Worker | null,
  id: InstanceId,
  deed: Deed,
): Promise<Acted> {
  const { action, acting } = deed;
  checkAction(action);
  const bulk = deed.bulk ?? onceOf(acting ?? {}, action.do, house.store.now());
  if (action.do === 'send') {
    const { do: _, ...said } = action;
    const by = bulk === undefined ? { acting } : { acting, bulk };
    const { outcome } = await sendTo(house, worker, id, { ...said, ...by });
    return { instance: id, isChanged: outcome !== 'duplicate' };
  }
  checkActing(acting);
  const part = bulk === undefined ? {} : { bulk };
  const effort: Effort = { ...deed, ...part, rows: null, way: null, version: null };
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    effort.rows = bulk?.goesOn === true ? await loadRows(house.store, id) : null;
    if (bulk !== undefined && effort.rows !== null) {
      const isDone = await wasDone(house.store, effort.rows.head, bulk);
      if (isDone) return { instance: id, isChanged: false };
    }
    const { instance, input: wanted, machine } = await prepare(house, id, effort);
    const input = machine === undefined ? heedful(wanted, effort) : wanted;
    // What a resumed instance has ready may be at work already: it is claimed as any other.
    const isOurs = worker !== null && action.do !== 'resume';
    const taker = isOurs ? { taker: worker.fresh } : {};
    const request: Request = { instance, input, ...taker };
    const applied =
      machine === undefined
        ? await house.strides.apply(request)
        : await house.strides.start(request, machine);
    if (applied.outcome === 'committed') {
      for (const work of applied.works) worker?.dispatch(work);
      return { instance, isChanged: true };
    }
    if (isStale(applied)) continue;
    const isMade = applied.outcome === 'exists' && applied.instance === instance;
    const error = isMade && bulk !== undefined ? null : errorOf(applied, id);
    if (error === null) return { instance, isChanged: false };
    throw error;
  }
  throw tooBusy(id);
}

/** Whoever goes on with a bulk has looked whether it was done: what comes after that may be it. */
function heedful(wanted: Prepared['input'], { rows }: Effort): Request['input'] {
  if (rows === null) return wanted;
  const seen = rows.head.version;
  return (at) => ({ type: 'if-seen', seen, happening: wanted(at) });
}

/** What it would do. Throws what doing it would throw. */
export async function preview(
  house: ActingHouse,
  id: InstanceId,
  action: Action,
): Promise<Previewed> {
  const effort: Effort = { action, acting: {}, rows: null, way: null, version: null };
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { instance, input, machine } = await prepare(house, id, effort);
    const previewed = await house.strides.preview({ instance, input }, machine);
    if (previewed === undefined) throw notFound(id);
    const { refused } = previewed;
    if (refused === undefined) {
      await checkFree(house.store, previewed);
      return previewed;
    }
    if (refused.details['stale'] !== true) throw refusalError(refused);
  }
  throw tooBusy(id);
}

/** Ids and keys are taken by a commit, and a preview has none. */
async function checkFree(store: Store, { before, after }: Previewed): Promise<void> {
  const { id, flow, key, tenant, endedAt } = after.head;
  const isNew = before.head.version === 0;
  if (isNew && (await store.load([id]))[0] !== undefined) throw isTaken(id);
  const isReopened = before.head.endedAt !== null && endedAt === null;
  const takesKey = key !== null && (isNew || isReopened);
  const holder = takesKey ? await store.findByKey(flow, key, tenant) : id;
  if (holder !== undefined && holder !== id) throw isTaken(holder);
}

/** It moves on faster than anybody can look at what it has done. */
function tooBusy(instance: InstanceId): EngineError {
  const what = `instance ${instance} has moved on ${TRIES_MAX} times while this was prepared`;
  const advice = 'suspend it, do this, and resume it';
  return new EngineError('operation.refused', `${what}: ${advice}`, {
    retryable: true,
    details: { instance, busy: true },
  });
}

async function prepare(house: ActingHouse, id: InstanceId, effort: Effort): Promise<Prepared> {
  const { action, acting, bulk } = effort;
  checkAction(action);
  const by = { act: actOf(action.do, acting, bulk) };
  switch (action.do) {
    case 'cancel': {
      const activity = action.activity as NodeId | undefined;
      const only = activity === undefined ? {} : { activity };
      const saga = action.saga === true;
      return told(id, (at) => ({ type: 'cancel', at, saga, ...only, ...by }));
    }
    case 'suspend':
    case 'resume':
      return told(id, (at) => ({ type: action.do, at, ...by }));
    case 'retry':
      return told(id, (at) => ({ type: 'retry', at, token: tokenIn(action), ...by }));
    case 'skip': {
      const value = admitValue('a result', action.result, house.limits);
      const token = action.token as TokenId;
      return told(id, (at) => ({ type: 'skip', at, token, value, ...by }));
    }
    case 'wake': {
      const data = admitValue('data', action.data, house.limits);
      const { arm = null } = action;
      const token = tokenIn(action);
      const vars = varsIn(action, house.limits);
      const as = action.as === undefined ? {} : { as: house.library.kinds.provenBy(action.as) };
      return told(id, (at) => ({ type: 'wake', at, token, data, ...vars, arm, ...as, ...by }));
    }
    case 'set': {
      const value = admitValue('a value', action.value, house.limits);
      const { name } = action;
      const scope = (action.scope ?? null) as ScopeId | null;
      return told(id, (at) => ({ type: 'set', at, scope, name, value, ...by }));
    }
    case 'move': {
      const [token, to] = [action.token as TokenId, action.to as NodeId];
      return told(id, (at) => ({ type: 'move', at, token, to, ...by }));
    }
    case 'revive':
    case 'rerun':
      return goingBack(house, effort, action, { ...by, rows: await rowsFor(house, id, effort) });
    case 'send':
      return told(id, await sendingInput(house, id, action));
    case 'migrate': {
      const { head } = await rowsFor(house, id, effort);
      // The names are those of the version that was met first: of another they mean other nodes.
      effort.version ??= action.from ?? head.flowVersion;
      const from = action.nodes === undefined ? {} : { from: effort.version };
      return { instance: id, input: await migrating(house, head, { ...from, ...action }, by) };
    }
    default:
      return unreachable(action);
  }
}

/** Each is admitted by itself, as any other variable. */
function varsIn(
  { vars }: Extract<Action, { do: 'wake' }>,
  limits: Limits,
): { vars?: Record<string, Json> } {
  if (vars === undefined) return {};
  const named = Object.entries(vars);
  const admitted = named.map(([name, value]) => [name, admitValue(`"${name}"`, value, limits)]);
  return { vars: Object.fromEntries(admitted) as Record<string, Json> };
}

function tokenIn({ token }: Extract<Action, { do: 'retry' | 'wake' }>): TokenId | null {
  return token === undefined ? null : (token as TokenId);
}

function told(instance: InstanceId, input: (at: Instant) => Input): Prepared {
  return { instance, input };
}

async function rowsFor(
  { store }: ActingHouse,
  id: InstanceId,
  { rows }: Effort,
): Promise<InstanceRows> {
  return rows ?? loadRows(store, id);
}

async function goingBack(
  { store, library, halting }: ActingHouse,
  effort: Effort,
  action: Extract<Action, { do: 'revive' | 'rerun' }>,
  { rows, ...by }: { readonly act: Act; readonly rows: InstanceRows },
): Promise<Prepared> {
  const { head } = rows;
  const { id } = head;
  const machine = library.find(head.plan) ?? (await library.load(head.plan, store));
  const isHalted = await halting.confirmed(head.flow, head.flowVersion);
  const more = { ...by, ...(isHalted ? { halted: true as const } : {}) };
  if (action.do === 'revive') {
    const past = await pastToRevive(store, machine, head);
    return told(id, (at) => ({ type: 'restore', at, seen: head.version, past, ...more }));
  }
  if (effort.way?.machine !== machine) {
    effort.way = new WayBack(store, machine, action.from as NodeId);
  }
  const past = await effort.way.past(assemble(rows));
  if (action.copy !== true) {
    return told(id, (at) => ({ type: 'restore', at, seen: head.version, past, ...more }));
  }
  const { id: wanted, key } = action;
  checkStart({
    ...(wanted === undefined ? {} : { id: wanted }),
    ...(key === undefined ? {} : { key }),
  });
  const instance = (wanted ?? newInstanceId(store.now())) as InstanceId;
  if (wanted !== undefined) await checkUnused(store, instance);
  // What the other one did, or is at, is the other one's to undo.
  const copied = { ...past, doubts: [], rows: { ...past.rows, undos: [] } };
  const birth = birthLike(head, instance, key);
  return { instance, machine, input: (at) => ({ type: 'copy', at, birth, past: copied, ...more }) };
}

function birthLike(head: Head, id: InstanceId, key: string | undefined): Omit<Birth, 'plan'> {
  const { flow, flowVersion, input, tenant, priority } = head;
  return {
    ...{ id, flow, flowVersion, input },
    ...(key === undefined ? {} : { key }),
    ...(tenant === null ? {} : { tenant }),
    ...(priority === 0 ? {} : { priority }),
  };
}

function isStale(applied: Applied): boolean {
  return applied.outcome === 'nothing' && applied.refused?.details['stale'] === true;
}

/** Null if there was nothing to do: it is so already. */
function errorOf(
  applied: Exclude<Applied, { outcome: 'committed' }>,
  id: InstanceId,
): EngineError | null {
  switch (applied.outcome) {
    case 'missing':
      return notFound(id);
    case 'nothing':
      return applied.refused === undefined ? null : refusalError(applied.refused);
    case 'exists':
      return isTaken(applied.instance);
    default:
      return new EngineError('operation.refused', `it could not be done (${applied.outcome})`);
  }
}

function isTaken(instance: InstanceId): EngineError {
  const message = `instance ${instance} has its id or its business key by now`;
  return new EngineError('instance.exists', message, { details: { instance } });
}

function refusalError({ code, message, details }: Refusal): EngineError {
  return new EngineError(code, message, { details });
}
