/** People at the same task at the same moment, in several processes: nothing is lost or doubled. */
import { expect, test } from 'vitest';
import type { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { isSound, tokenAt } from '../testing/fragile.ts';
import { begin, onEveryStore } from '../testing/lab.ts';
import { type Loss, losingStore } from '../testing/outage.ts';
import { settled } from '../testing/stage.ts';
import { World } from '../testing/world.ts';
import type { Run } from './run.ts';

const yes = { decision: 'approve' } as const;

/** How many of them came about. */
function done(came: readonly PromiseSettledResult<unknown>[]): number {
  return came.filter(({ status }) => status === 'fulfilled').length;
}

onEveryStore('at the same moment', (open) => {
  test('O-66: all who have a say have it, whatever process they are in', async () => {
    const approvers = Array.from({ length: 40 }, (_, n) => `p${n}`);
    const ran: string[] = [];
    const asked = flow('asked')
      .approve('release', { approvers, rule: 'unanimous' })
      .step('after', () => ran.push('after'))
      .end(({ results }) => results.release) as Flow;
    const { lab, run } = await begin(open, asked);
    const others = [await lab.beside([asked]), await lab.beside([])];
    const id = `${run.id}:${await tokenAt(run, 'release')}`;
    const engines = [lab, ...others].map(({ engine }) => engine);
    await Promise.all(
      approvers.map((actor, n) =>
        (engines[n % 3] ?? lab.engine).tasks.decide(id, { actor, ...yes }),
      ),
    );
    for (const each of [...others, lab]) await each.settle();
    const { output } = await run.inspect();
    const { votes, decision } = output as { votes: readonly unknown[]; decision: string };
    expect([decision, votes.length, ran]).toEqual(['approve', 40, ['after']]);
    await isSound(lab);
    for (const each of others) await each.close();
  });

  test('O-88: two sibling approvals both land, and the join fires once', async () => {
    const ran: string[] = [];
    const siblings = flow('siblings')
      .parallel('fork', {
        left: (b) => b.approve('money', { approvers: ['fin'] }),
        right: (b) => b.approve('law', { approvers: ['legal'] }),
      })
      .step('after', () => ran.push('after'))
      .end() as Flow;
    const { lab, run } = await begin(open, siblings);
    const other = await lab.beside([siblings]);
    const [money, law] = [await tokenAt(run, 'money'), await tokenAt(run, 'law')];
    await Promise.all([
      lab.engine.tasks.decide(`${run.id}:${money}`, { actor: 'fin', ...yes }),
      other.engine.tasks.decide(`${run.id}:${law}`, { actor: 'legal', ...yes }),
    ]);
    await other.settle();
    await lab.settle();
    expect([await run.status(), ran]).toEqual(['completed', ['after']]);
    await isSound(lab);
    await other.close();
  });

  test('one of those who claim a task has it, and one of those who complete it', async () => {
    const ran: unknown[] = [];
    const filled = flow('filled')
      .task('fill', { candidates: ['a', 'b', 'c', 'd'] })
      .step('after', ({ results }) => ran.push(results.fill))
      .end() as Flow;
    const { lab, run } = await begin(open, filled);
    const other = await lab.beside([filled]);
    const id = `${run.id}:${await tokenAt(run, 'fill')}`;
    const engines = [lab.engine, other.engine];
    const people = ['a', 'b', 'c', 'd'];
    const claims = people.map((who, n) => (engines[n % 2] ?? lab.engine).tasks.claim(id, who));
    const claimed = await Promise.allSettled(claims);
    expect(done(claimed)).toBe(1);
    const owner = people[claimed.findIndex(({ status }) => status === 'fulfilled')] ?? '';
    const completed = await Promise.allSettled(
      [1, 2, 3, 4].map((n) => (engines[n % 2] ?? lab.engine).tasks.complete(id, n, owner)),
    );
    expect(done(completed)).toBe(1);
    const winner = completed.findIndex(({ status }) => status === 'fulfilled') + 1;
    await other.settle();
    await lab.settle();
    expect([await run.status(), ran]).toEqual(['completed', [winner]]);
    await isSound(lab);
    await other.close();
  });

  test('a decision and a cancellation: either, and not both', async () => {
    const asked = flow('asked')
      .approve('release', { approvers: ['fin'] })
      .sleep('rest', '1d')
      .end();
    const { lab, run } = await begin(open, asked);
    const other = await lab.beside([asked]);
    const id = `${run.id}:${await tokenAt(run, 'release')}`;
    const there = (await other.engine.get(run.id)) as Run;
    const [decided, canceled] = await Promise.allSettled([
      lab.engine.tasks.decide(id, { actor: 'fin', ...yes }),
      there.cancel(),
    ]);
    await lab.settle();
    expect(canceled.status).toBe('fulfilled');
    expect(await run.status()).toBe('canceled');
    const late = decided.status === 'rejected' ? [(decided.reason as EngineError).code] : [];
    expect(late.filter((code) => code !== 'task.not-found')).toEqual([]);
    const entries = (await run.history()).flatMap(({ changes }) =>
      changes.filter(({ did }) => did === 'alter-task'),
    );
    expect(entries).toHaveLength(decided.status === 'fulfilled' ? 1 : 0);
    expect(await lab.engine.tasks.get(id)).toBeUndefined();
    await isSound(lab);
    await other.close();
  });
});

test.each<Loss>(['before', 'after'])(
  'a decision whose answer was lost, %s it came about, is taken once',
  async (loss) => {
    const ran: string[] = [];
    const asked = flow('asked')
      .approve('release', { approvers: ['fin', 'legal'], rule: 'unanimous' })
      .step('after', () => ran.push('after'))
      .end(({ results }) => results.release);
    const world = new World();
    const losses = new Set([2, 3]);
    const store = losingStore(world.store, (nth) => (losses.has(nth) ? loss : undefined));
    const engine = await world.open([asked], { store, worker: { id: 'A' } });
    const run = await engine.start(asked, undefined as never);
    await settled();
    const [token] = await run.tokens();
    const id = `${run.id}:${token?.id}`;
    for (const actor of ['fin', 'legal']) {
      const decided = engine.tasks.decide(id, { actor, ...yes });
      await world.passSeconds(5);
      await decided;
    }
    await world.passSeconds(5);
    expect(await run.result()).toMatchObject({ votes: [{ actor: 'fin' }, { actor: 'legal' }] });
    expect(ran).toEqual(['after']);
  },
);
