/** E-09: activities that fail for good, and what their handlers may answer, on every store. */
import { expect, test } from 'vitest';
import type { FlowchartDefinition } from '../frontends/flowchart/definition.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import { outcome } from '../frontends/flowchart/results.ts';
import { dead, retry } from '../frontends/chain/results.ts';
import { isSound, mendable } from '../testing/fragile.ts';
import { begin, onEveryStore } from '../testing/lab.ts';

/** Two branches that meet; one of them breaks. */
function meeting(over: Partial<FlowchartDefinition> = {}): FlowchartDefinition {
  return {
    id: 'meeting',
    version: 1,
    activities: [
      { id: 'go', type: 'start' },
      { id: 'fine', type: 'fine' },
      { id: 'frail', type: 'frail' },
      { id: 'meet', type: 'meet' },
    ],
    connections: [
      { from: 'go', to: 'fine' },
      { from: 'go', to: 'frail' },
      { from: 'fine', to: 'meet' },
      { from: 'frail', to: 'meet' },
    ],
    ...over,
  };
}

onEveryStore('E-09: an activity that fails for good', (open) => {
  async function broken(over: Partial<FlowchartDefinition> = {}) {
    const { state, work } = mendable();
    const handlers = {
      fine: () => 'fine',
      frail: work,
      meet: ({ results }: { results: object }) => Object.keys(results).toSorted(),
    };
    const begun = await begin(open, flowchart(meeting(over)), { handlers, for: '1s' });
    return { ...begun, state };
  }

  test('keeps a flowchart that says so open; retried, it meets the other', async () => {
    const { lab, run, state } = await broken({ onFailure: 'incident' });
    const view = await run.inspect();
    expect(view.status).toBe('waiting');
    expect(view.incidents).toMatchObject([{ node: 'frail', fault: { code: 'machine.broken' } }]);
    expect(view.stalled).toBeNull();
    state.mended = true;
    await run.retry();
    await lab.settle();
    const output = { fine: 'fine', frail: 'worked', meet: ['fine', 'frail'] };
    expect(await run.result()).toEqual(output);
    await isSound(lab);
  });

  test('fails any other, which can be revived where it failed', async () => {
    const { lab, run, state } = await broken();
    expect((await run.inspect()).fault).toMatchObject({ code: 'machine.broken', node: 'frail' });
    expect(await run.status()).toBe('failed');
    state.mended = true;
    await run.revive();
    await lab.settle();
    expect(await run.result()).toMatchObject({ frail: 'worked', meet: ['fine', 'frail'] });
    await isSound(lab);
  });
});

onEveryStore('what a handler of an activity answers', (open) => {
  async function after(frail: unknown) {
    const only = { id: 'frail', type: 'frail', retry: { maxAttempts: 2, delay: '1s' } } as const;
    const chart = flowchart(meeting({ activities: [only], connections: [] }));
    let runs = 0;
    const work = (): unknown => {
      runs += 1;
      return frail;
    };
    const { run } = await begin(open, chart, { handlers: { frail: work }, for: '1h' });
    const { status, fault, output } = await run.inspect();
    return { runs, status, fault, output };
  }

  test('plain data is its result', async () => {
    expect(await after({ a: 1 })).toMatchObject({
      status: 'completed',
      output: { frail: { a: 1 } },
    });
    expect(await after(undefined)).toMatchObject({ output: { frail: null } });
  });

  test('so is the data of an outcome', async () => {
    expect(await after(outcome('Any', 7))).toMatchObject({ output: { frail: 7 } });
  });

  test('retry has it tried again, as often as its policy says', async () => {
    const { runs, status, fault } = await after(retry(null, 'busy'));
    expect([runs, status, fault?.message]).toEqual([2, 'failed', 'busy']);
  });

  test('dead does not', async () => {
    const { runs, status, fault } = await after(dead('no such order'));
    expect([runs, status, fault?.message]).toEqual([1, 'failed', 'no such order']);
  });

  test('outcomes that are none are a failure that says what was expected', async () => {
    const { runs, fault } = await after({ became: 'outcomes', outcomes: 'True', data: null });
    expect([runs, fault?.code]).toEqual([2, 'activity.bad-result']);
    expect(fault?.message).toBe('outcomes(…) takes a list of names; came "True"');
  });

  test('what is no JSON is one, too', async () => {
    expect((await after({ at: new Date(0) })).fault?.code).toBe('handler.result-not-json');
  });
});
