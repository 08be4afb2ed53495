/** Flows on a clock that is set forward: what counts as a turn of it, and what does not. */
import { expect, test } from 'vitest';
import { flow, type Flow, memory } from '../index.ts';
import { Gate } from '../testing/stage.ts';
import type { Desk } from './desk.ts';
import { type Running, runOn } from './running.ts';
import type { Standstill } from './standing-still.ts';

const desk = { terminal: { talk: () => {}, paint: (_: string, text: string) => text } };
const place = { url: 'memory:', kind: 'memory', store: memory(), path: null } as const;
const never = new AbortController().signal;

function runs(what: Flow<null>, turnsMax: number): Promise<Running> {
  const defined = { file: 'flow.ts', source: '', flows: [what], handlers: {} };
  const errand = { defined, flow: what, input: null, start: {}, skipTime: true, turnsMax };
  return runOn(desk as unknown as Desk, place, errand);
}

async function next({ run, next: goOn }: Running): Promise<readonly Standstill[] | null> {
  return goOn(await run.inspect(), never);
}

test('a flow that wakes itself for ever is given up where time is skipped', async () => {
  const clock = flow<null>('clock')
    .repeat('again', { while: () => true }, (b) => b.sleep('tick', '1d'))
    .end();
  const running = await runs(clock, 30);
  let stuck: readonly Standstill[] | null = null;
  while (stuck === null) stuck = await next(running);
  expect(stuck).toMatchObject([{ text: expect.stringContaining('set forward 30 times') }]);
  expect(await running.run.status()).toBe('waiting');
  const { createdAt, updatedAt } = await running.run.inspect();
  expect(running.skippedMs?.(createdAt, updatedAt)).toBe(updatedAt - createdAt);
  await running.drain();
});

test('looking at a handler that takes long does not count as setting the clock', async () => {
  const bank = new Gate<number>();
  const call = flow<null>('call')
    .step('bank', () => bank.opened, { timeout: '10m' })
    .sleep('nap', '1d')
    .end(({ results }) => results.bank);
  const running = await runs(call, 1);
  for (let looks = 0; looks < 5; looks += 1) expect(await next(running)).toBeNull();
  bank.open(7);
  let view = await running.run.inspect();
  while (view.endedAt === null) {
    expect(await next(running)).toBeNull();
    view = await running.run.inspect();
  }
  expect(view.output).toBe(7);
  await running.drain();
});
