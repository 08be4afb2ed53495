/** Lone tokens (D11): what has cost workers their lives is claimed by itself. */
import { describe, expect, test } from 'vitest';
import type { Instant } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { CRASHES_LONE } from '../model/limits.ts';
import { type Bench, namesOf, type OpenBench, shown } from './store-bench.ts';
import { at, fenceOf, HANDLER, idOf, next, start, token, tokenId } from './store-commits.ts';

export function loneCases(open: OpenBench): void {
  const withTokens = async (...tokens: readonly Token[]): Promise<Bench> => {
    const bench = await open();
    await bench.given(start('a', { rows: { tokens } }));
    return bench;
  };

  describe('lone tokens', () => {
    claimingCases(withTokens);
    changingCases(withTokens);
  });
  describe('since when a lone token is due', () => {
    sinceCases(withTokens);
  });
}

type WithTokens = (...tokens: readonly Token[]) => Promise<Bench>;

function lone(id: number, fields: Partial<Token> = {}): Token {
  return token(id, { crashes: CRASHES_LONE, ...fields });
}

function claimingCases(withTokens: WithTokens): void {
  test('a lone token is left alone by those who claim as usual', async () => {
    const bench = await withTokens(lone(2), token(3), token(4, { crashes: CRASHES_LONE - 1 }));
    expect(namesOf(await bench.claim())).toEqual(['a.3', 'a.4']);
    expect(await bench.claim()).toEqual([]);
  });

  test('asked for, one is claimed like any token, and nothing else', async () => {
    const bench = await withTokens(token(2), lone(3), lone(4, { crashes: 9 }), token(5));
    bench.setTime(40);
    const claim = { instance: 'a', token: 3, version: 1, worker: 'ann', handler: HANDLER };
    const [first, ...more] = await bench.claim({ lone: true });
    expect(first).toEqual({ ...claim, at: at(40), until: at(1_040), instanceVersion: 1 });
    expect(more).toEqual([]);
    expect(namesOf(await bench.claim({ lone: true }))).toEqual(['a.4']);
    expect(await bench.claim({ lone: true })).toEqual([]);
    expect(namesOf(await bench.claim())).toEqual(['a.2', 'a.5']);
  });

  test.each([0, 1, 50])('it is one, also where the limit is %i', async (limit) => {
    const bench = await withTokens(lone(2), lone(3));
    expect(namesOf(await bench.claim({ lone: true, limit }))).toEqual(['a.2']);
  });

  test('the most urgent comes first, then what has been due longest', async () => {
    const bench = await withTokens(
      lone(2, { availableAt: at(10) }),
      lone(3, { availableAt: at(5), handler: 'other' }),
      lone(4, { availableAt: at(20), handler: 'other', priority: 1 }),
      lone(5, { availableAt: at(7) }),
    );
    bench.setTime(30);
    const order: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const request = { lone: true, handlers: [HANDLER, 'other', HANDLER] };
      order.push(...namesOf(await bench.claim(request)));
    }
    expect(order).toEqual(['a.4', 'a.3', 'a.5', 'a.2']);
  });

  test('one that is not due yet, or for another handler, is not claimed', async () => {
    const bench = await withTokens(
      lone(2, { availableAt: at(100), priority: 9 }),
      lone(3, { handler: 'other' }),
      lone(4, { availableAt: at(50) }),
    );
    expect(await bench.claim({ lone: true })).toEqual([]);
    expect(await bench.claim({ lone: true, handlers: [] })).toEqual([]);
    bench.setTime(50);
    expect(namesOf(await bench.claim({ lone: true }))).toEqual(['a.4']);
    bench.setTime(100);
    expect(namesOf(await bench.claim({ lone: true }))).toEqual(['a.2']);
  });

  test('claiming one by its version does not ask whether it is lone', async () => {
    const bench = await withTokens(lone(2));
    const one = { worker: 'ann', instance: idOf('a'), token: tokenId(2), version: 0, leaseMs: 500 };
    expect(await bench.store.claimOne(one)).toMatchObject({ version: 1 });
    expect(await bench.claim({ lone: true })).toEqual([]);
  });

  test('a hundred concurrent claims of one lone token have one winner', async () => {
    const bench = await withTokens(lone(2), token(3));
    const claims = await Promise.all(
      Array.from({ length: 100 }, (_, i) => bench.claim({ worker: `w${i}`, lone: true })),
    );
    expect(namesOf(claims.flat())).toEqual(['a.2']);
  });
}

function changingCases(withTokens: WithTokens): void {
  test('the crash that makes a token lone takes it from those who claim as usual', async () => {
    const bench = await withTokens(token(2, { crashes: CRASHES_LONE - 1 }));
    const claim = await bench.claimFirst();
    bench.setTime(1_001);
    const recovery = { fence: fenceOf(claim, { expired: true }), rows: { tokens: [lone(2)] } };
    await bench.given(next('a', 1, recovery));
    expect(await bench.claim()).toEqual([]);
    expect(namesOf(await bench.claim({ lone: true }))).toEqual(['a.2']);
  });

  test('one that is given back is lone still, and one that starts anew is not', async () => {
    const bench = await withTokens(lone(2));
    await bench.store.release(await bench.claim({ lone: true }));
    expect(await bench.claim()).toEqual([]);
    await bench.given(next('a', 1, { rows: { tokens: [token(2)] } }));
    expect(await bench.claim({ lone: true })).toEqual([]);
    expect(namesOf(await bench.claim())).toEqual(['a.2']);
  });

  test('one that ends cannot be claimed any more', async () => {
    const bench = await withTokens(lone(2), token(3));
    await bench.given(next('a', 1, { rows: { endedTokens: [tokenId(2)] } }));
    expect(await bench.claim({ lone: true })).toEqual([]);
    expect((await bench.outlook()).lone).toBeUndefined();
  });

  test('a lone token can be taken by the commit that makes it ready', async () => {
    const bench = await withTokens(token(2));
    const take = { worker: 'ann', leaseMs: 500, tokens: [tokenId(3)] };
    const outcome = await bench.commit(next('a', 1, { take, rows: { tokens: [lone(3)] } }));
    expect(outcome).toMatchObject({ taken: [{ token: 3, version: 1 }] });
    expect(await bench.claim({ lone: true })).toEqual([]);
  });
}

function sinceCases(withTokens: WithTokens): void {
  const since = async (bench: Bench, ...handlers: string[]): Promise<Instant | undefined> =>
    (await bench.outlook({ handlers: handlers.length === 0 ? [HANDLER] : handlers })).lone;

  test('without a lone token there is no moment', async () => {
    const bench = await withTokens(token(2), lone(3, { handler: 'other' }));
    expect(await since(bench)).toBeUndefined();
    expect(await bench.outlook({ handlers: [] })).toMatchObject({ lone: undefined });
    expect(await since(bench, 'other')).toBe(at(0));
  });

  test('it is told before it comes, and stays when it has passed', async () => {
    const bench = await withTokens(lone(3, { availableAt: at(40) }));
    expect(shown(await bench.outlook())).toEqual({ lone: at(40) });
    bench.setTime(50);
    expect(shown(await bench.outlook())).toEqual({ lone: at(40) });
    await bench.claim({ lone: true });
    expect(shown(await bench.outlook())).toEqual({ leases: at(1_051) });
  });

  test('it is when the one that waits longest became due, however urgent others are', async () => {
    const bench = await withTokens(
      lone(2, { availableAt: at(30), priority: 5 }),
      lone(3, { availableAt: at(20) }),
      lone(4, { availableAt: at(10), handler: 'other' }),
      lone(5, { availableAt: at(90), priority: 9 }),
      token(6),
    );
    bench.setTime(50);
    expect(await since(bench)).toBe(at(20));
    expect(await since(bench, HANDLER, 'other')).toBe(at(10));
  });

  test('what is claimed does not wait', async () => {
    const bench = await withTokens(lone(2), lone(3, { availableAt: at(1) }));
    bench.setTime(1);
    await bench.claim({ lone: true });
    expect(await since(bench)).toBe(at(1));
    await bench.claim({ lone: true });
    expect(await since(bench)).toBeUndefined();
  });

  test('it does not count as work for those who claim as usual', async () => {
    const bench = await withTokens(lone(2), token(3, { availableAt: at(70) }));
    bench.setTime(5);
    expect(shown(await bench.outlook())).toEqual({ lone: at(0), work: at(70) });
  });
}
