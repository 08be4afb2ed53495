/** The watch: what is held, what is running out, and what nobody wants renewed any more. */
import { describe, expect, test } from 'vitest';
import { idOf, tokenId } from '../testing/store-commits.ts';
import { Watch, type Watched } from './watch.ts';

const LEASE_MS = 600;
/** The first moment at which less than half of the lease is left. */
const LATE = 301;

function claimOf(name: string, fields: Partial<Watched> = {}): Watched {
  const claim = { instance: idOf(name), token: tokenId(2), version: 1, worker: 'ann' };
  return { ...claim, leaseMs: LEASE_MS, ...fields };
}

/** Claimed at moment 0. */
function watchWith(...claims: readonly Watched[]): Watch {
  const watch = new Watch();
  for (const claim of claims) watch.hold({ ...claim, until: claim.leaseMs });
  return watch;
}

describe('what is due', () => {
  test('a claim is due when less than half of its lease is left, and stays so', () => {
    const watch = watchWith(claimOf('a'));
    expect(watch.due(LATE - 1)).toEqual([]);
    expect(watch.due(LATE)).toEqual([claimOf('a')]);
    expect(watch.due(9_999)).toEqual([claimOf('a')]);
  });

  test('each goes by its own lease', () => {
    const long = claimOf('b', { leaseMs: 6_000 });
    const watch = watchWith(claimOf('a'), long);
    expect(watch.due(LATE)).toEqual([claimOf('a')]);
    expect(watch.due(3_001)).toEqual([claimOf('a'), long]);
  });

  test('nothing is ever due while it is renewed every third of a lease', () => {
    const watch = watchWith(claimOf('a'));
    for (let now = 0; now < 10 * LEASE_MS; now += 10) {
      if (now % 200 === 0) watch.renewed(claimOf('a'), now + LEASE_MS);
      expect(watch.due(now)).toEqual([]);
    }
  });

  test('a renewal never shortens what is known of a lease', () => {
    const watch = watchWith(claimOf('a', { leaseMs: 6_000 }));
    watch.renewed(claimOf('a'), 100);
    expect(watch.due(LATE)).toEqual([]);
  });
});

describe('what is held no more', () => {
  test('a claim that was dropped is never due', () => {
    const watch = watchWith(claimOf('a'), claimOf('b'));
    watch.drop(claimOf('a'));
    expect(watch.due(LATE)).toEqual([claimOf('b')]);
  });

  test('a claim that was let go of is renewed until then, and no longer', () => {
    const watch = watchWith(claimOf('a'), claimOf('b'));
    watch.letGo(claimOf('a'), LATE + 1);
    watch.letGo(claimOf('b'), 0);
    expect(watch.due(LATE)).toEqual([claimOf('a')]);
    watch.renewed(claimOf('a'), 2_000);
    expect(watch.due(9_999)).toEqual([]);
  });

  test('letting go a second time can only be earlier', () => {
    const watch = watchWith(claimOf('a'));
    watch.letGo(claimOf('a'), LATE);
    watch.letGo(claimOf('a'), 9_999);
    expect(watch.due(LATE)).toEqual([]);
  });

  test('old news about a token that is held anew change nothing', () => {
    const anew = claimOf('a', { version: 3 });
    const watch = watchWith(claimOf('a'), anew);
    watch.drop(claimOf('a'));
    watch.letGo(claimOf('a', { version: 3, worker: 'bob' }), 0);
    watch.renewed(claimOf('a'), 9_999);
    expect(watch.due(LATE)).toEqual([anew]);
  });

  test('what was never held does no harm', () => {
    const watch = watchWith(claimOf('a', { token: tokenId(3) }));
    watch.drop(claimOf('a'));
    watch.letGo(claimOf('a'), 0);
    watch.renewed(claimOf('a'), 0);
    expect(watch.due(LATE)).toEqual([claimOf('a', { token: tokenId(3) })]);
  });
});

describe('the shortest lease', () => {
  test('it is that of what is held, and infinite when nothing is', () => {
    const watch = watchWith(claimOf('a'), claimOf('b', { leaseMs: 100 }));
    expect(watch.shortestMs).toBe(100);
    watch.drop(claimOf('b'));
    watch.letGo(claimOf('a'), 0);
    expect(watch.due(0)).toEqual([]);
    expect(watch.shortestMs).toBe(Number.POSITIVE_INFINITY);
  });
});
