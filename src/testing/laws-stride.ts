/**
 * The laws of one stride, whatever the plan and whatever the input (STYLE §2.7): the instance it
 * was given is untouched, equal arguments give equal strides, the changes are the whole difference,
 * and an input that comes late or twice leaves no trace.
 */
import { advance, type Outcome } from '../kernel/advance.ts';
import { apply, seal } from '../kernel/apply.ts';
import { type Instance, rowsOf, scratchOf } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Input } from '../model/input.ts';
import type { InstanceRows } from '../model/instance.ts';
import { obey, obeySame } from './laws-ending.ts';

/** Strides, and holds the stride to its laws. `copy` is the state before it, shared by nobody. */
export function checkedStride(
  machine: Machine,
  before: Instance,
  input: Input,
  copy: InstanceRows,
): Outcome {
  const stride = advance(machine, before, input);
  obeySame('untouched', 'the given instance was altered', rowsOf(before), copy);
  const again = advance(machine, before, input);
  obeySame('pure', 'the same arguments gave another stride', toldBy(again), toldBy(stride));
  if (stride.changes.length === 0) return stride;

  const { version } = stride.after.head;
  obey('version', version === (before.head.version ?? 0) + 1, () => `version is ${version}`);
  const replayed = scratchOf(before);
  for (const change of stride.changes) apply(replayed, change, input.at);
  seal(replayed, version, input.at);
  const what = 'the changes are not the whole difference';
  obeySame('whole', what, rowsOf(replayed), rowsOf(stride.after));
  checkHints(before, stride);
  return stride;
}

/** What a stride says, without the state it leads to. */
export function toldBy({ changes, hints }: Outcome): Pick<Outcome, 'changes' | 'hints'> {
  return { changes, hints };
}

/** An answer nobody waits for: nothing may come of it. */
export function checkStray(machine: Machine, before: Instance, input: Input): void {
  const { after, changes, hints } = advance(machine, before, input);
  const traceless = changes.length === 0 && hints.length === 0 && after === before;
  obey('stray', traceless, () => `a stray ${JSON.stringify(input)} left a trace`);
}

/** A hint may be lost, but it must have been given: polling is the net, not the way. */
function checkHints(before: Instance, { after, hints }: Outcome): void {
  const offered = new Set(hints.flatMap((hint) => (hint.do === 'offer' ? [hint.token] : [])));
  for (const { id, status, handler } of after.tokens.values()) {
    const comes = status === 'ready' && before.tokens.get(id)?.status !== 'ready';
    if (!comes || handler === null) continue;
    obey('hints', offered.has(id), () => `token ${id} became ready and nobody is told`);
  }
  const over = after.head.status !== 'running';
  const told = hints.some((hint) => hint.do === 'ended');
  obey('hints', over === told, () => `the instance is ${after.head.status}, the hints differ`);
}
