/** Bugs that a random definition found: each as the smallest story that shows it. */
import { expect, test } from 'vitest';
import type { Instant, TokenId } from '../model/ids.ts';
import { draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';
import { advance } from './advance.ts';
import { assemble, rowsOf } from './instance.ts';

// Seed 10: the kernel refused its own state when a stride ended between the two.
test('a stride may end after a scope has emptied and before its owner goes on', () => {
  const nested = draw(['start -> sub -> end'], {
    sub: { kind: 'scope', settings: { body: 'inner', promote: true } },
    inner: { kind: 'pass', in: 'sub' },
    end: { kind: 'end' },
  });
  const story = new Story(nested, { limits: { MOVES_PER_COMMIT: 3 } });

  expect(story.start()).toContain('wake   token 3 resume');
  expect(story.head.status).toBe('running');
  expect(story.go(3)).toContain('return scope 4');
  expect(story.head.status).toBe('completed');
});

// Seed 74, on SQLite: latches were dropped in whatever order the rows had come in.
test('what a failure cancels does not depend on the order of the rows it finds', () => {
  const story = new Story(
    draw(['fork -> zed', 'fork -> Work -> zed', 'fork -> abe', 'Work -> abe'], {
      fork: { kind: 'fork' },
      zed: { kind: 'join' },
      abe: { kind: 'join' },
    }),
  );
  story.start();
  const rows = rowsOf(story.instance);
  const worker = { worker: 'w1', version: 1, at: 0 as Instant };
  const fault = { code: 'boom', message: 'boom' };
  const outcome = { outcome: 'failed', fault } as const;
  const token = rows.tokens.find(({ node }) => node === 'Work')?.id as TokenId;
  const input = { type: 'result', at: 0 as Instant, token, claim: worker, outcome } as const;

  // Sorted, where the instance has them in the order they were opened.
  expect(rows.latches.map(({ node }) => node)).toEqual(['abe', 'zed']);
  expect(advance(story.machine, assemble(rows), input).changes).toEqual(
    advance(story.machine, story.instance, input).changes,
  );
});

// Seed 34: a post has a number of its own, and the next stride gave it to another. The store took
// the second for the first and never carried it.
test('two posts of an instance never have the same id', () => {
  const story = new Story(
    draw(['call -> end'], { call: { kind: 'call', settings: { flow: 'x' } } }),
  );
  story.start();
  story.cancel();

  const changes = story.history.flatMap((row) => row.changes);
  const posts = changes.flatMap((change) => (change.did === 'post' ? [change.post] : []));
  expect(posts.map((post) => post.do)).toEqual(['start', 'cancel']);
  expect(posts.map(({ id }) => id)).toEqual(['i1/3', 'i1/4']);
});

// Seed 1662: whoever claims one token goes on with all that were set down; when that one failed
// for good by its leases, nobody could claim the others.
test('what was set down can be claimed when the token that stood for it is given up', () => {
  const fork = draw(['fork -> a -> Left', 'fork -> b -> Right'], { fork: { kind: 'fork' } });
  const limits = { MOVES_PER_COMMIT: 1, CRASHES_MAX: 0 };
  const story = new Story({ ...fork, draft: { ...fork.draft, onFailure: 'incident' } }, { limits });
  story.start();

  expect(story.expire(4)).toBe(text`
    claim  token 4 by w1
    park   token 4 for someone to retry or skip or cancel it LEASE_EXPIRED
    enter  token 5
    rest   token 5 after 1
    ! offer token 5 to test@1/
  `);
  expect(story.go(5)).toContain('at Right');
});

// Seed 5172: the empty region stayed open, with nobody who waited for it.
test('a region ends with its owner when that is given up before it went on', () => {
  const nested = draw(['sub -> end'], {
    sub: { kind: 'scope', settings: { body: 'inner', promote: true } },
    inner: { kind: 'pass', in: 'sub' },
  });
  const limits = { MOVES_PER_COMMIT: 2, CRASHES_MAX: 0 };
  const story = new Story(
    { ...nested, draft: { ...nested.draft, onFailure: 'incident' } },
    { limits },
  );
  expect(story.start()).toContain('wake   token 2 resume');

  expect(story.expire(2)).toBe(text`
    claim  token 2 by w1
    return scope 3
    park   token 2 for someone to retry or skip or cancel it LEASE_EXPIRED
  `);
  expect(story.retry(2)).toContain('open   scope 5 of token 2');
});

// Seed 9055: it took the next item when it was mended, and the one it had run was never kept.
test('a runner of a map that is given up after its item runs the same item again', () => {
  const each = draw(['each -> end'], {
    each: { kind: 'map', settings: { body: 'item', over: ['a', 'b'] } },
    item: { kind: 'item', settings: { body: 'do', limit: 1, last: 'do' }, in: 'each' },
    do: { kind: 'set', settings: { in: 'scope' }, code: { value: ({ item }) => item }, in: 'item' },
    end: { kind: 'end', settings: { output: 'results' } },
  });
  const limits = { MOVES_PER_COMMIT: 3, CRASHES_MAX: 0 };
  const story = new Story({ ...each, draft: { ...each.draft, onFailure: 'incident' } }, { limits });
  expect(story.start()).toContain('wake   token 4 resume');

  expect(story.expire(4)).toBe(text`
    claim  token 4 by w1
    write  scope 3 items {"again 4":0}
    return scope 5
    park   token 4 for someone to retry or cancel it LEASE_EXPIRED
  `);
  story.retry(4);
  while (story.head.endedAt === null) {
    const ready = story.instance.tokens.values().find(({ handler }) => handler !== null);
    story.go(ready?.id ?? 0);
  }
  expect(story.head.output).toEqual({ each: ['a', 'b'] });
});
