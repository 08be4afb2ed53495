/** What the changes that only people bring about do to an instance; part of `apply`. */
import { assert } from '../base/assert.ts';
import type { Change, Restored } from '../model/change.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { Head, Pause, Token } from '../model/instance.ts';
import { applyMigration, type MigrationDid } from './apply-migration.ts';
import {
  indexScope,
  indexToken,
  latchesOf,
  openedFrom,
  reindexToken,
  type Scratch,
  setLatch,
  tokenOf,
  undosOf,
} from './instance.ts';

type OperationDid =
  | 'act'
  | 'tag'
  | 'suspend'
  | 'resume'
  | 'defer-token'
  | 'hasten-token'
  | 'alter-task'
  | 'restore'
  | MigrationDid;

export function applyOperation(
  scratch: Scratch,
  change: Extract<Change, { did: OperationDid }>,
  at: Instant,
): void {
  const { head } = scratch;
  switch (change.did) {
    // One tells who did what follows, one what it is found by: what it is stays the same.
    case 'act':
    case 'tag':
      return;
    case 'suspend':
      scratch.head = { ...head, ...suspended(head, at, change.halt === true) };
      return;
    case 'resume':
      scratch.head = { ...head, ...resumed(head, at, change.halt === undefined) };
      return;
    case 'defer-token':
      return alterToken(scratch, change.token, { wakeAt: change.wakeAt, updatedAt: at });
    case 'hasten-token':
      return alterToken(scratch, change.token, { availableAt: at, updatedAt: at });
    case 'alter-task':
      return alterTask(scratch, change, at);
    case 'restore':
      return restore(scratch, change.as);
    default:
      return applyMigration(scratch, change);
  }
}

/** What is suspended goes on as what it is by then. */
export function inPhase(
  { status, pauses }: Head,
  phase: Pause['as'],
): Pick<Head, 'status' | 'pauses'> {
  if (status !== 'suspended') return { status: phase, pauses };
  return {
    status,
    pauses: pauses.map((pause) => (isOpen(pause) ? { ...pause, as: phase } : pause)),
  };
}

/** One that is suspended with its flow may be so by its own name as well, and is from then on. */
function suspended(
  { status, pauses }: Head,
  at: Instant,
  halt: boolean,
): Pick<Head, 'status' | 'pauses'> {
  const last = pauses.at(-1);
  if (status === 'suspended' && last !== undefined) {
    const { from, to, as } = last;
    return { status, pauses: [...pauses.slice(0, -1), { from, to, as }] };
  }
  const as = status === 'compensating' ? status : 'running';
  const pause: Pause = { from: at, to: null, as, ...(halt ? { halt } : {}) };
  return { status: 'suspended', pauses: [...pauses, pause] };
}

/** The pause is over, if there is one; `freed` if that was said of the instance itself. */
export function resumed(
  { status, pauses }: Head,
  at: Instant,
  freed: boolean,
): Pick<Head, 'status' | 'pauses'> {
  const pause = pauses.at(-1);
  if (pause === undefined || !isOpen(pause)) return { status, pauses };
  const over: Pause = { ...pause, to: at, ...(freed ? { freed } : {}) };
  return { status: pause.as, pauses: [...pauses.slice(0, -1), over] };
}

function isOpen({ to }: Pause): boolean {
  return to === null;
}

function alterToken(scratch: Scratch, id: TokenId, fields: Partial<Token>): void {
  const before = tokenOf(scratch, id);
  const after = { ...before, ...fields };
  reindexToken(scratch, before, after);
  scratch.tokens.set(id, after);
}

function alterTask(
  scratch: Scratch,
  { token: id, entry, set, wakeAt }: Extract<Change, { did: 'alter-task' }>,
  at: Instant,
): void {
  const token = tokenOf(scratch, id);
  assert(token.wait?.on === 'task', () => `token ${id} waits for people`);
  const { trail } = token.wait.task;
  const task = { ...token.wait.task, ...set, trail: [...trail, entry] };
  const time = wakeAt === undefined ? {} : { wakeAt };
  alterToken(scratch, id, { wait: { on: 'task', task }, ...time, updatedAt: at });
}

/** These rows and no others; ids that were handed out since stay handed out. */
function restore(scratch: Scratch, { output, tokens, scopes, latches, undos }: Restored): void {
  clear(scratch);
  const { head } = scratch;
  const over = { fault: null, stalled: null, outcome: null, endedAt: null };
  scratch.head = { ...head, ...over, output, ...inPhase(head, 'running') };
  for (const token of tokens) {
    scratch.tokens.set(token.id, token);
    indexToken(scratch, token, 1);
    for (const group of token.groups) count(scratch, group);
    count(scratch, token.id);
  }
  for (const scope of scopes) {
    scratch.scopes.set(scope.id, openedFrom(scope));
    indexScope(scratch, scope, 1);
    count(scratch, scope.id);
  }
  for (const latch of latches) setLatch(scratch, latch, latch);
  for (const undo of undos) {
    undosOf(scratch).set(undo.id, undo);
    count(scratch, undo.id);
  }
}

function clear(scratch: Scratch): void {
  for (const latch of latchesOf(scratch)) setLatch(scratch, latch, null);
  for (const token of scratch.tokens.values()) {
    indexToken(scratch, token, -1);
    scratch.tokens.delete(token.id);
  }
  for (const scope of scratch.scopes.values()) {
    indexScope(scratch, scope, -1);
    scratch.scopes.delete(scope.id);
  }
  for (const id of scratch.undos.keys()) undosOf(scratch).delete(id);
}

function count(scratch: Scratch, id: number): void {
  if (id > scratch.counter) scratch.counter = id;
}
