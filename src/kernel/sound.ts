/**
 * What is true of every instance between strides, checked on what the stride touched. `audit`
 * checks the same sentences on everything; stores and tests call that.
 */
import { assert } from '../base/assert.ts';
import { Table } from '../base/table.ts';
import type { ScopeId, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { type Instance, isLive, type OpenScope } from './instance.ts';

export function assertSound(before: Instance, instance: Instance): void {
  Table.eachDifference(before.tokens, instance.tokens, instance, assertToken);
  Table.eachDifference(before.scopes, instance.scopes, instance, assertScope);
  const problem = headProblem(instance);
  assert(problem === undefined, problem ?? '');
}

function assertToken(instance: Instance, _: TokenId, _was: unknown, token?: Token): void {
  const problem = token && tokenProblem(instance, token);
  assert(problem === undefined, problem ?? '');
}

function assertScope(instance: Instance, _: ScopeId, _was: unknown, scope?: OpenScope): void {
  const problem = scope && scopeProblem(instance, scope);
  assert(problem === undefined, problem ?? '');
}

export function tokenProblem(instance: Instance, token: Token): string | undefined {
  const { id, status, wait, wakeAt } = token;
  if (id > instance.head.counter) return `token ${id} was never counted`;
  if (!isLive(token)) {
    return token.seq === null
      ? `token ${id} is ${status} and no link of a chain, yet has a row`
      : undefined;
  }
  if (instance.scopes.get(token.scope) === undefined) return `token ${id} lives in a closed scope`;
  if (status === 'executing') return `token ${id} is not at rest`;
  if ((status === 'waiting') !== (wait !== null))
    return `token ${id} is ${status}, its wait differs`;
  if (status !== 'waiting' && wakeAt !== null)
    return `token ${id} is ${status} with a time to wake`;
  if (wait?.on === 'time' && wakeAt === null) return `token ${id} sleeps without an end`;
  if (wait?.on === 'scope' && instance.scopes.get(wait.scope)?.owner !== id) {
    return `token ${id} waits for scope ${wait.scope}, which it does not own`;
  }
  if (wait?.on === 'saga' && instance.scopes.get(wait.scope)?.owner !== id) {
    return `token ${id} waits for the saga of scope ${wait.scope}, which it does not own`;
  }
  return undefined;
}

export function scopeProblem(instance: Instance, scope: OpenScope): string | undefined {
  const { id, parent, owner, drains } = scope;
  if (parent === null) return owner === null ? undefined : `scope ${id} has an owner and no parent`;
  if (instance.scopes.get(parent) === undefined) return `scope ${id} lies in a closed scope`;
  if (drains !== null && instance.scopes.get(drains) === undefined) {
    return `scope ${id} drains for a saga that is over`;
  }
  if (owner === null) {
    if (drains !== parent && drains !== id) return `scope ${id} has no owner and does not drain`;
    // One that undoes itself may wait for nothing but what drains for it.
    const isEmpty =
      instance.inhabitants.get(id) === undefined &&
      !instance.scopes.values().some((one) => one.id !== id && one.drains === id);
    return isEmpty ? `scope ${id} has drained and is still there` : undefined;
  }
  const token = instance.tokens.get(owner);
  if (token !== undefined && isOpener(token, id)) return undefined;
  return `nobody waits for scope ${id}`;
}

/** It waits for the scope, or was woken because that is empty and set down before it went on. */
function isOpener({ status, wait, wake }: Token, scope: ScopeId): boolean {
  if (wait !== null) return (wait.on === 'scope' || wait.on === 'saga') && wait.scope === scope;
  if (status !== 'ready' || wake?.reason !== 'resume') return false;
  return (wake.payload as { readonly scope?: unknown } | null)?.scope === scope;
}

export function headProblem(instance: Instance): string | undefined {
  const { status, stalled } = instance.head;
  const { moving } = instance;
  const isOpen = status === 'running' || status === 'compensating';
  // What is suspended says so when it goes on.
  if (isOpen && moving === 0 && stalled === null) {
    return 'nothing moves, nothing is waited for, and no stall is reported';
  }
  const over = status === 'completed' || status === 'failed' || status === 'canceled';
  if (over && (instance.scopes.size > 0 || moving > 0 || instance.gatherings.size > 0)) {
    return `the instance is ${status} and still holds something`;
  }
  if (!over && instance.scopes.size === 0) return 'the instance is open and has no scope';
  return undefined;
}
