/**
 * Whole flows that are suspended and resumed while others do the same: whatever meets whatever,
 * what was said last becomes true of every instance, and nobody stays suspended by a word that is
 * gone (S-69).
 */
import { beforeEach, expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Act } from '../model/change.ts';
import { haltFor } from '../stores/halts.ts';
import { type Lab, onEveryStore, type OpenLab } from '../testing/lab.ts';
import { Questions } from '../testing/questions.ts';
import { Trap } from '../testing/trap.ts';
import {
  type Around,
  guardedStore,
  type StoreVerb,
  wrappedStore,
} from '../testing/wrapped-store.ts';
import { Engine } from './engine.ts';
import type { Run } from './run.ts';

const job = flow('job')
  .sleep('nap', '1d')
  .step('work', () => 'done')
  .end();
const quick = flow('quick')
  .step('work', () => 'done')
  .end();

async function startMany({ engine }: Lab, count: number): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (let n = 0; n < count; n += 1) runs.push(await engine.start(job, undefined as never));
  return runs;
}

function statuses(runs: readonly Run[]): Promise<readonly string[]> {
  return Promise.all(runs.map((run) => run.status()));
}

async function actsOn(run: Run): Promise<readonly Act[]> {
  const history = await run.history();
  return history.flatMap(({ changes }) =>
    changes.flatMap((change) => (change.did === 'act' ? [change.act] : [])),
  );
}

/** Another program on the same store, whose worker is dead: it does what it is told to. */
async function operatorBeside(lab: Lab, around?: Around): Promise<Lab> {
  const operator = await lab.beside([job, quick], around === undefined ? {} : { around });
  await operator.settle();
  operator.engine.parts.worker?.abandon();
  return operator;
}

async function minutes(lab: Lab, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute += 1) await lab.tick('1m');
}

onEveryStore('a process that has just begun', (open) => {
  const ran: string[] = [];
  const told = flow<string>('told')
    .step('work', ({ input }) => void ran.push(input))
    .end();
  beforeEach(() => {
    ran.length = 0;
  });

  test('begins nothing of a flow that was suspended long ago', async () => {
    const lab = await open([told]);
    await lab.engine.flows.suspend('told');
    await lab.tick('1h');
    const young = await lab.beside([told]);
    const runs = [await young.engine.start(told, 'a'), await young.engine.start(told, 'b')];
    await young.settle();
    expect([ran, await statuses(runs)]).toEqual([[], ['suspended', 'suspended']]);
  });

  test('runs no step of it either that others left behind', async () => {
    const lab = await open([told]);
    await lab.settle();
    lab.engine.parts.worker?.abandon();
    const run = await lab.engine.start(told, 'a');
    const word = { flow: 'told', version: 0, suspended: true, by: null, why: null };
    await lab.store.halts.put(word);
    const young = await lab.beside([told]);
    await young.settle();
    expect([ran, await run.status()]).toEqual([[], 'suspended']);
  });
});

onEveryStore('a flow that is suspended while someone else resumes it', (open) => {
  test('stays suspended, however slow the other is', async () => {
    const lab = await open([job]);
    const runs = await startMany(lab, 3);
    await lab.engine.flows.suspend('job');
    const trap = new Trap('commit');
    const other = await operatorBeside(lab, trap.around);
    trap.arm();
    const resuming = other.engine.flows.resume('job', undefined, { actor: 'ann' });
    await trap.sprung;
    await lab.engine.flows.suspend('job', undefined, { actor: 'bob' });
    trap.letGo();
    await resuming;
    expect(await lab.engine.flows.halts()).toMatchObject([{ suspended: true, by: 'bob' }]);
    expect(await statuses(runs)).toEqual(Array(3).fill('suspended'));
  });

  test('goes on if that was said last, however slow whoever suspends it is', async () => {
    const lab = await open([job]);
    const runs = await startMany(lab, 3);
    const trap = new Trap('commit');
    const other = await operatorBeside(lab, trap.around);
    trap.arm();
    const suspending = other.engine.flows.suspend('job');
    await trap.sprung;
    await lab.engine.flows.resume('job');
    trap.letGo();
    expect(await suspending).toEqual({ suspended: 0, resumed: 0 });
    expect(await lab.engine.flows.halts()).toEqual([]);
    expect(await statuses(runs)).toEqual(Array(3).fill('waiting'));
  });

  test('is as it was said last, also if both are in one process', async () => {
    const lab = await open([job]);
    const runs = await startMany(lab, 3);
    const { flows } = lab.engine;
    await Promise.all([flows.suspend('job'), flows.resume('job'), flows.suspend('job', 1)]);
    expect(await statuses(runs)).toEqual(Array(3).fill('suspended'));
    await Promise.all([flows.suspend('job'), flows.resume('job', 1), flows.resume('job')]);
    const isHalted = haltFor(await flows.halts(), 'job', 1)?.suspended === true;
    expect(await statuses(runs)).toEqual(Array(3).fill(isHalted ? 'suspended' : 'waiting'));
  });
});

onEveryStore('nobody stays suspended by a word that is gone', (open) => {
  test('not if a worker had read that word just before', async () => {
    const trap = new Trap('instances.find', 'answer');
    const lab = await open([job], { around: trap.around });
    const [run] = await startMany(lab, 1);
    const operator = await operatorBeside(lab);
    const word = { flow: 'job', version: 0, suspended: true, by: null, why: null };
    await lab.store.halts.put(word);
    trap.arm();
    const looking = lab.tick('6s');
    await trap.sprung;
    await operator.engine.flows.suspend('job');
    await operator.engine.flows.resume('job');
    trap.letGo();
    await looking;
    await minutes(lab, 2);
    expect(await lab.engine.flows.halts()).toEqual([]);
    expect(await run?.status()).toBe('waiting');
  });

  test('not if it began suspended, and its flow was resumed before that was written', async () => {
    const { lab, starting, letGo } = await slowStart(open);
    await lab.engine.flows.resume('quick');
    letGo();
    const run = await starting;
    expect([await lab.engine.flows.halts(), await run.status()]).toEqual([[], 'suspended']);
    await minutes(lab, 2);
    expect(await run.status()).toBe('completed');
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('not if every process that knew of it is gone', async () => {
    const { lab, starting, letGo } = await slowStart(open);
    await lab.engine.flows.resume('quick');
    lab.engine.parts.worker?.abandon();
    letGo();
    const run = await starting;
    const young = await lab.beside([quick]);
    await young.tick('1s');
    expect(await run.status()).toBe('completed');
  });

  test('not if a worker that claims it has not heard yet that its flow goes on', async () => {
    const lab = await open([quick]);
    const late = await lab.beside([quick]);
    await lab.engine.flows.suspend('quick');
    expect(await late.engine.flows.halts()).toHaveLength(1);
    await lab.engine.flows.resume('quick');
    lab.engine.parts.worker?.abandon();
    const run = await lab.engine.start(quick, undefined as never);
    await late.settle();
    expect(await run.status()).toBe('completed');
    expect(await run.history()).toHaveLength(2);
  });

  test('nor does one that is suspended by its own name go on', async () => {
    const lab = await open([job]);
    const [run] = await startMany(lab, 1);
    await run?.suspend();
    await minutes(lab, 3);
    expect(await run?.status()).toBe('suspended');
  });
});

/** A start that was told its flow is suspended, and is not written before it is let go. */
async function slowStart(open: OpenLab): Promise<{
  readonly lab: Lab;
  readonly starting: Promise<Run>;
  readonly letGo: () => void;
}> {
  const lab = await open([quick]);
  const trap = new Trap('commit');
  const api = new Engine(
    {
      store: guardedStore(wrappedStore(lab.store, { open: async () => {} }), trap.around),
      flows: [quick],
      worker: false,
    },
    { set: () => () => {} },
  );
  await api.open();
  await lab.engine.flows.suspend('quick');
  await lab.tick('2s');
  trap.arm();
  const starting = api.start(quick, undefined as never);
  await trap.sprung;
  return { lab, starting, letGo: () => trap.letGo() };
}

onEveryStore('whoever suspends or resumes a flow', (open) => {
  const ANN = { actor: 'ann', reason: 'audit' } as const;
  const BOB = { actor: 'bob', reason: 'over' } as const;

  test('is told how many are suspended with it and how many go on, whoever did it', async () => {
    const lab = await open([job]);
    const runs = await startMany(lab, 3);
    const traps = [new Trap('commit'), new Trap('commit')] as const;
    const around: Around = (verb, call) =>
      traps[0].around(verb, async () => traps[1].around(verb, call));
    const operator = await operatorBeside(lab, around);
    traps[0].arm();
    const suspending = operator.engine.flows.suspend('job', undefined, ANN);
    await traps[0].sprung;
    await lab.tick('6s');
    expect(await statuses(runs)).toEqual(Array(3).fill('suspended'));
    traps[0].letGo();
    expect(await suspending).toEqual({ suspended: 3, resumed: 0 });
    traps[1].arm();
    const resuming = operator.engine.flows.resume('job', undefined, BOB);
    await traps[1].sprung;
    await lab.tick('6s');
    expect(await statuses(runs)).toEqual(Array(3).fill('waiting'));
    traps[1].letGo();
    expect(await resuming).toEqual({ suspended: 0, resumed: 3 });
    for (const run of runs) {
      expect(await actsOn(run)).toEqual([
        { verb: 'suspend', by: 'ann', why: 'audit' },
        { verb: 'resume', by: 'bob', why: 'over' },
      ]);
    }
  });

  test('walks alone: the worker of the same process does not do the same beside', async () => {
    const trap = new Trap('commit');
    const asked: StoreVerb[] = [];
    const around: Around = (verb, call) => {
      asked.push(verb);
      return trap.around(verb, call);
    };
    const lab = await open([job], { around });
    await startMany(lab, 3);
    trap.arm();
    const suspending = lab.engine.flows.suspend('job', undefined, ANN);
    await trap.sprung;
    asked.length = 0;
    for (let n = 0; n < 3; n += 1) {
      lab.engine.parts.worker?.ringAll('work');
      await lab.pass('6s');
    }
    expect(asked).toContain('outlook');
    expect(asked.filter((verb) => verb === 'instances.find' || verb === 'commit')).toEqual([]);
    trap.letGo();
    expect(await suspending).toEqual({ suspended: 3, resumed: 0 });
  });

  test('asks for those of a page in one question, and not for each', async () => {
    const lab = await open([job]);
    await startMany(lab, 5);
    const questions = new Questions();
    const operator = await operatorBeside(lab, questions.around);
    questions.counts();
    await operator.engine.flows.suspend('job');
    expect(questions.counts()).toMatchObject({ load: 1, 'instances.find': 1 });
  });

  test('reaches the others although one of them cannot be read', async () => {
    const lab = await open([job]);
    const runs = await startMany(lab, 3);
    let isSpoilt = false;
    const operator = await operatorBeside(lab, async (verb, call) => {
      if (verb !== 'load' || isSpoilt) return call();
      isSpoilt = true;
      throw new EngineError('store.corrupt', 'a row of them all is not what it was');
    });
    expect(await operator.engine.flows.suspend('job')).toEqual({ suspended: 3, resumed: 0 });
    expect([isSpoilt, await statuses(runs)]).toEqual([true, Array(3).fill('suspended')]);
  });

  test('is heard at the next look of whoever starts others, also just after a word', async () => {
    const lab = await open([job, quick]);
    const operator = await operatorBeside(lab);
    await operator.engine.flows.suspend('job');
    await lab.tick('1s');
    await operator.engine.flows.suspend('quick');
    await lab.tick('2s');
    const run = await lab.engine.start(quick, undefined as never);
    await lab.settle();
    expect([await run.status(), (await run.history()).length]).toEqual(['suspended', 1]);
  });

  test('is told so if the engine closes before it is done, and others do the rest', async () => {
    const lab = await open([job]);
    const runs = await startMany(lab, 3);
    const trap = new Trap('commit');
    const operator = await operatorBeside(lab, trap.around);
    trap.arm();
    const suspending = operator.engine.flows.suspend('job');
    await trap.sprung;
    const closed = operator.engine.close();
    trap.letGo();
    await expect(suspending).rejects.toMatchObject({ code: 'engine.closed' });
    await closed;
    await lab.tick('6s');
    expect(await statuses(runs)).toEqual(Array(3).fill('suspended'));
  });
});
