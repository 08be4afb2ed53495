/**
 * Only those activities are asked for which something may have changed. So whoever asks all of them
 * once more, when a stride is over, must find nothing left to do.
 */
import { expect, test } from 'vitest';
import { type ActivityDefinition, type ConnectionDefinition, flowchart } from '../flowchart.ts';
import { advance } from './advance.ts';
import { checkInvariants } from './invariants.ts';
import { assemble, emptyInstance, type Instance, isResting, rowsOf } from './instance.ts';
import { settleMerges } from './merges.ts';
import type { Machine } from './machine.ts';
import { Stride } from './stride.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import { MERGE_MODES, type MergeMode } from '../model/merge.ts';
import { Dice } from '../testing/dice.ts';
import { machineOf, written } from '../testing/story.ts';

const AT = 0 as Instant;
const ID = 'i1' as InstanceId;
const CLAIM = { worker: 'w1', version: 1, at: AT };
const OUTCOMES = [['Done'], ['Done'], ['B'], ['C'], ['Done', 'B'], ['Done', 'B', 'C'], []];
const FORKED: readonly MergeMode[] = ['converge', 'race', 'stream'];

/** Any connections between a few activities, some of which the kernel runs by itself. */
function chartBy(dice: Dice): Machine {
  const count = 4 + dice.roll(12);
  const modes = dice.roll(2) === 0 ? MERGE_MODES : FORKED;
  const activities = Array.from({ length: count }, (_, at): ActivityDefinition => {
    const type = at > 0 && dice.roll(6) === 0 ? 'start' : 'work';
    return { id: `${'dacbe'[dice.roll(5)]}${at}`, type, mergeMode: dice.pick(modes) };
  });
  const start = activities[0]?.id ?? '';
  const connections = new Map<string, ConnectionDefinition>();
  const connect = (from: number, to: number): void => {
    const [one, other] = [activities[from], activities[to]];
    if (one === undefined || other === undefined) return;
    const isPassed = one.type === 'start';
    // What goes round without a handler never rests.
    if (isPassed && from >= to) return;
    const outcome = isPassed ? 'Done' : dice.pick(['Done', 'Done', 'B', 'C']);
    const connection = { from: one.id, outcome, to: other.id };
    connections.set(JSON.stringify(connection), connection);
  };
  for (let at = 1; at < count; at += 1) connect(dice.roll(at), at);
  for (let more = dice.roll(2 * count); more > 0; more -= 1)
    connect(dice.roll(count), dice.roll(count));
  const chart = {
    id: 'chart',
    version: 1,
    start,
    activities,
    connections: [...connections.values()],
  };
  return machineOf(written(flowchart(chart)), { MOVES_PER_COMMIT: dice.roll(4) === 0 ? 3 : 1_000 });
}

function nextInput(instance: Instance, dice: Dice): Input | null {
  const ready = instance.tokens.values().filter(({ status }) => status === 'ready');
  const claimable = ready.filter(({ handler }) => handler !== null);
  if (claimable.length === 0) return null;
  const token = dice.pick(claimable);
  const claimed = { at: AT, token: token.id, claim: CLAIM };
  if (isResting(token)) return { type: 'continue', ...claimed };
  const outcomes = dice.pick(OUTCOMES);
  return { type: 'result', ...claimed, outcome: { outcome: 'done', value: null, outcomes } };
}

test('whoever asks every activity once more finds nothing left to do', () => {
  let asked = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const dice = new Dice(seed);
    const machine = chartBy(dice);
    const birth = { id: ID, flow: 'chart', flowVersion: 1, input: null };
    let instance = emptyInstance(ID);
    let input: Input | null = { type: 'start', at: AT, birth };
    for (let turn = 0; turn < 40 && input !== null; turn += 1) {
      instance = advance(machine, instance, input).after;
      // As a process has it that has just loaded it.
      if (dice.roll(8) === 0) instance = assemble(rowsOf(instance));
      const isStill = instance.resting.size === 0;
      const stride = new Stride(machine, instance, AT);
      stride.stirAll();
      expect(isStill && settleMerges(stride), `seed ${seed}, turn ${turn}`).toBe(false);
      if (isStill) asked += 1;
      const broken = checkInvariants(instance, []).filter(({ promise }) => promise === 'index');
      expect(broken, `seed ${seed}, turn ${turn}`).toEqual([]);
      input = nextInput(instance, dice);
    }
  }
  expect(asked).toBeGreaterThan(1_000);
});
