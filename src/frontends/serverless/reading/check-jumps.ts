/**
 * Where tasks go on: `then` of a task, of a case of a switch, and of a catch names a task of the
 * list that the task itself lies in, or says `continue`, `exit` or `end`. Nothing else is in reach:
 * no task around it, none inside of it, and of a fork no other branch.
 */
import { type Check, type Finding, wrong } from './finding.ts';
import { entriesOf, findPart, itemsOf, pointerTo } from './pointer.ts';
import type { WalkedTask } from './walk.ts';
import { known } from './words.ts';

const DIRECTIVES = ['continue', 'exit', 'end'];

interface Jump {
  readonly pointer: string;
  readonly target: string;
}

export const checkJumps: Check = function* ({ tasks }) {
  const named = new Map<string, WalkedTask>();
  for (const task of tasks) if (!named.has(task.name)) named.set(task.name, task);
  for (const task of tasks) {
    for (const jump of jumpsOf(task)) {
      const finding = judge(task, jump, named);
      if (finding !== undefined) yield finding;
    }
    yield* checkDefaults(task);
  }
};

function* jumpsOf({ pointer, task }: WalkedTask): Generator<Jump> {
  const places: (readonly (string | number)[])[] = [['then'], ['catch', 'then']];
  for (const [index, item] of itemsOf(findPart(task, 'switch')).entries()) {
    for (const [name] of entriesOf(item)) places.push(['switch', index, name, 'then']);
  }
  for (const steps of places) {
    const target = findPart(task, ...steps);
    if (typeof target === 'string') yield { pointer: pointerTo(pointer, ...steps), target };
  }
}

function judge(
  { siblings, isBranch }: WalkedTask,
  { pointer, target }: Jump,
  named: ReadonlyMap<string, WalkedTask>,
): Finding | undefined {
  if (DIRECTIVES.includes(target)) return undefined;
  if (siblings.includes(target)) {
    if (!isBranch) return undefined;
    const message = `"${target}" is another branch of the same fork, and branches run side by side`;
    const advice = 'a branch goes on with continue, exit or end';
    return wrong('serverless.jump-out-of-scope', pointer, `${message}; ${advice}`);
  }
  const elsewhere = named.get(target);
  if (elsewhere !== undefined) {
    const message = `"${target}" lies in ${elsewhere.list}, and a jump stays in its own list`;
    return wrong('serverless.jump-out-of-scope', pointer, `${message}; ${inReach(siblings)}`);
  }
  const names = [...(isBranch ? [] : siblings), ...DIRECTIVES];
  const message = `there is no task "${target}" to go on with; ${known(target, names)}`;
  return wrong('serverless.unknown-jump', pointer, message);
}

function inReach(siblings: readonly string[]): string {
  return `within reach are ${[...siblings, ...DIRECTIVES].join(', ')}`;
}

/** A case without a condition is for everything that no other is for, so there is one at most. */
function* checkDefaults({ pointer, task }: WalkedTask): Generator<Finding> {
  const defaults = itemsOf(findPart(task, 'switch')).flatMap((item, index) =>
    entriesOf(item)
      .filter(([, one]) => findPart(one, 'when') === undefined && isObject(one))
      .map(([name]) => ({ name, at: pointerTo(pointer, 'switch', index, name) })),
  );
  const [first, ...others] = defaults;
  for (const { name, at } of others) {
    const message = `"${name}" has no "when", and neither has "${first?.name}"`;
    yield wrong('serverless.two-defaults', at, `${message}; one case at most is the default`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
