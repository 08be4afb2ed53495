/**
 * An instance as it once was, open again and going on from there; or a new one that begins as
 * another once was. What the past was is made out of history by `past.ts`; here it meets the
 * present: what is at work now and was not then is stopped, and what was waited for then and cannot
 * come any more is begun anew.
 */
import type { Instant, TokenId, UndoId } from '../model/ids.ts';
import type { Restored } from '../model/change.ts';
import type { Input, Past } from '../model/input.ts';
import type { Token, Wake } from '../model/instance.ts';
import { isLive, openedFrom, tokenOf } from './instance.ts';
import { leaveBehind, waitingAnew } from './leaving.ts';
import { closeIfEmpty } from './moves.ts';
import { post } from './posts.ts';
import { signalOf } from './signals.ts';
import type { Stride } from './stride.ts';
import { isFirst, traceLeft, wokenIn } from './traces.ts';
import { hintAwaited } from './waking.ts';

export function admitRestore(
  stride: Stride,
  { seen, past, halted }: Extract<Input, { type: 'restore' }>,
): void {
  const { version } = stride.scratch.head;
  if (version !== seen) {
    // Whoever asked reads the history again: something has happened since.
    return stride.refuse('operation.refused', 'the instance has moved on', { stale: true });
  }
  const now = new Map(
    stride.scratch.tokens
      .values()
      .filter(isLive)
      .map((token) => [token.id, token]),
  );
  const rows = restoredRows(stride, past, now);
  const kept = new Map(rows.tokens.filter(isLive).map(({ id, wait }) => [id, wait]));
  for (const { id, status, wait } of now.values()) {
    if (status === 'ready') stride.hint({ do: 'abort', token: id });
    if (wait?.on === 'child' && kept.get(id)?.on !== 'child') {
      post(stride, { do: 'cancel', instance: wait.instance, saga: false });
    }
  }
  leaveBehind(stride, now.values(), new Map(rows.tokens.map((token) => [token.id, token])));
  const wasOver = stride.scratch.head.endedAt !== null;
  stride.record({ did: 'restore', as: rows });
  if (halted === true && wasOver) stride.record({ did: 'suspend', halt: true });
  lookAround(stride);
}

export function admitCopy(stride: Stride, input: Extract<Input, { type: 'copy' }>): void {
  const { birth, past, halted } = input;
  stride.record({ did: 'start-instance', instance: { ...birth, plan: stride.machine.plan.hash } });
  // Its tokens have keys of their own, by which nothing has been begun.
  const tokens = past.rows.tokens.map(answered);
  const rows = restoredRows(stride, { ...past, rows: { ...past.rows, tokens } }, new Map());
  stride.record({ did: 'restore', as: rows });
  if (halted === true) stride.record({ did: 'suspend', halt: true });
  lookAround(stride);
}

function answered(token: Token): Token {
  const { lastError } = token;
  if (lastError?.unanswered !== true) return token;
  const { unanswered: _, ...fault } = lastError;
  return { ...token, lastError: fault };
}

/** The rows of the past, with what cannot be as it was put right. */
function restoredRows(
  stride: Stride,
  { rows, at, failed, doubts }: Past,
  now: ReadonlyMap<TokenId, Token>,
): Restored {
  const tokens = rows.tokens.map((token): Token => {
    if (!isLive(token)) return token;
    const past = stride.machine.isExtended ? waitingAnew(token, now) : token;
    const fresh = token.id === failed ? freshened(stride, past, rows) : past;
    const updatedAt = stride.at;
    return { ...fresh, ...calledAnew(fresh, now), ...inTime(stride, fresh, at), updatedAt };
  });
  const more = doubts.map((doubt) => ({ ...doubt, id: stride.nextId() as UndoId }));
  return { ...rows, tokens, undos: [...rows.undos, ...more] };
}

/** The instance it called is over, or belongs to somebody else: it calls once more. */
function calledAnew({ id, wait, wake }: Token, now: ReadonlyMap<TokenId, Token>): Partial<Token> {
  if (wait?.on !== 'child') return {};
  const is = now.get(id)?.wait;
  if (is?.on === 'child' && is.instance === wait.instance) return {};
  return { status: 'ready', handler: null, wait: null, wake: traceLeft(wake) };
}

/** Its time has stood still since then, as if it had been suspended; a sleep has its own moment. */
function inTime(stride: Stride, token: Token, then: Instant): Partial<Token> {
  const { status, node, wait, wakeAt } = token;
  if (wakeAt !== null && wait?.on !== 'time') {
    return { wakeAt: (wakeAt + stride.at - then) as Instant };
  }
  const { offer } = stride.machine.spots.get(node) ?? {};
  if (status !== 'ready' || offer?.deadlineMs === undefined) return {};
  return { wake: { ...(token.wake ?? FIRST), since: stride.at } };
}

const FIRST: Wake = { reason: 'first', payload: null };
const RETRY: Wake = { reason: 'retry', payload: null };

/** What failed has all its executions before it, and nothing that killed a worker counts. */
function freshened(stride: Stride, token: Token, rows: Restored): Token {
  const { offer } = stride.machine.spots.get(token.node) ?? {};
  const { attempts } = token;
  const wake = isRejected(stride, token, rows) ? traceLeft(token.wake) : unfailed(token.wake);
  if (offer === undefined) return { ...token, wake, attempts: 0, crashes: 0 };
  const maxAttempts = attempts + (offer.maxAttempts ?? 1);
  const again = isFirst(wake) ? wokenIn(wake, RETRY) : wake;
  return { ...token, wake: again, maxAttempts, crashes: 0, availableAt: stride.at };
}

/** Its node fails by what people decided: they are asked anew, or it would fail for ever. */
function isRejected(stride: Stride, token: Token, { scopes }: Restored): boolean {
  const told = signalOf(token.wake);
  const scope = scopes.find(({ id }) => id === token.scope);
  if (told?.on !== 'task' || scope === undefined) return false;
  const { node, kind } = stride.spotOf(token.node);
  const place = { node, token, scope: openedFrom(scope) };
  return kind.resume?.(place, stride, told).move === 'fault';
}

/** It is not told once more what it failed by: the instance it called did not complete. */
function unfailed(wake: Wake | null): Wake | null {
  const told = signalOf(wake);
  const hasFailed = told?.on === 'child' && told.answer.status !== 'completed';
  return told?.on === 'fault' || hasFailed ? traceLeft(wake) : wake;
}

/** Whoever can go on is called, and everything that may have become complete is looked at. */
function lookAround(stride: Stride): void {
  const { scratch } = stride;
  for (const { id, status, handler, availableAt, wakeAt, wait } of scratch.tokens.values()) {
    if (status === 'ready' && handler !== null) {
      if (availableAt > stride.at) stride.hint({ do: 'alarm', at: availableAt });
      else stride.hint({ do: 'offer', token: id, handler });
    }
    if (wakeAt !== null) stride.hint({ do: 'alarm', at: wakeAt });
    hintAwaited(stride, id, wait);
  }
  for (const group of scratch.gatherings.keys()) stride.unsettle(group);
  stride.stirAll();
  for (const { id, owner } of scratch.scopes.values()) {
    // One that was woken because its region is empty goes on by itself.
    if (owner !== null && tokenOf(scratch, owner).wait !== null) closeIfEmpty(stride, id);
  }
}
