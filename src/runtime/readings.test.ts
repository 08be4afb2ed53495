import { expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { emptyInstance, rowsOf } from '../kernel/instance.ts';
import type { InstanceId } from '../model/ids.ts';
import type { InstanceRows } from '../model/instance.ts';
import { Gate } from '../testing/stage.ts';
import { Readings } from './readings.ts';

const [one, two] = ['one', 'two'] as [InstanceId, InstanceId];

/** A store that answers when it is let, with a version that grows by each reading. */
class Slow {
  readonly gates: Gate[] = [];
  asked = 0;

  async load([id]: readonly InstanceId[]): Promise<(InstanceRows | undefined)[]> {
    this.asked += 1;
    const version = this.asked;
    const gate = new Gate();
    this.gates.push(gate);
    await gate.opened;
    if (id === two) throw new EngineError('store.unreachable', 'away');
    const rows = rowsOf(emptyInstance(one));
    return [{ ...rows, head: { ...rows.head, version } }];
  }
}

test('hundreds who ask at once cost two readings, and none has one that began before', async () => {
  const store = new Slow();
  const readings = new Readings(store);
  const first = readings.read(one);
  const late = Array.from({ length: 300 }, () => readings.read(one));
  store.gates[0]?.open();
  expect((await first)?.head.version).toBe(1);
  await Promise.resolve();
  store.gates[1]?.open();
  const found = await Promise.all(late);
  expect([new Set(found).size, found[0]?.head.version, store.asked]).toEqual([1, 2, 2]);
  const again = readings.read(one);
  store.gates[2]?.open();
  expect((await again)?.head.version).toBe(3);
});

test('a reading that fails fails for those it was for, and the next is tried', async () => {
  const store = new Slow();
  const readings = new Readings(store);
  const [first, next] = [readings.read(two), readings.read(two)];
  store.gates[0]?.open();
  await expect(first).rejects.toMatchObject({ code: 'store.unreachable' });
  expect(store.asked).toBe(2);
  store.gates[1]?.open();
  await expect(next).rejects.toMatchObject({ code: 'store.unreachable' });
});
