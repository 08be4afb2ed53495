/** Strides that end before everything has moved, in the middle of a failure. */
import { expect, test } from 'vitest';
import { tokensAt } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';

test('a fault that ends all that was set down leaves nothing unasked', () => {
  const chain = (name: string): string =>
    Array.from({ length: 30 }, (_, n) => `${name}${n}`).join(' -> ');
  const inside = (name: string) =>
    Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`${name}${n}`, { kind: 'pass', in: 't' }]),
    );
  const drawing = draw(
    [
      'f -> t',
      'f -> j',
      't -> d -> j',
      't -> j',
      'j -> Z',
      `g -> ${chain('p')}`,
      'g -> s',
      'A -> F',
    ],
    {
      f: { kind: 'fork' },
      t: { kind: 'try', settings: { body: 'g', done: 't->d', caught: 't->j' } },
      j: { kind: 'inclusive' },
      g: { kind: 'fork', in: 't' },
      ...inside('p'),
      s: { kind: 'scope', settings: { body: 'A', saga: 'scope' }, in: 't' },
      A: { kind: 'step', settings: { undo: {} }, in: 's' },
      F: { kind: 'step', in: 's' },
    },
  );
  const story = new Story(drawing, { limits: { MOVES_PER_COMMIT: 1 } });
  story.start();
  const resting = (): number | undefined =>
    story.instance.resting.keys().find((id) => story.instance.tokens.get(id)?.handler !== null);
  while (tokensAt(story, 'A').length === 0) story.go(resting() ?? 0);
  story.done(Number(tokensAt(story, 'A')[0]));
  story.fail(Number(tokensAt(story, 'F')[0]));
  expect(story.instance.resting.size).toBeGreaterThan(0);
  story.done(Number(tokensAt(story, 'A')[0]));
  for (let next = resting(); next !== undefined; next = resting()) story.go(next);
  expect(story.head.stalled).toBeNull();
  expect(tokensAt(story, 'Z')).toHaveLength(1);
});
