/** What an engine tells of itself, to whoever observes it. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { onEveryStore, type Lab } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import { Fatal } from './fatal.ts';
import type { Measurement } from './measuring.ts';

type Of<What extends Measurement['what']> = Extract<Measurement, { what: What }>;

/** Keeps what it is told. */
class Ledger {
  readonly all: Measurement[] = [];
  readonly listener = (measurement: Measurement): void => void this.all.push(measurement);

  of<What extends Measurement['what']>(what: What): readonly Of<What>[] {
    return this.all.filter((each): each is Of<What> => each.what === what);
  }
}

function observed({ engine }: Pick<Lab, 'engine'>): Ledger {
  const ledger = new Ledger();
  engine.observe(ledger.listener);
  return ledger;
}

const order = flow<null>('order')
  .step('pay', () => 'paid')
  .sleep('nap', '1h')
  .step('ship', () => 'sent')
  .end();

onEveryStore('what is measured', (open) => {
  test('of an instance: that it began, and how it ended after how long', async () => {
    const lab = await open([order]);
    const ledger = observed(lab);
    await lab.engine.start(order, null, { tenant: 'acme' });
    await lab.advance('2h');
    const which = { flow: 'order', version: 1, tenant: 'acme' };
    expect(ledger.of('instance-started')).toEqual([{ what: 'instance-started', ...which }]);
    expect(ledger.of('instance-ended')).toEqual([
      { what: 'instance-ended', ...which, status: 'completed', ms: 3_600_000 },
    ]);
  });

  test('of commits: each of them, and those that went together', async () => {
    const lab = await open([order]);
    const ledger = observed(lab);
    const run = await lab.engine.start(order, null);
    await lab.advance('2h');
    const commits = ledger.of('commit');
    const changes = (await run.history()).map((entry) => entry.changes.length);
    expect(commits.map((commit) => commit.changes)).toEqual(changes);
    expect(commits).toEqual(
      commits.map(() => expect.objectContaining({ flow: 'order', outcome: 'committed' })),
    );
    const together = ledger.of('batch').reduce((sum, batch) => sum + batch.commits, 0);
    expect(together).toBe(commits.length);
    for (const { ms } of [...commits, ...ledger.of('batch')]) expect(ms).toBeGreaterThanOrEqual(0);
  });

  test('of steps: how each execution ended, and how long it had to wait for its turn', async () => {
    let isOpen = false;
    const job = flow('job')
      .step('work', () => (isOpen ? 'done' : Promise.reject(new Error('closed'))), {
        retry: { maxAttempts: 2, delay: '10s' },
      })
      .step('break', () => Promise.reject(new Fatal('no')))
      .end();
    const lab = await open([job]);
    const ledger = observed(lab);
    await lab.engine.start(job, null);
    await lab.settle();
    isOpen = true;
    await lab.tick('15s');
    await lab.settle();
    const told = ledger.of('step').map((each) => [each.node, each.attempt, each.outcome]);
    expect(told).toEqual([
      ['work', 1, 'retry'],
      ['work', 2, 'done'],
      ['break', 1, 'failed'],
    ]);
    // It could have begun after ten seconds, and nobody looked before fifteen.
    expect(ledger.of('step').map(({ queuedMs }) => queuedMs)).toEqual([0, 5_000, 0]);
    expect(ledger.of('retry')).toEqual([
      { what: 'retry', flow: 'job', node: 'work', attempt: 1, waitMs: 10_000 },
    ]);
  });

  test('of a time: how late it was acted on', async () => {
    const lab = await open([order]);
    const ledger = observed(lab);
    await lab.engine.start(order, null);
    await lab.settle();
    await lab.tick(3_600_000 + 7_000);
    await lab.settle();
    expect(ledger.of('timer')).toEqual([
      { what: 'timer', flow: 'order', node: 'nap', lagMs: 7_000 },
    ]);
  });

  test('of messages: what came of each, and each delivery', async () => {
    const job = flow<null>('job').waitFor('paid', { event: 'paid' }).end();
    const lab = await open([job]);
    const ledger = observed(lab);
    await lab.engine.publish({ type: 'paid', key: 'late', id: 'm1' });
    await lab.engine.publish({ type: 'paid', key: 'late', id: 'm1' });
    await lab.engine.start(job, null, { key: 'k' });
    await lab.engine.publish({ type: 'paid', key: 'k' });
    await lab.engine.start(job, null, { key: 'late' });
    await lab.settle();
    const outcomes = ledger.of('message').map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['buffered', 'duplicate', 'delivered', 'woken', 'delivered']);
  });

  test('of a worker that died: that its work was taken back', async () => {
    let runs = 0;
    const job = flow('job')
      .step('work', () => {
        runs += 1;
        return runs === 1 ? new Gate<string>().opened : 'done';
      })
      .end();
    const lab = await open([job]);
    const ledger = observed(lab);
    await lab.engine.start(job, null);
    await lab.tick(0);
    lab.crash();
    await lab.advance('1m');
    expect(ledger.of('lease-recovered')).toEqual([
      { what: 'lease-recovered', flow: 'job', node: 'work' },
    ]);
  });

  test('of letters: each attempt', async () => {
    const job = flow<null>('job').emit('tell', { type: 'news', data: 1 }, { outbox: true }).end();
    let sends = 0;
    const send = () => (++sends === 1 ? Promise.reject(new Error('away')) : undefined);
    const lab = await open([job], { outbox: send });
    const ledger = observed(lab);
    await lab.engine.start(job, null);
    await lab.advance('1h');
    expect(ledger.of('letter').map(({ type, outcome }) => [type, outcome])).toEqual([
      ['news', 'failed'],
      ['news', 'sent'],
    ]);
  });

  test('of a result that came too late: that it was dropped, and why', async () => {
    const gate = new Gate<string>();
    const job = flow('job')
      .step('work', () => gate.opened)
      .end();
    const lab = await open([job]);
    const ledger = observed(lab);
    const run = await lab.engine.start(job, null);
    await lab.tick(0);
    await run.cancel();
    gate.open('late');
    await lab.settle();
    expect(ledger.of('dropped')).toHaveLength(1);
    expect(ledger.of('instance-ended')).toMatchObject([{ status: 'canceled' }]);
  });
});

describe('a claim that somebody else has by now', () => {
  test('is told of when it is to be renewed', async () => {
    const world = new World();
    const gate = new Gate<string>();
    const job = flow('job')
      .step('work', () => gate.opened)
      .end();
    const engine = await world.open([job]);
    const ledger = observed({ engine });
    const run = await engine.start(job, null);
    const other = await world.open([job], { worker: false });
    await (await other.get(run.id))?.cancel();
    await world.passSeconds(5);
    expect(ledger.of('lease-lost')).toEqual([{ what: 'lease-lost', where: 'renewing' }]);
    gate.open('late');
    await other.close();
    await engine.close();
  });
});

describe('whoever observes', () => {
  test('is told nothing more once it has ended that', async () => {
    const world = new World();
    const engine = await world.open([order]);
    const ledger = new Ledger();
    const end = engine.observe(ledger.listener);
    end();
    end();
    await engine.start(order, null);
    await engine.close();
    expect(ledger.all).toEqual([]);
  });

  test('and throws, or rejects, harms nobody, and is spoken of once', async () => {
    const world = new World();
    const engine = await world.open([order]);
    engine.observe(() => {
      throw new Error('a listener');
    });
    engine.observe((): unknown => Promise.reject(new Error('a listener that is async')));
    const ledger = observed({ engine });
    const run = await engine.start(order, null);
    await world.pass(0);
    await world.pass('1h');
    expect(await run.result()).toEqual({ pay: 'paid', ship: 'sent' });
    await engine.close();
    expect(ledger.of('instance-ended')).toHaveLength(1);
    const complaints = world.log.lines.filter(({ message }) => message.includes('observe'));
    expect(complaints).toMatchObject([{ level: 'warn', details: { error: 'Error: a listener' } }]);
  });

  test('is told of this engine alone', async () => {
    const world = new World();
    const [here, there] = [await world.open([order]), await world.open([order])];
    const [ours, theirs] = [observed({ engine: here }), observed({ engine: there })];
    await here.start(order, null);
    await world.pass(0);
    expect(ours.of('instance-started')).toHaveLength(1);
    expect(theirs.of('instance-started')).toEqual([]);
    await here.close();
    await there.close();
  });

  test('cannot observe what is closed', async () => {
    const engine = await new World().open([]);
    await engine.close();
    expect(() => engine.observe(() => {})).toThrow('the engine is closed');
  });
});

test('what a handler logs says of which instance, flow and node it is', async () => {
  const world = new World();
  const job = flow('job')
    .step('work', ({ log }) => log.info('at work', { rows: 3 }))
    .end();
  const engine = await world.open([job]);
  const run = await engine.start(job, null);
  await run.result();
  await engine.close();
  expect(world.log.lines).toMatchObject([
    {
      message: 'at work',
      details: {
        ...{ instance: run.id, flow: 'job', node: 'work', handler: 'job@1/work', rows: 3 },
        token: expect.any(Number),
      },
    },
  ]);
});
