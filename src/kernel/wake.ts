/**
 * Waking one token by its number: the way in for whoever knows which of several pauses is over.
 *
 * It brings a result and variables, and brings both or neither: what is refused consumes nothing.
 * What waits for people, or for a kind that keeps its pauses to itself, is not for everyone to
 * wake; what is not waiting is not woken, and so nothing is woken twice.
 */
import type { Json } from '../base/json.ts';
import { ANY } from '../model/awaited.ts';
import { eventOf, isEvent } from '../model/cloud-event.ts';
import type { TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Token, Wait, Wake } from '../model/instance.ts';
import { isChain } from './chain.ts';
import { isLive } from './instance.ts';
import { findKindWait } from './leaving.ts';
import { isListening } from './listening.ts';
import { hasten, isOver, listed, liveToken } from './operate.ts';
import { refuseReserved, reservedIn } from './reserved.ts';
import type { RefusalCode, Stride } from './stride.ts';
import { wakeWith } from './waking.ts';

type Waking = Extract<Input, { type: 'wake' }>;

export function admitWake(stride: Stride, input: Waking): void {
  if (isOver(stride)) return;
  const id = input.token ?? onlyWaiting(stride);
  const token = id === undefined ? undefined : liveToken(stride, id);
  if (token === undefined) return;
  if (stride.scratch.head.status === 'suspended') {
    const message = 'the instance is suspended: resume it, then wake its tokens';
    return stride.refuse('instance.suspended', message);
  }
  const isLater = token.status === 'ready' && token.availableAt > stride.at;
  if (isLater && input.arm === null && input.vars === undefined) return hasten(stride, token);
  const { vars = {}, data } = input;
  const reserved = reservedIn(vars) ?? reservedIn(data);
  if (reserved !== undefined) return refuseReserved(stride, reserved);
  const why = wakeFor(token, input, stride.machine.plan.nodes.get(token.node)?.kind);
  if ('code' in why) {
    const { id: which, status } = token;
    return stride.refuse(why.code, why.message, { token: which, status });
  }
  if (Object.keys(vars).length > 0 && isChain(stride)) {
    const message = 'a chain has no variables: set its "context", then wake it';
    return stride.refuse('operation.refused', message);
  }
  for (const [name, value] of Object.entries(vars)) {
    stride.record({ did: 'write', scope: token.scope, space: 'vars', name, value });
  }
  wakeWith(stride, token, isListening(token.wait) ? asEvent(stride, token, why) : why);
}

/** Whoever listens is told events: what somebody else brings is made one. */
function asEvent({ scratch: { head } }: Stride, { id: token, wait }: Token, why: Wake): Wake {
  if (why.reason !== 'event' || isEvent(why.payload)) return why;
  const met = wait?.on === 'first' ? wait.any.find(({ arm }) => arm === why.arm) : undefined;
  const type = met === undefined || met.type === ANY ? WOKEN : met.type;
  const key = met === undefined || met.key === ANY ? '' : met.key;
  const id = `${head.id}/${token}@${head.version}`;
  return { ...why, payload: eventOf({ id, type, key, data: why.payload }) };
}

/** The type of an event that somebody woke a token with that listens to any. */
const WOKEN = 'perdure.woken';

/** Whoever names no token means the only one there is. */
function onlyWaiting(stride: Stride): TokenId | undefined {
  const outward = stride.scratch.tokens
    .values()
    .filter((token) => isLive(token) && token.wait !== null && WAKEABLE.has(token.wait.on));
  const [only] = outward;
  if (only !== undefined && outward.length === 1) return only.id;
  const message =
    only === undefined
      ? 'no token waits for anybody'
      : `several tokens wait: ${listed(outward)}; say which`;
  stride.refuse(only === undefined ? 'token.not-waiting' : 'operation.refused', message, {
    tokens: outward.map(({ id }) => id),
  });
  return undefined;
}

const WAKEABLE: ReadonlySet<Wait['on']> = new Set(['time', 'message', 'first', 'signal', 'task']);

interface Unwakeable {
  readonly code: RefusalCode;
  readonly message: string;
}

/** How it is woken, or why it cannot be. */
function wakeFor(
  { id, status, wait, node }: Token,
  { data, arm, as }: Waking,
  kind: string | undefined,
): Wake | Unwakeable {
  const refused = (message: string): Unwakeable => ({ code: 'operation.refused', message });
  const hasArms = wait?.on === 'first';
  if (arm !== null && !hasArms) return refused(`token ${id} has no arm "${arm}", nor any other`);
  const isKept = findKindWait(wait)?.gated === true && (as === undefined || as !== kind);
  if (isKept) return gated(`token ${id} at "${node}" is woken by whoever has its kind`);
  switch (wait?.on) {
    case 'time':
      return { reason: 'timeout', payload: null };
    case 'message':
      return { reason: 'event', payload: data };
    case 'first':
      return wakeArm(wait, data, arm) ?? refused(askWhich(id, wait));
    case 'signal':
      return { reason: 'resume', payload: { on: 'signal', data } };
    case 'task': {
      const how = wait.task.kind === 'task' ? 'complete' : 'decide';
      return gated(`token ${id} waits for people at "${node}": ${how} its task`);
    }
    case 'incident':
      return refused(`token ${id} waits to be mended: retry or skip it`);
    case 'child':
      return refused(
        `token ${id} waits for instance ${wait.instance}: cancel that, or skip the token`,
      );
    case undefined: {
      const message = `token ${id} is ${status} and waits for nothing`;
      return { code: 'token.not-waiting', message };
    }
    default:
      return refused(`token ${id} waits at "${node}" for other tokens of the instance`);
  }
}

function gated(message: string): Unwakeable {
  return { code: 'token.gated', message };
}

type FirstWait = Extract<Wait, { on: 'first' }>;

function armsOf({ any, timer }: FirstWait): readonly string[] {
  const arms = any.map(({ arm }) => arm);
  return timer === undefined ? arms : [...arms, timer];
}

function askWhich(id: TokenId, wait: FirstWait): string {
  return `token ${id} waits for one of ${armsOf(wait).join(', ')}: say which`;
}

function wakeArm(wait: FirstWait, data: Json, arm: string | null): Wake | undefined {
  const arms = armsOf(wait);
  const chosen = arm ?? (arms.length === 1 ? arms[0] : undefined);
  if (chosen !== undefined && chosen === wait.timer) {
    return { reason: 'timeout', payload: null, arm: chosen };
  }
  const met = wait.any.find((one) => one.arm === chosen);
  return met && { reason: 'event', payload: data, arm: met.arm };
}
