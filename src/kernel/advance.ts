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
import type { Change } from '../model/change.ts';
import type { Hint } from '../model/hint.ts';
import type { Acted, Outcome as HandlerOutcome, Input, Signal } from '../model/input.ts';
import type { ScopeId, TokenId } from '../model/ids.ts';
import type { Token, Wake } from '../model/instance.ts';
import { seal } from './apply.ts';
import { faultFrom, tooManyCrashes } from './attempts.ts';
import { admitCancelActivity } from './cancel-activity.ts';
import { asksCode, settleFaults } from './failures.ts';
import { settleInclusive, stalledInclusive } from './inclusive.ts';
import { isLive, isResting, tokenOf, type Instance } from './instance.ts';
import { settleMerges, stalledMerges } from './merges.ts';
import { settleJoins, stalledJoins } from './joins.ts';
import { birth, leaveRegion, settle } from './moves.ts';
import type { Move, NodeKind, Place } from './kind.ts';
import { admitMove } from './move.ts';
import {
  admitCancel,
  admitResume,
  admitRetry,
  admitSet,
  admitSkip,
  admitSuspend,
  isOver,
  skipped,
} from './operate.ts';
import { admitCopy, admitRestore } from './restore.ts';
import { settleCompensation, settleSagas, settleUnwanted, undone } from './sagas.ts';
import { assertSound } from './sound.ts';
import { send } from './posts.ts';
import { recordTags } from './tags.ts';
import { admitTask, admitTaskTime } from './tasks.ts';
import type { Machine } from './machine.ts';
import { signalOf } from './signals.ts';
import { type Refusal, Stride, type Turn } from './stride.ts';
import { traceOf } from './traces.ts';
import { isUnwanted } from './undos.ts';
import { admitWake } from './wake.ts';
import { admitChild, admitMessage, admitTime, dueToken } from './waking.ts';

export function advance(machine: Machine, before: Instance, input: Input): Outcome {
  const stride = new Stride(machine, before, input.at);
  admit(stride, input);
  return conclude(stride, before, input);
}

type Admitted = Pick<Input, 'at'> & Acted & { readonly type: Input['type'] | 'migrate' };

/** Lets everything move that now can, and makes of it what is committed. */
export function conclude(stride: Stride, before: Instance, input: Admitted): Outcome {
  if (stride.changes.length === 0) return nothing(stride, before);
  if (input.act !== undefined && input.type !== 'note') {
    stride.changes.unshift({ did: 'act', act: input.act });
  }

  const { machine } = stride;
  // Of what is suspended, what was brought is kept, and nothing goes on from there.
  const isStill = STANDING.has(input.type) || stride.scratch.head.status === 'suspended';
  const picksUp = machine.code !== null && !isStill;
  // Whoever was set down may have kept an inclusive join from being asked.
  if (before.resting.size > 0) stride.stirAll();
  if (picksUp) pickUpResting(stride);
  run(stride, movesMax(stride, input));
  if (!picksUp) leaveClaimable(stride);
  report(stride);
  recordTags(stride, before);
  tell(stride, before);
  if (machine.hasLanes) stride.hint({ do: 'lanes' });

  seal(stride.scratch, before.head.version + 1, input.at);
  assertSound(before, stride.scratch);
  // As a list of its own length: history keeps it for ever, and what grew has room to spare.
  return { after: stride.scratch, changes: stride.changes.slice(), hints: stride.hints };
}

/** What the world is told of all this, where the flow is one that tells. */
function tell(stride: Stride, before: Instance): void {
  const { plan, spots } = stride.machine;
  const kind = spots.get(plan.start)?.kind;
  if (kind?.chronicle === undefined) return;
  const { scratch: after, changes } = stride;
  const told = kind.chronicle({ before, after, changes, nodes: plan.nodes, view: stride });
  for (const letter of told) send(stride, letter);
}

/** What moves nothing: a lease that ran out, and what only says when things may move. */
const STANDING: ReadonlySet<Admitted['type']> = new Set(['expire', 'suspend', 'resume', 'note']);

function nothing({ refused }: Stride, before: Instance): Outcome {
  const outcome = { after: before, changes: [], hints: [] };
  return refused === null ? outcome : { ...outcome, refused };
}

/**
 * Without the flow's closures a process keeps what a handler brought, which takes one move of the
 * step's own, and leaves everything after it to a worker that has them (D19). While the instance is
 * suspended, everything after it is left until it is resumed.
 */
function movesMax({ machine, scratch }: Stride, input: Admitted): number {
  const { code, limits } = machine;
  if (STANDING.has(input.type)) return 0;
  if (code !== null && scratch.head.status !== 'suspended') return limits.MOVES_PER_COMMIT;
  return input.type === 'result' || input.type === 'skip' ? 1 : 0;
}

/** What one call of the kernel did. `after` is `before` itself if nothing happened. */
export interface Outcome {
  readonly after: Instance;
  readonly changes: readonly Change[];
  readonly hints: readonly Hint[];
  /** Why nothing happened, where people asked for it. */
  readonly refused?: Refusal;
}

function admit(stride: Stride, input: Input): void {
  switch (input.type) {
    case 'start':
      return admitStart(stride, input);
    case 'result':
    case 'continue':
    case 'expire':
      return admitClaimed(stride, input);
    case 'time': {
      const token = dueToken(stride, input);
      if (token === undefined) return;
      return token.wait?.on === 'task' ? admitTaskTime(stride, token) : admitTime(stride, token);
    }
    case 'message':
      return admitMessage(stride, input);
    case 'child':
      return admitChild(stride, input);
    case 'cancel':
      if (input.activity !== undefined) return admitCancelActivity(stride, input.activity);
      return admitCancel(stride, input.saga);
    case 'suspend':
      return admitSuspend(stride, input);
    case 'resume':
      return admitResume(stride, input);
    case 'retry':
      return admitRetry(stride, input.token);
    case 'skip':
      return admitSkip(stride, input.token, input.value);
    case 'wake':
      return admitWake(stride, input);
    case 'task':
      return admitTask(stride, input);
    case 'set':
      return admitSet(stride, input);
    case 'move':
      return admitMove(stride, input.token, input.to);
    case 'note':
      return isOver(stride) ? undefined : stride.record({ did: 'act', act: input.act });
    case 'restore':
      return admitRestore(stride, input);
    case 'copy':
      return admitCopy(stride, input);
    default:
      unreachable(input);
  }
}

function admitStart(stride: Stride, input: Extract<Input, { type: 'start' }>): void {
  const { birth: fields, halted } = input;
  const { plan } = stride.machine;
  assert(stride.scratch.head.version === 0, 'an instance starts once');
  stride.record({ did: 'start-instance', instance: { ...fields, plan: plan.hash } });
  if (halted === true) stride.record({ did: 'suspend', halt: true });
  const root = { id: stride.nextId() as ScopeId, parent: null, owner: null, node: null };
  const { vars } = plan;
  const scope = Object.keys(vars).length === 0 ? root : { ...root, vars };
  stride.record({ did: 'open-scope', scope });
  stride.trace = input.trace;
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
  stride.trace = traceOf(token);
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
    const { value, sets = [], outcomes } = outcome;
    return { on: 'result', value, sets, ...(outcomes === undefined ? {} : { outcomes }) };
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
  const { machine } = stride;
  if (machine.code !== null) return false;
  if (!unwanted && crashes + 1 <= machine.limits.CRASHES_MAX) return false;
  return asksCode(stride, scope);
}

/** Every stride goes on with whatever an earlier one set down, after its own input. */
function pickUpResting(stride: Stride): void {
  if (stride.scratch.resting.size === 0) return;
  for (const id of stride.scratch.resting.keys()) {
    const token = tokenOf(stride.scratch, id);
    stride.record({ did: 'enter-token', token: id });
    stride.trace = traceOf(token);
    if (token.mode === 'compensation') undone(stride, token);
    else stride.agenda.push(turnOf(token));
  }
}

/** The one token that could be claimed for all that were set down may be gone: then another can. */
function leaveClaimable(stride: Stride): void {
  const { scratch } = stride;
  const resting = scratch.resting.keys();
  // Most often it is the first: there may be thousands of them, and a commit for each.
  if (resting.length === 0 || resting.some((id) => tokenOf(scratch, id).handler !== null)) return;
  const first = tokenOf(scratch, resting[0] as TokenId);
  const { handler } = stride.machine;
  stride.record({ did: 'enter-token', token: first.id });
  stride.record({ did: 'rest-token', token: first.id, handler, hops: first.hops });
  stride.hint({ do: 'offer', token: first.id, handler });
}

/** A token that was woken resumes with what woke it; one that was set down on arrival enters. */
function turnOf({ id, wake: why, hops }: Token): Turn {
  return { token: id, signal: signalOf(why), hops };
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
    if (turn.signal?.on === 'fault') {
      const { on: _, ...raised } = turn.signal;
      stride.raise({ token: token.id, ...raised });
      continue;
    }
    stride.hops = turn.hops + 1;
    stride.trace = traceOf(token);
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
  if (settleJoins(stride) || (isStill && (settleInclusive(stride) || settleMerges(stride)))) {
    return true;
  }
  return settleSagas(stride);
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
  const joins = [...stalledJoins(stride), ...stalledInclusive(stride), ...stalledMerges(stride)];
  stride.record({ did: 'stall', stalled: { reason: 'join', joins } });
}
