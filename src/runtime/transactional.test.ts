/** P4: what a transactional step does with its `tx` commits with its result, or not at all. */
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { clientOf } from '../stores/postgres/transactions.ts';
import type { Store, Transaction } from '../stores/store.ts';
import { Till } from '../testing/postgres-till.ts';
import { Gate } from '../testing/stage.ts';
import { wrappedStore } from '../testing/wrapped-store.ts';
import type { Run } from './run.ts';

const till = new Till();
beforeEach(() => till.open());
afterEach(() => till.close());
afterAll(() => till.drop());

const TRANSACTIONAL = { transactional: true } as const;

/** How an instance failed. */
async function faultOf(run: Run): Promise<{ code: string; message: string } | undefined> {
  const error: unknown = await run.result().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'instance.failed' });
  const { fault } = await run.inspect();
  return fault === null ? undefined : { code: fault.code, message: fault.message };
}

async function runsOf(job: Flow<null>): Promise<Run> {
  const engine = await till.engine([job]);
  return engine.start(job, null);
}

describe('a transactional step', () => {
  test('leaves its row and its result together', async () => {
    const [entered, gate] = [new Gate(), new Gate()];
    const job = flow<string>('job')
      .step(
        'put',
        async ({ tx, input }) => {
          const { rows } = await tx.query(`${till.put} returning entry`, [input]);
          entered.open();
          await gate.opened;
          return rows[0]?.['entry'] as string;
        },
        TRANSACTIONAL,
      )
      .step('after', async ({ results }) => [results.put, ...(await till.entries())])
      .end(({ results }) => results.after);
    const engine = await till.engine([job]);
    const run = await engine.start(job, 'a');
    await entered.opened;
    expect(await till.entries()).toEqual([]);
    expect((await run.history()).length).toBe(1);
    gate.open();
    expect(await run.result()).toEqual(['a', 'a']);
    expect(await till.entries()).toEqual(['a']);
    expect(till.log.lines).toEqual([]);
  });

  test('that throws leaves nothing, and is tried again as its policy says', async () => {
    const job = flow<null>('job')
      .step(
        'put',
        async ({ tx, attempt }) => {
          await tx.query(till.put, [`attempt ${attempt}`]);
          if (attempt < 3) throw new Error('not yet');
          return attempt;
        },
        { ...TRANSACTIONAL, retry: { maxAttempts: 3, delay: 1 } },
      )
      .end(({ results }) => results.put);
    expect(await (await runsOf(job)).result()).toBe(3);
    expect(await till.entries()).toEqual(['attempt 3']);
  });

  test('that throws for good leaves nothing', async () => {
    const job = flow<null>('job')
      .step(
        'put',
        async ({ tx }) => {
          await tx.query(till.put, ['a']);
          throw Object.assign(new Error('no'), { code: 'shop.closed' });
        },
        TRANSACTIONAL,
      )
      .end();
    expect(await faultOf(await runsOf(job))).toEqual({ code: 'shop.closed', message: 'no' });
    expect(await till.entries()).toEqual([]);
  });

  test('whose result cannot be kept leaves nothing', async () => {
    const job = flow<null>('job')
      .step(
        'put',
        async ({ tx }) => {
          await tx.query(till.put, ['a']);
          return 1n as never;
        },
        TRANSACTIONAL,
      )
      .end();
    expect(await faultOf(await runsOf(job))).toMatchObject({ code: 'handler.result-not-json' });
    expect(await till.entries()).toEqual([]);
  });

  test('that swallows an error of its transaction fails', async () => {
    const job = flow<null>('job')
      .step(
        'put',
        async ({ tx }) => {
          await tx.query(till.put, ['a']);
          await Promise.allSettled([tx.query('select 1 / 0')]);
        },
        TRANSACTIONAL,
      )
      .end();
    const fault = await faultOf(await runsOf(job));
    expect(fault?.code).toBe('handler.transaction-failed');
    expect(fault?.message).toContain('a statement of the transaction has failed');
    expect(await till.entries()).toEqual([]);
  });

  test('whose transaction is refused at its end fails, and is tried again', async () => {
    const client = await till.client();
    await client.query(`create table ${till.schema}.pair (
      id int primary key, other int references ${till.schema}.pair deferrable initially deferred)`);
    const attempts: number[] = [];
    const job = flow<null>('job')
      .step(
        'put',
        async ({ tx, attempt }) => {
          attempts.push(attempt);
          await tx.query(till.put, ['a']);
          await tx.query(`insert into ${till.schema}.pair values (1, 2)`);
        },
        { ...TRANSACTIONAL, retry: { maxAttempts: 2, delay: 1 } },
      )
      .end();
    const fault = await faultOf(await runsOf(job));
    expect(fault?.code).toBe('handler.transaction-failed');
    expect(fault?.message).toContain('foreign key');
    expect(attempts).toEqual([1, 2]);
    expect(await till.entries()).toEqual([]);
  });

  test.each(['commit', 'rollback'])('that ends its transaction itself (%s) fails', async (end) => {
    const job = flow<null>('job')
      .step('put', async ({ tx }) => void (await tx.query(end)), TRANSACTIONAL)
      .end();
    const fault = await faultOf(await runsOf(job));
    expect(fault?.code).toBe('handler.transaction-failed');
    expect(fault?.message).toContain('not in a transaction');
  });

  test('is undone in a transaction, too', async () => {
    const job = flow<null>('job')
      .step('put', async ({ tx }) => (await tx.query(till.put, ['done']), 7), {
        ...TRANSACTIONAL,
        undo: {
          do: async ({ tx, result, attempt }) => {
            await tx.query(till.put, [`undone ${result}, attempt ${attempt}`]);
            if (attempt === 1) throw new Error('not yet');
          },
          retry: { maxAttempts: 2, delay: 1 },
        },
      })
      .fail('stop', { code: 'stop', message: 'enough' })
      .end();
    const run = await runsOf(job);
    expect(await faultOf(run)).toMatchObject({ code: 'stop' });
    expect((await run.inspect()).outcome).toBe('compensated');
    expect(await till.entries()).toEqual(['done', 'undone 7, attempt 2']);
  });

  test('starts instances and publishes messages of its own', async () => {
    const heard = flow<string>('heard')
      .waitFor('go', { event: 'go', key: 'k' })
      .step(
        'put',
        async ({ tx, input, results }) => {
          await tx.query(till.put, [`${input} ${Number(results.go)}`]);
        },
        TRANSACTIONAL,
      )
      .end();
    const tell = flow<null>('tell')
      .step(
        'tell',
        async ({ tx, attempt }) => {
          const { id } = await engine.start(heard, `attempt ${attempt}`, { tx });
          await engine.publish({ type: 'go', key: 'k', data: attempt }, { tx });
          if (attempt === 1) throw new Error('not yet');
          return id;
        },
        { ...TRANSACTIONAL, retry: { maxAttempts: 2, delay: 1 } },
      )
      .end(({ results }) => results.tell);
    const engine = await till.engine([tell, heard]);
    const id = await (await engine.start(tell, null)).result();
    await (await engine.get(id))?.result();
    expect(await till.entries()).toEqual(['attempt 2 2']);
    expect(await engine.check()).toMatchObject({ ok: true, instances: 2 });
  });
});

describe('a handler', () => {
  test('has no tx unless its step is transactional', async () => {
    const job = flow<null>('job')
      .step('put', ({ tx }) => void tx)
      .end();
    const fault = await faultOf(await runsOf(job));
    expect(fault?.code).toBe('handler.no-transaction');
    expect(fault?.message).toContain('transactional: true');
  });

  test('has none any more once it has returned', async () => {
    const late: Record<string, () => unknown> = {};
    const job = flow<null>('job')
      .step(
        'put',
        (context) => {
          const { tx } = context;
          late['by its context'] = () => context.tx;
          late['by its tx'] = () => tx.query(till.put, ['late']);
          return tx.query(till.put, ['in time']).then(() => 1);
        },
        TRANSACTIONAL,
      )
      .end();
    await (await runsOf(job)).result();
    expect(late['by its context']).toThrow('while the handler of a step');
    await expect(late['by its tx']?.()).rejects.toThrow('the transaction is over');
    expect(await till.entries()).toEqual(['in time']);
  });

  test('may have its tx as the client of pg it is', async () => {
    const job = flow<null>('job')
      .step(
        'put',
        async ({ tx }) => {
          const client = clientOf(tx);
          const { rowCount } = await client.query({ text: till.put, values: ['a'] });
          // Libraries that think it is theirs give it back.
          client.release();
          expect(client.getTransactionStatus()).toBe('T');
          return rowCount;
        },
        TRANSACTIONAL,
      )
      .end(({ results }) => results.put);
    expect(await (await runsOf(job)).result()).toBe(1);
    expect(() => clientOf({ query: async () => ({ rows: [] }) })).toThrow('no client of pg');
  });
});

describe('steps side by side', () => {
  /** Before the first commit of a transaction something else happens. */
  function hindered(store: Store, hinder: () => Promise<void>): Store {
    const begin = async (): Promise<Transaction> => {
      const transaction = await store.begin();
      const commit: Transaction['commit'] = async (commit) => {
        await hinder();
        return transaction.commit(commit);
      };
      return {
        tx: transaction.tx,
        commit,
        publish: (message) => transaction.publish(message),
        end: () => transaction.end(),
        cancel: () => transaction.cancel(),
      };
    };
    return wrappedStore(store, { begin });
  }

  test('that get ahead of each other are worked out again, and run once', async () => {
    const gates = [new Gate<number>(), new Gate<number>()];
    let commits = 0;
    let ran = 0;
    const job = flow<null>('job')
      .parallel('both', {
        plain: (b) => b.step('plain', () => gates[0]?.opened ?? 0),
        put: (b) =>
          b.step(
            'put',
            async ({ tx }) => {
              ran += 1;
              await tx.query(till.put, ['a']);
            },
            TRANSACTIONAL,
          ),
      })
      .step('after', () => gates[1]?.opened ?? 0)
      .end();
    // The plain one is committed between reading the instance and locking it.
    const hinder = async (): Promise<void> => {
      commits += 1;
      if (commits > 1) return;
      gates[0]?.open(1);
      while ((await run.history()).length < 2) continue;
    };
    const engine = await till.engine([job], { wrap: (store) => hindered(store, hinder) });
    const run = await engine.start(job, null);
    gates[1]?.open(1);
    await run.result();
    expect([commits, ran]).toEqual([2, 1]);
    expect(await till.entries()).toEqual(['a']);
    expect(await engine.check()).toMatchObject({ ok: true });
  });

  test('of one instance commit at the same time, each once', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `s${n}`);
    const ran: string[] = [];
    const job = flow<null>('job')
      .parallel(
        'all',
        Object.fromEntries(
          names.map((name) => [
            name,
            (b) =>
              b.step(
                name,
                async ({ tx }) => {
                  ran.push(name);
                  await tx.query(till.put, [name]);
                },
                TRANSACTIONAL,
              ),
          ]),
        ),
      )
      .end();
    const run = await runsOf(job);
    await run.result();
    expect(ran.toSorted()).toEqual(names.toSorted());
    expect((await till.entries()).toSorted()).toEqual(names.toSorted());
    expect(till.log.lines).toEqual([]);
  });

  test('are more than there are connections, and nobody starves', async () => {
    const job = flow<number>('job')
      .step(
        'put',
        async ({ tx, input }) => {
          await tx.query(till.put, [`${input}`]);
          // Whoever else needs a connection of the pool meanwhile gets one.
          await engine.publish({ type: 'noise', key: 'k', id: `m${input}` });
          return input;
        },
        { ...TRANSACTIONAL, timeout: '10s' },
      )
      .end(({ results }) => results.put);
    const engine = await till.engine([job], { poolSize: 5, worker: { concurrency: 64 } });
    const inputs = Array.from({ length: 64 }, (_, n) => n);
    const runs = await Promise.all(inputs.map((input) => engine.start(job, input)));
    expect(await Promise.all(runs.map((run) => run.result()))).toEqual(inputs);
    expect((await till.entries()).map(Number).toSorted((a, b) => a - b)).toEqual(inputs);
    expect(till.log.lines).toEqual([]);
  });
});
