/**
 * Whether the rows of an instance could have come about by its plan: every token at a node of it,
 * in the region that node lies in, in as many branches as it is in there, known to workers by the
 * name the plan gives it. Holds of every instance at every commit, and so also of one that has come
 * from another plan.
 */
import { type Instance, isLive, isResting, latchesOf, scopeOf } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import { type Stack, stacksIn } from '../kernel/reach.ts';
import { UNDO } from '../kernel/sagas.ts';
import { isUnwanted } from '../kernel/undos.ts';
import type { NodeId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';

/** The plan alone says them, and they are asked for after every commit. */
const KNOWN = new WeakMap<Machine, ReadonlyMap<NodeId, Stack>>();

/** What does not fit; empty if all of it does. */
export function misfits(machine: Machine, instance: Instance): readonly string[] {
  const stacks = KNOWN.get(machine) ?? stacksIn(machine.plan, machine.spots);
  KNOWN.set(machine, stacks);
  const live = instance.tokens.values().filter(isLive);
  // What undoes something, or is not wanted any more, goes nowhere from where it stands.
  const going = live.filter((token) => !isUnwanted(instance, token) && token.mode === 'forward');
  const forks = new Map<number, NodeId>();
  return [
    ...live.flatMap((token) => misplaced(machine, instance, token, going.includes(token))),
    ...live.flatMap((token) => misnamed(machine, token)),
    ...going.flatMap((token) =>
      machine.plan.nodes.get(token.node)?.merge === undefined
        ? strayed(stacks.get(token.node) ?? null, token, forks)
        : outOfLoop(machine, token),
    ),
    ...latchesOf(instance)
      .filter(({ node }) => machine.spots.get(node)?.kind.joins !== true)
      .map(({ node }) => `a latch is at "${node}", which is no join`),
    ...instance.undos
      .values()
      .filter(({ status }) => status === 'pending')
      .filter(({ node }) => machine.spots.get(node)?.offer?.undoAttempts === undefined)
      .map(({ id, node }) => `undo ${id} is of "${node}", which cannot be undone`),
  ];
}

function misplaced(
  { plan }: Machine,
  instance: Instance,
  token: Token,
  isGoing: boolean,
): readonly string[] {
  const { id, node: at, via, wait } = token;
  const node = plan.nodes.get(at);
  if (node === undefined) return [`token ${id} stands at "${at}", which is not in the plan`];
  const found: string[] = [];
  const scope = scopeOf(instance, token.scope);
  if (isGoing && node.parent !== scope.node) {
    found.push(`token ${id} is in the region of ${scope.node}, and "${at}" of ${node.parent}`);
  }
  const isTold = wait?.on === 'join' || wait?.on === 'inclusive' || wait?.on === 'merge';
  if ((via !== null || isTold) && (via === null || plan.edges.get(via)?.to !== at)) {
    found.push(`token ${id} came by ${via}, which does not lead to "${at}"`);
  }
  const opened = instance.scopes.values().find(({ owner }) => owner === id);
  if (opened !== undefined && opened.node !== at) {
    found.push(`token ${id} at "${at}" owns the region of ${opened.node}`);
  }
  return found;
}

function misnamed({ spots, handler: flow }: Machine, token: Token): readonly string[] {
  const { id, node, handler, mode, status } = token;
  if (status !== 'ready') return [];
  const own = spots.get(node)?.handler ?? '';
  const expected = isResting(token) ? flow : mode === 'compensation' ? own + UNDO : own;
  if (handler === expected || (handler === null && isResting(token))) return [];
  return [`token ${id} at "${node}" is for ${handler}, not for ${expected}`];
}

/** In a flowchart it has a number for each loop around it at the most, the last of them not 0. */
function outOfLoop({ chart }: Machine, { id, node, groups }: Token): readonly string[] {
  const depth = chart?.depthAt(node) ?? 0;
  if (groups.length <= depth && groups.at(-1) !== 0) return [];
  return [`token ${id} has the pass ${groups.join('/')}, and "${node}" is in ${depth} loops`];
}

/** Those of one group are branches of one fork. */
function strayed(
  stack: Stack,
  { id, node, groups }: Token,
  forks: Map<number, NodeId>,
): readonly string[] {
  if (stack === null) return [];
  if (stack.length !== groups.length) {
    return [`token ${id} is in ${groups.length} branches, and "${node}" in ${stack.length}`];
  }
  return groups.flatMap((group, depth) => {
    const fork = stack[depth] as NodeId;
    const known = forks.get(group) ?? fork;
    forks.set(group, known);
    return known === fork ? [] : [`group ${group} is of "${known}" and of "${fork}"`];
  });
}
