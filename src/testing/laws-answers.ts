/**
 * What the outside answers to a token: the value of a handler, the data of a message, a timeout,
 * the end of an instance that was called. What goes wrong is in `laws-failures.ts`.
 *
 * An answer depends on the node and on the passes around it, never on token ids or on what was
 * answered before. So the same definition gets the same answers in every order.
 */
import type { Json } from '../base/json.ts';
import { type Instance, isResting, scopeOf } from '../kernel/instance.ts';
import type { InstanceId, NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { VarWrite } from '../model/input.ts';
import type { Awaited, Token, Wait } from '../model/instance.ts';
import { nextAsk } from './laws-asks.ts';
import { handlerVarOf, luck, lucky } from './random-luck.ts';
import type { Order } from './random-case.ts';

/** Something the outside can do now, for one token. */
export interface Answer {
  readonly type: 'result' | 'continue' | 'time' | 'message' | 'child' | 'task' | 'incident';
  readonly token: TokenId;
  readonly node: NodeId;
  /** The passes around the token: together with the node, which visit this is. */
  readonly path: string;
}

/** Everything the outside can answer to this instance, oldest token first. */
export function answersOf(instance: Instance, seed: number): Answer[] {
  return instance.tokens.values().flatMap((token) => {
    const path = pathOf(instance, token.scope);
    const type = answerTo(token, path, seed);
    return type === null ? [] : [{ type, token: token.id, node: token.node, path }];
  });
}

function answerTo(token: Token, path: string, seed: number): Answer['type'] | null {
  if (token.status === 'ready') {
    if (isResting(token)) return token.handler === null ? null : 'continue';
    return 'result';
  }
  const { node, wait, wakeAt } = token;
  switch (wait?.on) {
    case 'time':
    case 'child':
    case 'incident':
      return wait.on;
    case 'message':
      return timesOut(node, path, seed, wakeAt !== null) ? 'time' : 'message';
    case 'first':
      return armOf(wait, node, path, seed) === null ? 'time' : 'message';
    case 'task':
      return nextAsk(token, { node, path, seed }) === null ? 'time' : 'task';
    default:
      return null;
  }
}

/** Which of several messages comes; null if it is the moment. */
export function armOf(
  { any, timer }: Pick<Extract<Wait, { on: 'first' }>, 'any' | 'timer'>,
  node: string,
  path: string,
  seed: number,
): Awaited | null {
  const arms: readonly (Awaited | null)[] = timer === undefined ? any : [...any, null];
  return lucky(arms, seed, 'arm', node, path);
}

/** What a message must be like to answer a wait. */
export function messageTo(
  wait: Wait | null,
  { node, path }: Answer,
  seed: number,
): Pick<Awaited, 'type' | 'key'> | null {
  if (wait?.on === 'message') return wait;
  return wait?.on === 'first' ? armOf(wait, node, path, seed) : null;
}

/** The passes a scope lies in and how often they were tried, outermost last. */
function pathOf(instance: Instance, id: ScopeId): string {
  const passes: string[] = [];
  for (let scope = scopeOf(instance, id); ; scope = scopeOf(instance, scope.parent)) {
    const owner = scope.owner === null ? undefined : instance.tokens.get(scope.owner);
    const tries = owner === undefined ? 0 : owner.attempts - owner.crashes;
    if (scope.index !== null) passes.push(`${scope.node}#${scope.index}`);
    if (tries > 0) passes.push(tryOf(scope.node ?? '', tries));
    if (scope.parent === null) return passes.join('/');
  }
}

/** A region that was run before, as part of a path. */
export function tryOf(node: string, tries: number): string {
  return `${node}!${tries}`;
}

/** The one whose turn it is. */
export function nextOf(answers: readonly Answer[], order: Order, seed: number): Answer | undefined {
  if (order === 'fifo') return answers[0];
  if (order === 'lifo') return answers.at(-1);
  const rank = ({ node, path }: Answer): number => luck(2 ** 31, seed, 'turn', node, path);
  return answers.toSorted((a, b) => rank(a) - rank(b))[0];
}

/** Whether a wait with a timeout is left to it, rather than sent its message. */
export function timesOut(node: string, path: string, seed: number, canTimeOut: boolean): boolean {
  return canTimeOut && luck(2, seed, 'times out', node, path) === 0;
}

/** What a handler returns or a message carries. */
export function valueFor(node: string, path: string, seed: number): Json {
  const number = luck(1_000, seed, 'value', node, path);
  switch (luck(5, seed, 'shape', node, path)) {
    case 0:
      return { id: number, tags: ['a', null, true], deep: { n: number / 8 } };
    case 1:
      return [number];
    case 2:
      return `text ${number} "é\u0000\u2028`;
    case 3:
      return number % 2 === 0 ? null : false;
    default:
      return number;
  }
}

/** The variables a handler sets; most set none. */
export function setsFor(node: string, path: string, seed: number): readonly VarWrite[] {
  const where = luck(4, seed, 'sets', node);
  if (where > 1) return [];
  const value = luck(1_000, seed, 'set', node, path);
  return [{ name: handlerVarOf(node), value, in: where === 0 ? 'scope' : 'instance' }];
}

/** The instance that a token at a call waits for. */
export function calledBy({ wait }: Token): InstanceId {
  if (wait?.on !== 'child') throw new Error('only a call waits for another instance');
  return wait.instance;
}
