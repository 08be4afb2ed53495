/** Bugs that a random definition found: each as the smallest story that shows it. */
import { expect, test } from 'vitest';
import type { Instant, TokenId } from '../model/ids.ts';
import { draw, Story } from '../testing/story.ts';
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
