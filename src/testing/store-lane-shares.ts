/** A lane that is for all, and tenants in it: they take turns, whatever each has waiting. */
import { describe, expect, test } from 'vitest';
import type { Token } from '../model/instance.ts';
import type { Lane } from '../model/lane.ts';
import { SHARES_AT_ONCE, UNSERVED_MS } from '../stores/lane-asks.ts';
import { tenantLane } from '../stores/lanes.ts';
import type { Commit } from '../stores/store.ts';
import { type Bench, namesOf, type OpenBench, shown } from './store-bench.ts';
import { idOf, resume, suspend, token, HANDLER } from './store-commits.ts';
import { atOnce, begun, ended, lane, letThrough, OTHER, taken } from './store-lane-commits.ts';

export function laneShareCases(open: OpenBench): void {
  describe('tenants in a lane that is for all', () => {
    turnCases(open);
    narrowCases(open);
    keepingCases(open);
  });
}

/** Named after its tenant, and after which of its it is. */
function of(name: string, lanes: readonly Lane[], fields: Partial<Token> = {}): Commit {
  const tenant = name.slice(0, 1);
  return begun(name, [token(2, { lanes, ...fields })], { head: { tenant } });
}

/** Each is at work and ends before the next begins; the order in which they were. */
async function oneByOne(bench: Bench, most = 100): Promise<string> {
  const order: string[] = [];
  for (let [claim] = await taken(bench); claim !== undefined && order.length < most; ) {
    order.push(claim.instance);
    await bench.given(ended(claim.instance, claim));
    await letThrough(bench, { lanes: [tenantLane(claim.instance.slice(0, 1), HANDLER)] });
    [claim] = await taken(bench);
  }
  return order.join(' ');
}

function turnCases(open: OpenBench): void {
  test('come one after the other, those of each by their age', async () => {
    const bench = await open();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) {
      await bench.given(of(name, atOnce(1)));
    }
    expect(await oneByOne(bench)).toBe('a1 b1 c1 a2 b2 a3 a4');
    expect(await bench.store.lanes.list(null, 9)).toEqual([]);
    expect(shown(await bench.outlook())).toEqual({});
  });

  test('let one through that comes late after no more than one of each', async () => {
    const bench = await open();
    const flood = Array.from({ length: 300 }, (_, n) => `a${`${n}`.padStart(3, '0')}`);
    await bench.store.commit(flood.map((name) => of(name, atOnce(2))));
    const [first, second] = await taken(bench);
    await bench.given(of('b', atOnce(2)));
    await bench.given(ended(first?.instance ?? '', first));
    expect(namesOf(await taken(bench))).toEqual(['b.2']);
    await bench.given(ended(second?.instance ?? '', second));
    expect(namesOf(await taken(bench))).toEqual(['a002.2']);
  });

  test('take turns also where several begin at once', async () => {
    const bench = await open();
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1', 'c2']) {
      await bench.given(of(name, atOnce(5)));
    }
    const names = namesOf(await taken(bench)).toSorted();
    expect(names).toEqual(['a1.2', 'a2.2', 'b1.2', 'b2.2', 'c1.2']);
  });

  test('whatever has no tenant is one of them', async () => {
    const bench = await open();
    const alone = (name: string): Commit => begun(name, [token(2, { lanes: atOnce(1) })]);
    for (const name of ['a1', 'a2', 'a3']) await bench.given(of(name, atOnce(1)));
    for (const name of ['x1', 'x2']) await bench.given(alone(name));
    expect(await oneByOne(bench)).toBe('a1 x1 a2 x2 a3');
  });

  test('have the most urgent of each first, and nobody goes before others by it', async () => {
    const bench = await open();
    for (const name of ['a1', 'a2', 'a3']) {
      await bench.given(of(name, atOnce(1), { priority: name === 'a1' ? 7 : 9 }));
    }
    for (const name of ['b1', 'b2']) await bench.given(of(name, atOnce(1)));
    expect(await oneByOne(bench)).toBe('a2 b1 a3 b2 a1');
  });

  test('take turns under a limit per time', async () => {
    const bench = await open();
    const rated = [lane('flow:order', null, { max: 2, perMs: 1_000 })];
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) await bench.given(of(name, rated));
    const seen: string[] = [];
    for (let second = 0; second < 3; second += 1) {
      bench.setTime(second * 1_000);
      seen.push(
        namesOf(await taken(bench))
          .toSorted()
          .join(' '),
      );
    }
    expect(seen).toEqual(['a1.2 b1.2', 'a2.2 b2.2', 'a3.2']);
  });

  test('take turns though there are more than are looked at in one go', async () => {
    const bench = await open();
    const many = SHARES_AT_ONCE * 2 + 5;
    const names = Array.from({ length: many }, (_, n) => `t${`${n}`.padStart(3, '0')}`);
    const commits = names.flatMap((tenant) =>
      ['x', 'y'].map((which) =>
        begun(`${tenant}${which}`, [token(2, { lanes: atOnce(1) })], { head: { tenant } }),
      ),
    );
    await bench.store.commit(commits);
    const order = (await oneByOne(bench, many)).split(' ');
    expect(new Set(order.map((name) => name.slice(0, 4))).size).toBe(many);
  });

  test('go on to wait in the other lane where the first has room, and take turns', async () => {
    const bench = await open();
    const both = (step: string): readonly Lane[] => [lane('flow:order', 1), lane(step, 9)];
    for (const name of ['a1', 'a2', 'b1']) await bench.given(of(name, both('step:order/x')));
    await bench.given(of('b2', both('step:order/y')));
    expect(await oneByOne(bench)).toBe('a1 b1 a2 b2');
  });
}

/** One after the other ends, and whoever is let through then is at work; who came, in order. */
async function inPlaces(bench: Bench, most: number): Promise<string[]> {
  const atWork = await taken(bench);
  const order = atWork.map(({ instance }) => String(instance));
  while (order.length < most) {
    const claim = atWork.shift();
    if (claim === undefined) break;
    await bench.given(ended(claim.instance, claim));
    const next = await taken(bench);
    order.push(...next.map(({ instance }) => String(instance)));
    atWork.push(...next);
  }
  return order;
}

function narrowCases(open: OpenBench): void {
  const numbered = (of: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, n) => `${of}${`${n}`.padStart(3, '0')}`);

  test.each([
    ['of a tenant', true],
    ['of a value, without tenants', false],
  ])('the flood %s takes turns also before its own lane', async (_what, hasTenants) => {
    const bench = await open();
    const under = (name: string): Commit => {
      const sharer = name.slice(0, 1);
      const lanes = [lane(`flow:order=${sharer}`, 2), lane('step:order/work', 4)];
      const head = hasTenants ? { tenant: sharer } : {};
      return begun(name, [token(2, { lanes })], { head });
    };
    await bench.store.commit([...numbered('a', 30), ...numbered('b', 30)].map(under));
    const before = await taken(bench);
    expect(before).toHaveLength(4);
    await bench.given(under('c'), under('d'));
    await letThrough(bench);
    const order: string[] = [];
    for (const claim of before) {
      await bench.given(ended(claim.instance, claim));
      order.push(...(await taken(bench)).map(({ instance }) => String(instance).slice(0, 1)));
    }
    expect(order.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    expect(order.slice(0, 2)).toContain('c');
  });

  test('the flood of a value does not stand before others whatever else it waits for', async () => {
    const bench = await open();
    const under = (name: string): Commit => {
      const [value, step] = [name.slice(0, 1), name.slice(1, 2)];
      const own = [lane(`flow:order=${value}`, 2), lane('step:order/x', 2)];
      return begun(name, [token(2, { lanes: step === 'x' ? own : own.slice(0, 1) })]);
    };
    await bench.store.commit([...numbered('ax', 40), ...numbered('bx', 40)].map(under));
    await bench.given(under('cx'), under('cy'));
    const order = await inPlaces(bench, 12);
    expect(order.slice(0, 6)).toEqual(expect.arrayContaining(['cx', 'cy']));
  });
}

function keepingCases(open: OpenBench): void {
  test('are shown as those who wait in the lane, and who is before them of their own', async () => {
    const bench = await open();
    for (const name of ['a1', 'a2', 'a3', 'b1']) await bench.given(of(name, atOnce(1)));
    await taken(bench);
    const { lanes } = bench.store;
    const shownLane = { name: 'step:order/work', concurrency: 1, rate: null };
    expect((await lanes.list(null, 9))[0]).toEqual({ ...shownLane, atWork: 1, waiting: 3 });
    expect(await lanes.heldOf(idOf('a3'))).toEqual([
      { token: 2, lane: 'step:order/work', ahead: 1 },
    ]);
    expect(await lanes.heldOf(idOf('b1'))).toEqual([
      { token: 2, lane: 'step:order/work', ahead: 0 },
    ]);
  });

  test('are passed over while they are suspended, and take their turn again', async () => {
    const bench = await open();
    for (const name of ['a1', 'a2', 'b1']) await bench.given(of(name, atOnce(1)));
    const [a1] = await taken(bench);
    await bench.given(suspend('b1', 1));
    await bench.given(ended('a1', a1));
    const [a2] = await taken(bench);
    expect(a2?.instance).toBe('a2');
    await bench.given(resume('b1', 2, 2));
    await bench.given(ended('a2', a2));
    expect(namesOf(await taken(bench))).toEqual(['b1.2']);
  });

  test('make room for others where nobody has the handler of one', async () => {
    const bench = await open();
    for (const name of ['a1', 'a2', 'b1']) {
      await bench.given(of(name, atOnce(1), { handler: OTHER }));
    }
    await bench.given(of('c1', atOnce(1)));
    await letThrough(bench);
    bench.setTime(UNSERVED_MS);
    const ours = { handlers: [] };
    await letThrough(bench, ours);
    expect(namesOf(await bench.claim())).toEqual(['c1.2']);
    const [first] = await bench.store.lanes.list(null, 9);
    expect(first).toMatchObject({ name: 'step:order/work', atWork: 1, waiting: 0 });
  });
}
