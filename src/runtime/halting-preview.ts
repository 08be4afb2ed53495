/**
 * What suspending or resuming a whole flow would do: the same kernel is asked about every instance
 * that is meant, by the words as they would be then, and nothing is written.
 */
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import {
  EVERY_FLOW,
  type Halt,
  haltFor,
  type HaltScope,
  type HeldInstance,
} from '../stores/halts.ts';
import type { Found } from '../stores/instances.ts';
import type { Store } from '../stores/store.ts';
import { going, PAGE, resuming, suspending } from './halting.ts';
import type { Strides } from './strides.ts';

export interface HaltingPreviewHouse {
  readonly store: Store;
  readonly strides: Pick<Strides, 'preview'>;
}

/** How many instances would be told so. */
export interface HaltingPreview {
  readonly suspended: number;
  readonly resumed: number;
}

export async function previewHalt(
  house: HaltingPreviewHouse,
  scope: HaltScope,
  suspended: boolean,
): Promise<HaltingPreview> {
  const { store } = house;
  const isSame = (halt: Halt): boolean =>
    halt.flow === scope.flow && halt.version === scope.version;
  const said = { ...scope, suspended, at: store.now(), by: null, why: null };
  const halts = [...(await store.halts.list()).filter((halt) => !isSame(halt)), said];
  const count = suspended ? await countGoing(house, scope, halts) : 0;
  return { suspended: count, resumed: suspended ? 0 : await countHeld(house, scope, halts) };
}

async function countGoing(
  house: HaltingPreviewHouse,
  { flow }: HaltScope,
  halts: readonly Halt[],
): Promise<number> {
  const named = flow === EVERY_FLOW ? null : flow;
  let count = 0;
  for (let before: string | null = null, isLast = false; !isLast; ) {
    const page: Found = await house.store.instances.find(going(named, before));
    count += await countTold(house, page.instances, (one) => {
      const halt = haltFor(halts, one.flow, one.flowVersion);
      return halt?.suspended === true ? (at) => suspending(at, halt) : null;
    });
    before = page.next;
    isLast = before === null;
  }
  return count;
}

async function countHeld(
  house: HaltingPreviewHouse,
  { flow }: HaltScope,
  halts: readonly Halt[],
): Promise<number> {
  let count = 0;
  for (let after: InstanceId | null = null, isLast = false; !isLast; ) {
    const page: readonly HeldInstance[] = await house.store.halts.held(after, PAGE);
    const meant = page.filter((held) => flow === EVERY_FLOW || held.flow === flow);
    count += await countTold(house, meant, (one) => {
      const halt = haltFor(halts, one.flow, one.flowVersion);
      return halt?.suspended === true ? null : (at) => resuming(at, halt);
    });
    after = page.at(-1)?.id ?? null;
    isLast = page.length < PAGE;
  }
  return count;
}

/** Those of whom something would become otherwise. */
async function countTold(
  { strides }: HaltingPreviewHouse,
  seen: readonly HeldInstance[],
  inputFor: (one: HeldInstance) => ((at: Instant) => Input) | null,
): Promise<number> {
  const previews = await Promise.all(
    seen.flatMap((one) => {
      const input = inputFor(one);
      return input === null ? [] : [strides.preview({ instance: one.id, input })];
    }),
  );
  return previews.filter((one) => one !== undefined && one.changes.length > 0).length;
}
