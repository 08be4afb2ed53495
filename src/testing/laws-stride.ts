/**
 * The laws of one stride, whatever the plan and whatever the input (STYLE §2.7): the instance it
 * was given is untouched, equal arguments give equal strides, the changes are the whole difference,
 * and an input that comes late or twice leaves no trace.
 */
import type { advance as kernel, Outcome } from '../kernel/advance.ts';
import { apply, seal } from '../kernel/apply.ts';
import { type Instance, rowsOf, scratchOf } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import type { TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { InstanceRows } from '../model/instance.ts';
import { obey, obeySame } from './laws-ending.ts';

/** The kernel, or one with a bug in it. */
export type Advance = typeof kernel;

/** Strides, and holds the stride to its laws. `copy` is the state before it, shared by nobody. */
export function checkedStride(
  machine: Machine,
  before: Instance,
  input: Input,
  { copy, advance }: { readonly copy: InstanceRows; readonly advance: Advance },
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
  checkHints(before, stride, input.at);
  return stride;
}

/** What a stride says, without the state it leads to. */
export function toldBy({ changes, hints }: Outcome): Pick<Outcome, 'changes' | 'hints'> {
  return { changes, hints };
}

/** An answer nobody waits for: nothing may come of it. */
export function checkStray(
  advance: Advance,
  machine: Machine,
  before: Instance,
  input: Input,
): void {
  const { after, changes, hints } = advance(machine, before, input);
  const traceless = changes.length === 0 && hints.length === 0 && after === before;
  obey('stray', traceless, () => `a stray ${JSON.stringify(input)} left a trace`);
}

/** A hint may be lost, but it must have been given: polling is the net, not the way. */
function checkHints(before: Instance, stride: Outcome, at: number): void {
  const { after, changes, hints } = stride;
  const posts = changes.some((change) => change.did === 'post');
  const carries = hints.some((hint) => hint.do === 'carry');
  obey('hints', posts === carries, () => 'something is posted and nobody is told, or the reverse');
  const told = hints.some((hint) => hint.do === 'ended');
  const over = after.head.endedAt !== null;
  obey('hints', over === told, () => `the instance is ${after.head.status}, the hints differ`);
  if (after.head.status !== 'suspended') return checkCalls(before, stride, at);
  const called = hints.find((hint) => LIVELY.has(hint.do));
  obey('hints', called === undefined, () => `it is suspended, and the hints have ${called?.do}`);
}

/** Of what is suspended nobody is called for anything. */
const LIVELY: ReadonlySet<string> = new Set(['offer', 'alarm', 'await']);

function checkCalls(before: Instance, { after, changes, hints }: Outcome, at: number): void {
  const offered = new Set(hints.flatMap((hint) => (hint.do === 'offer' ? [hint.token] : [])));
  for (const { id, status, handler, availableAt } of after.tokens.values()) {
    const later = availableAt > at && before.tokens.get(id)?.availableAt !== availableAt;
    const rings = hints.some((hint) => hint.do === 'alarm' && hint.at === availableAt);
    obey('hints', !later || rings, () => `token ${id} is ready later and nobody is told when`);
    const comes = status === 'ready' && before.tokens.get(id)?.status !== 'ready';
    if (!comes || handler === null || later) continue;
    obey('hints', offered.has(id), () => `token ${id} became ready and nobody is told`);
  }
  for (const change of changes) {
    const again = change.did === 'retry-token' ? change.availableAt <= at : null;
    const told = again !== true || offered.has((change as { token: TokenId }).token);
    obey('hints', told, () => 'a token is to be tried again at once and nobody is told');
  }
}
