/**
 * What must come of what an operator does, by the plainest reading of the pages about it: it is
 * done, it is so already, or it is refused by this name. Shares no line with the kernel.
 */
import { isJsonObject } from '../base/json.ts';
import type { Action } from '../model/action.ts';
import type { NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { Plan } from '../model/plan.ts';
import type { Instance } from '../kernel/instance.ts';
import type { RefusalCode } from '../kernel/stride.ts';
import { isLeftOver } from './laws-failures.ts';

/** Null: only history can tell. */
export type Verdict = 'done' | 'so already' | RefusalCode | null;

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled']);
const LIVE: ReadonlySet<string> = new Set(['ready', 'executing', 'waiting']);

export function verdictOn(action: Action, instance: Instance, plan: Plan, now: number): Verdict {
  const { status, pauses } = instance.head;
  const isOver = ENDED.has(status);
  const isAsleep = status === 'suspended';
  switch (action.do) {
    case 'revive':
      return status === 'failed' ? null : 'operation.refused';
    case 'rerun':
      if (!plan.nodes.has(action.from as NodeId)) return 'node.not-found';
      return !isOver && isUndoing(instance) ? 'operation.refused' : null;
    case 'cancel': {
      const undoes = (isAsleep ? pauses.at(-1)?.as : status) === 'compensating';
      return isOver || (undoes && action.saga === true) ? 'so already' : 'done';
    }
    case 'suspend':
    case 'resume':
      if (isOver) return 'instance.over';
      return isAsleep === (action.do === 'suspend') ? 'so already' : 'done';
    case 'set':
      if (isOver) return 'instance.over';
      if (isChain(plan) && action.name !== 'context') return 'operation.refused';
      if (action.scope === undefined) return 'done';
      return instance.scopes.get(action.scope as ScopeId) === undefined
        ? 'operation.refused'
        : 'done';
    case 'retry':
      if (isOver) return 'instance.over';
      if (action.token !== undefined) return onToken(action, instance, plan, now);
      return instance.tokens.values().some((token) => isToRetry(token, plan, now))
        ? 'done'
        : 'token.not-parked';
    case 'wake': {
      if (isOver) return 'instance.over';
      if (action.token !== undefined) return onToken(action, instance, plan, now);
      const [only, ...more] = instance.tokens.values().filter(isOutward);
      if (only === undefined) return 'token.not-waiting';
      if (more.length > 0) return 'operation.refused';
      return onToken({ ...action, token: only.id }, instance, plan, now);
    }
    case 'skip':
    case 'move':
      return isOver ? 'instance.over' : onToken(action, instance, plan, now);
    default:
      return null;
  }
}

/** Something is being undone, here or there. */
function isUndoing({ head: { status, pauses }, tokens }: Instance): boolean {
  const phase = status === 'suspended' ? pauses.at(-1)?.as : status;
  if (phase === 'compensating') return true;
  return tokens.values().some(({ mode, wait }) => mode === 'compensation' || wait?.on === 'saga');
}

type OnToken = Extract<Action, { do: 'retry' | 'skip' | 'wake' | 'move' }>;

function onToken(action: OnToken, instance: Instance, plan: Plan, now: number): Verdict {
  const token = instance.tokens.get(action.token as TokenId);
  if (token === undefined || !LIVE.has(token.status)) return 'token.not-found';
  switch (action.do) {
    case 'retry':
      return isToRetry(token, plan, now) ? 'done' : 'token.not-parked';
    case 'skip':
      return canSkip(token, instance, plan) ? 'done' : 'operation.refused';
    case 'wake':
      return onWake(action, token, instance, { plan, now });
    case 'move':
      if (!plan.nodes.has(action.to as NodeId)) return 'node.not-found';
      return canMove(token, instance, plan, action.to) ? 'done' : 'operation.refused';
  }
}

const OUTWARD: ReadonlySet<string> = new Set(['time', 'message', 'first', 'task']);

/** It waits for something that anybody outside may have. */
function isOutward({ wait, status }: Token): boolean {
  return LIVE.has(status) && wait !== null && OUTWARD.has(wait.on);
}

function onWake(
  { arm, vars, data = null }: Extract<Action, { do: 'wake' }>,
  token: Token,
  { head }: Instance,
  { plan, now }: { readonly plan: Plan; readonly now: number },
): Verdict {
  if (head.status === 'suspended') return 'instance.suspended';
  const isLater = token.status === 'ready' && token.availableAt > now;
  if (isLater && arm === undefined && vars === undefined) return 'done';
  const names = [vars ?? {}, isJsonObject(data) ? data : {}].flatMap((one) => Object.keys(one));
  if (names.some((name) => /(^|\.)\$/.test(name))) return 'variable.reserved';
  if (arm !== undefined && token.wait?.on !== 'first') return 'operation.refused';
  if (token.wait === null) return 'token.not-waiting';
  if (token.wait.on === 'task') return 'token.gated';
  if (!canWake(token, arm)) return 'operation.refused';
  // A chain has no variables.
  const brings = Object.keys(vars ?? {}).length > 0;
  return brings && isChain(plan) ? 'operation.refused' : 'done';
}

/** Also before its steps are lined up. */
function isChain({ nodes, start }: Plan): boolean {
  return nodes.get(start)?.kind === 'chain';
}

/** It failed and waits to be mended, or to be tried again; so does a region that failed. */
function isToRetry({ wait, status, availableAt, node }: Token, plan: Plan, now: number): boolean {
  if (wait?.on === 'incident' || (status === 'ready' && availableAt > now)) return true;
  return wait?.on === 'time' && plan.nodes.get(node)?.kind === 'try';
}

/** Of these it is plain how they go on, however many ways lead on. */
const PLAIN: ReadonlySet<string> = new Set([
  ...['step', 'link', 'wait', 'first', 'call', 'try'],
  ...['map', 'task', 'approve', 'activity', 'flowchart'],
]);

/** What waits for others of its instance. */
const FOR_OTHERS: ReadonlySet<string> = new Set(['join', 'inclusive', 'merge', 'saga']);

function canSkip(token: Token, instance: Instance, plan: Plan): boolean {
  const { wait, mode, node: at } = token;
  if (isLeftOver(instance, token)) return false;
  if (wait !== null && FOR_OTHERS.has(wait.on)) return false;
  if (plan.nodes.get(at)?.kind === 'item') return false;
  if (wait?.on === 'incident') return wait.can.includes('skip');
  const node = plan.nodes.get(at);
  return mode === 'compensation' || PLAIN.has(node?.kind ?? '') || (node?.out.length ?? 0) <= 1;
}

function canWake({ wait }: Token, arm: string | undefined): boolean {
  if (wait?.on !== 'first') return wait?.on === 'time' || wait?.on === 'message';
  const arms = [
    ...wait.any.map((one) => one.arm),
    ...(wait.timer === undefined ? [] : [wait.timer]),
  ];
  return arm === undefined ? arms.length === 1 : arms.includes(arm);
}

function canMove(token: Token, instance: Instance, plan: Plan, to: string): boolean {
  if (isChain(plan) || token.mode === 'compensation' || token.wait?.on === 'saga') return false;
  if (isLeftOver(instance, token) || plan.start === to) return false;
  if (token.wait?.on === 'merge' && token.wait.block === true) return false;
  if (plan.nodes.get(token.node)?.kind === 'item') return false;
  const region = (id: string): string | null => plan.nodes.get(id as NodeId)?.parent ?? null;
  return region(token.node) === region(to);
}
