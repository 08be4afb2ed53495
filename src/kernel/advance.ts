/**
 * The kernel: one input in, one stride out.
 *
 * `advance` takes an instance at rest, admits an input, and lets tokens move until all of them rest
 * again. Turns are taken from an agenda, first in first out; joins are decided whenever the agenda
 * is empty, so that no order of arrival can make one fire early. After MOVES_PER_COMMIT moves the
 * kernel sets what is left on the agenda down as ready tokens and lets the shell commit; the next
 * stride of the instance, whatever its input, picks them up again. Only a lease that ran out moves
 * nothing: what killed a worker must not kill whoever recovers it.
 *
 * It reads no clock, draws no random number and touches no promise; the same arguments give the
 * same stride on every machine, which is what lets the simulator replay a crash from a seed. An
 * input that comes late or twice leaves no trace: the stride is empty and nothing is committed.
 */
import { assert, unreachable } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import type { Change } from '../model/change.ts';
import type { Hint } from '../model/hint.ts';
import type { Outcome as HandlerOutcome, Input, Message, Signal } from '../model/input.ts';
import type { InstanceId, ScopeId } from '../model/ids.ts';
import type { Token, Wake } from '../model/instance.ts';
import { seal } from './apply.ts';
import { faultFrom, tooManyCrashes } from './attempts.ts';
import { settleFaults } from './failures.ts';
import { settleInclusive, stalledInclusive } from './inclusive.ts';
import { isLive, isResting, scopeOf, tokenOf, type Instance } from './instance.ts';
import { settleJoins, stalledJoins } from './joins.ts';
import { birth, leaveRegion, settle } from './moves.ts';
import type { Move, NodeKind, Place } from './kind.ts';
import { admitCancel, admitRetry, admitSkip, skipped } from './operate.ts';
import { settleCompensation, settleSagas, settleUnwanted, undone } from './sagas.ts';
import { assertSound } from './sound.ts';
import type { Machine } from './machine.ts';
import { Stride, type Turn } from './stride.ts';
import { isUnwanted } from './undos.ts';

export function advance(machine: Machine, before: Instance, input: Input): Outcome {
  const stride = new Stride(machine, before, input.at);
  admit(stride, input);
  if (stride.changes.length === 0) return { after: before, changes: [], hints: [] };

  const picksUp = machine.code !== null && input.type !== 'expire';
  // Whoever was set down may have kept an inclusive join from being asked.
  if (before.resting.size > 0) stride.stirAll();
  if (picksUp) pickUpResting(stride);
  run(stride, movesMax(machine, input));
  if (!picksUp) leaveClaimable(stride);
  report(stride);

  seal(stride.scratch, before.head.version + 1, input.at);
  assertSound(before, stride.scratch);
  // As a list of its own length: history keeps it for ever, and what grew has room to spare.
  return { after: stride.scratch, changes: stride.changes.slice(), hints: stride.hints };
}

/**
 * Without the flow's closures a process keeps what a handler brought, which takes one move of the
 * step's own, and leaves everything after it to a worker that has them (D19).
 */
function movesMax({ code, limits }: Machine, input: Input): number {
  if (input.type === 'expire') return 0;
  if (code !== null) return limits.MOVES_PER_COMMIT;
  return input.type === 'result' || input.type === 'skip' ? 1 : 0;
}

/** What one call of the kernel did. `after` is `before` itself if nothing happened. */
export interface Outcome {
  readonly after: Instance;
  readonly changes: readonly Change[];
  readonly hints: readonly Hint[];
}

function admit(stride: Stride, input: Input): void {
  switch (input.type) {
    case 'start':
      return admitStart(stride, input);
    case 'result':
    case 'continue':
    case 'expire':
      return admitClaimed(stride, input);
    case 'time':
      return admitTime(stride, input);
    case 'message':
      return admitMessage(stride, input);
    case 'child':
      return admitChild(stride, input);
    case 'cancel':
      return admitCancel(stride, input.saga);
    case 'retry':
      return admitRetry(stride, input.token);
    case 'skip':
      return admitSkip(stride, input.token, input.value);
    default:
      unreachable(input);
  }
}

function admitStart(stride: Stride, { birth: fields }: Extract<Input, { type: 'start' }>): void {
  const { plan } = stride.machine;
  assert(stride.scratch.head.version === 0, 'an instance starts once');
  stride.record({ did: 'start-instance', instance: { ...fields, plan: plan.hash } });
  const root = { id: stride.nextId() as ScopeId, parent: null, owner: null, node: null };
  const { vars } = plan;
  const scope = Object.keys(vars).length === 0 ? root : { ...root, vars };
  stride.record({ did: 'open-scope', scope });
  birth(stride, root.id, plan.start);
}

/** What a worker brings for a token it had claimed. The claim itself becomes part of history. */
function admitClaimed(
  stride: Stride,
  input: Extract<Input, { type: 'result' | 'continue' | 'expire' }>,
): void {
  const token = stride.scratch.tokens.get(input.token);
  if (token === undefined || token.status !== 'ready') return;
  if (input.type !== 'expire' && isResting(token) !== (input.type === 'continue')) return;
  if (input.type === 'continue' && stride.machine.code === null) return;

  const unwanted = isUnwanted(stride.scratch, token);
  // It was put down because nobody wants it, and that never changes again.
  if (input.type === 'result' && input.outcome.outcome === 'unrun' && !unwanted) return;
  if (input.type === 'expire' && isOutOfReach(stride, token, unwanted)) return;

  const { worker, version, at } = input.claim;
  stride.record({ did: 'claim-token', token: token.id, worker, version, at });
  if (unwanted) return settleUnwanted(stride, token, input);
  if (token.mode === 'compensation') return settleCompensation(stride, token, input);
  if (input.type === 'expire') return admitExpiry(stride, token);
  if (input.type === 'continue') return void stride.agenda.push(turnOf(token));
  admitOutcome(stride, token, input.outcome);
}

function admitOutcome(stride: Stride, { id: token, node }: Token, outcome: HandlerOutcome): void {
  assert(outcome.outcome !== 'unrun', 'what is wanted is run');
  const { output } = outcome;
  if (output !== undefined) stride.record({ did: 'set-output', output });
  if (outcome.outcome === 'failed') {
    const fault = faultFrom(outcome, node);
    const { afterMs } = outcome;
    const later = afterMs === undefined ? {} : { afterMs };
    return stride.raise(
      outcome.final === true ? { token, fault } : { token, fault, retries: true, ...later },
    );
  }
  stride.agenda.push({ token, signal: answered(outcome), hops: 0 });
}

function answered(outcome: Extract<HandlerOutcome, { outcome: 'done' | 'waiting' }>): Signal {
  if (outcome.outcome === 'done') {
    return { on: 'result', value: outcome.value, sets: outcome.sets ?? [] };
  }
  const { type, timeoutMs, letters } = outcome;
  return { on: 'waiting', type, timeoutMs, letters };
}

/** A lease that ran out is an attempt and a crash; only too many crashes are a failure (D11). */
function admitExpiry(stride: Stride, token: Token): void {
  const fault = tooManyCrashes(stride, token);
  if (fault === null) return;
  leaveRegion(stride, token);
  // It is not run again, whatever its policy says.
  stride.raise({ token: token.id, fault });
}

/** To fail it may take closures of the flow, and whoever has them recovers it as well (D19). */
function isOutOfReach(stride: Stride, { crashes, scope }: Token, unwanted: boolean): boolean {
  const { machine, scratch } = stride;
  if (machine.code !== null) return false;
  if (!unwanted && crashes + 1 <= machine.limits.CRASHES_MAX) return false;
  for (let at = scopeOf(scratch, scope); at.node !== null; ) {
    const spot = machine.spots.get(at.node);
    if (spot === undefined || (spot.kind.rescue !== undefined && spot.node.code.length > 0)) {
      return true;
    }
    if (at.parent === null) return false;
    at = scopeOf(scratch, at.parent);
  }
  return false;
}

function admitTime(stride: Stride, input: Extract<Input, { type: 'time' }>): void {
  const token = stride.scratch.tokens.get(input.token);
  if (token?.status !== 'waiting' || token.wakeAt === null || token.wakeAt > input.at) return;
  const arm = token.wait?.on === 'first' ? token.wait.timer : undefined;
  wake(stride, token, { reason: 'timeout', payload: null, ...(arm === undefined ? {} : { arm }) });
}

function admitMessage(stride: Stride, input: Extract<Input, { type: 'message' }>): void {
  const { head, tokens } = stride.scratch;
  const token = tokens.get(input.token);
  const { data } = input.message;
  // Whoever is suspended is told when it goes on: the message is kept for it.
  if (token?.status !== 'waiting' || head.status === 'suspended') return;
  const { wait } = token;
  if (wait?.on === 'message' && isFor(input.message, wait, head.id)) {
    return wake(stride, token, { reason: 'event', payload: data });
  }
  if (wait?.on !== 'first') return;
  const met = wait.any.find((one) => isFor(input.message, one, head.id));
  if (met !== undefined) wake(stride, token, { reason: 'event', payload: data, arm: met.arm });
}

function isFor(
  { type, key, instance }: Message,
  wait: Pick<Message, 'type' | 'key'>,
  id: InstanceId,
): boolean {
  if (wait.type !== type) return false;
  return instance === undefined ? wait.key === key : instance === id;
}

function admitChild(stride: Stride, input: Extract<Input, { type: 'child' }>): void {
  const token = stride.scratch.tokens.get(input.token);
  if (token?.status !== 'waiting' || token.wait?.on !== 'child') return;
  if (token.wait.instance !== input.from) return;
  const payload = { on: 'child', answer: input.answer } as unknown as Json;
  wake(stride, token, { reason: 'resume', payload });
}

/** Without the flow's closures a process may wake a token but not go on with it (D19). */
function wake(stride: Stride, token: Token, why: Wake): void {
  if (stride.machine.spots.get(token.node)?.kind.reenters === true) {
    stride.record({ did: 'wake-token', token: token.id, wake: why, again: true });
    if (token.handler === null) return;
    return stride.hint({ do: 'offer', token: token.id, handler: token.handler });
  }
  if (stride.machine.code !== null) {
    stride.record({ did: 'wake-token', token: token.id, wake: why, enter: true });
    stride.agenda.push({ token: token.id, signal: signalOf(why), hops: 0 });
    return;
  }
  const { handler } = stride.machine;
  stride.record({ did: 'wake-token', token: token.id, wake: why, handler });
  stride.hint({ do: 'offer', token: token.id, handler });
}

/** Every stride goes on with whatever an earlier one set down, after its own input. */
function pickUpResting(stride: Stride): void {
  if (stride.scratch.resting.size === 0) return;
  for (const id of stride.scratch.resting.keys()) {
    const token = tokenOf(stride.scratch, id);
    stride.record({ did: 'enter-token', token: id });
    if (token.mode === 'compensation') undone(stride, token);
    else stride.agenda.push(turnOf(token));
  }
}

/** The one token that could be claimed for all that were set down may be gone: then another can. */
function leaveClaimable(stride: Stride): void {
  const resting = stride.scratch.resting.keys().map((id) => tokenOf(stride.scratch, id));
  const [first] = resting;
  if (first === undefined || resting.some((token) => token.handler !== null)) return;
  const { handler } = stride.machine;
  stride.record({ did: 'enter-token', token: first.id });
  stride.record({ did: 'rest-token', token: first.id, handler, hops: first.hops });
  stride.hint({ do: 'offer', token: first.id, handler });
}

/** A token that was woken resumes with what woke it; one that was set down on arrival enters. */
function turnOf({ id, wake: why, hops }: Token): Turn {
  return { token: id, signal: signalOf(why), hops };
}

function signalOf(why: Wake | null): Signal | null {
  switch (why?.reason) {
    case 'timeout':
      return why.arm === undefined ? { on: 'time' } : { on: 'time', arm: why.arm };
    case 'event': {
      const data = why.payload;
      return why.arm === undefined
        ? { on: 'message', data }
        : { on: 'message', data, arm: why.arm };
    }
    case 'resume':
      return why.payload as unknown as Extract<Signal, { on: 'scope' | 'child' }>;
    default:
      return null;
  }
}

function run(stride: Stride, max: number): void {
  const { MOVES_WITHOUT_REST_MAX } = stride.machine.limits;
  let moves = 0;
  for (;;) {
    settleFaults(stride);
    const turn = stride.agenda.shift();
    if (turn === undefined) {
      if (!settleStill(stride)) return;
      continue;
    }
    // An earlier turn of this stride may have ended it: a terminate, or a fault beside it.
    const token = stride.scratch.tokens.get(turn.token);
    if (token === undefined || !isLive(token)) continue;
    if (moves >= max) {
      if (setDown(stride, turn)) return;
      continue;
    }
    moves += 1;
    stride.hops = turn.hops + 1;
    const { node, kind } = stride.spotOf(token.node);
    const place = { node, token, scope: stride.scopeOf(token.scope) };
    const spins = turn.hops >= MOVES_WITHOUT_REST_MAX;
    settle(
      stride,
      place,
      spins ? spinning(MOVES_WITHOUT_REST_MAX) : decide(stride, kind, place, turn),
    );
  }
}

/** Nothing moves: what waits for just that is looked at. True if something moves again. */
function settleStill(stride: Stride): boolean {
  // For an inclusive join it matters who has not moved yet: it is asked when nobody is set down.
  const isStill = stride.scratch.resting.size === 0;
  return settleJoins(stride) || (isStill && settleInclusive(stride)) || settleSagas(stride);
}

function decide(stride: Stride, kind: NodeKind, place: Place, { signal }: Turn): Move {
  if (signal?.on === 'skip') return skipped(stride, kind, place, signal.value);
  if (signal !== null) {
    assert(kind.resume !== undefined, () => `${kind.kind} parks or is offered, so it resumes`);
    return kind.resume(place, stride, signal);
  }
  assert(kind.enter !== undefined, () => `${kind.kind} is run by the kernel, so it enters`);
  return kind.enter(place, stride);
}

function spinning(max: number): Move {
  const message = `more than ${max} moves without a wait or a handler (MOVES_WITHOUT_REST_MAX)`;
  return { move: 'fault', fault: { code: 'flow.spins', message } };
}

/**
 * The stride is long enough. One of the tokens becomes claimable, the rest merely ready: whoever
 * claims the one picks all of them up. Joins are decided first, since what they must look at again
 * is known only now; whatever they fire is set down too. Inclusive ones are left to the next time.
 * False if nothing is left to set down: a fault was dealt with that ended all of it.
 */
function setDown(stride: Stride, first: Turn): boolean {
  stride.agenda.unshift(first);
  do settleFaults(stride);
  while (settleJoins(stride) || settleSagas(stride));
  let handler: string | null = stride.machine.handler;
  for (let turn = stride.agenda.shift(); turn !== undefined; turn = stride.agenda.shift()) {
    const status = stride.scratch.tokens.get(turn.token)?.status;
    if (status === undefined) continue;
    if (status === 'waiting') wakeOwner(stride, turn, handler);
    else stride.record({ did: 'rest-token', token: turn.token, handler, hops: turn.hops });
    if (handler !== null) stride.hint({ do: 'offer', token: turn.token, handler });
    handler = null;
  }
  return handler === null;
}

/** A region is over and its owner has not heard of it yet: the next stride must find it ready. */
function wakeOwner(stride: Stride, { token, signal, hops }: Turn, handler: string | null): void {
  assert(signal?.on === 'scope', 'only the owner of a region has a turn while it waits');
  const wake: Wake = { reason: 'resume', payload: signal };
  const claimable = handler === null ? {} : { handler };
  stride.record({ did: 'wake-token', token, wake, hops, ...claimable });
}

/** At rest, an instance with live tokens that nothing will move says what it lacks (D7). */
function report(stride: Stride): void {
  const { head, moving } = stride.scratch;
  if (head.status !== 'running') return;
  if (moving > 0) {
    if (head.stalled !== null) stride.record({ did: 'unstall' });
    return;
  }
  const joins = [...stalledJoins(stride), ...stalledInclusive(stride)];
  stride.record({ did: 'stall', stalled: { reason: 'join', joins } });
}
