/** Scenario 3 (L-22, X-03), on every store: a worker stalls beyond its lease. */
import { expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { HandlerTools } from '../frontends/builder/views.ts';
import type { Flow } from '../model/definition.ts';
import { type Lab, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Gate, stalledStore } from '../testing/stage.ts';
import { VirtualAlarm } from '../testing/virtual-alarm.ts';
import { Listener } from '../testing/world.ts';
import { Engine } from './engine.ts';
import type { Run } from './run.ts';

function job(work: (tools: HandlerTools) => unknown): Flow {
  return flow('job')
    .step('work', work)
    .end(({ results }) => results.work);
}

interface Stalled {
  readonly lab: Lab;
  readonly run: Run;
  readonly log: Listener;
  /** The results of A and B, which come when the test says so. */
  readonly late: Gate<string>;
  readonly prompt: Gate<string>;
  /** What the handler was given when it ran at B. */
  readonly seen: readonly HandlerTools[];
}

/** A has begun and stands still, its lease is over, and B is at work in its place. */
async function stall(open: OpenLab): Promise<Stalled> {
  const [late, prompt, log] = [new Gate<string>(), new Gate<string>(), new Listener()];
  const seen: HandlerTools[] = [];
  const lab = await open([
    job((tools) => {
      seen.push(tools);
      return prompt.opened;
    }),
  ]);
  const store = stalledStore(lab.store, late.opened);
  const a = new Engine(
    { store, flows: [job(() => late.opened)], worker: { id: 'A' }, logger: log },
    // Nobody rings its alarms.
    new VirtualAlarm(0),
  );
  await a.open();
  const run = await a.start('job', null);
  await lab.tick('10s');
  expect(seen).toEqual([]);
  await lab.tick('1s');
  expect(seen.length).toBe(1);
  return { lab, run, log, late, prompt, seen };
}

onEveryStore('scenario 3: worker A stalls beyond its lease', (open) => {
  test('B has the token with one attempt more, and completes it', async () => {
    const { lab, run, prompt, seen } = await stall(open);
    expect(seen).toMatchObject([{ attempt: 2, wake: { reason: 'lease-recovery' } }]);
    prompt.open('from B');
    await lab.settle();
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: 'from B' });
    const changes = (await run.history()).flatMap((entry) => entry.changes);
    const claims = changes.filter((change) => change.did === 'claim-token');
    expect(claims).toMatchObject([{ worker: 'A' }, {}]);
    expect(claims[1]?.version).toBeGreaterThan(claims[0]?.version ?? Number.NaN);
  });

  test('what A brings after B is dropped, and shown as dropped once', async () => {
    const { lab, run, log, late, prompt } = await stall(open);
    prompt.open('from B');
    await lab.settle();
    const before = await run.history();
    late.open('from A');
    await log.heard.opened;
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: 'from B' });
    expect(await run.history()).toEqual(before);
    const shown = await run.history({ notes: true });
    expect(shown.slice(before.length)).toMatchObject([
      { n: null, dropped: { worker: 'A', reason: 'token gone' } },
    ]);
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('what A brings while B works is dropped, too', async () => {
    const { lab, run, log, late, prompt } = await stall(open);
    late.open('from A');
    await log.heard.opened;
    expect(await lab.store.dropped(run.id)).toMatchObject([{ worker: 'A', reason: 'lease lost' }]);
    prompt.open('from B');
    await lab.settle();
    expect((await run.inspect()).output).toBe('from B');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });
});
