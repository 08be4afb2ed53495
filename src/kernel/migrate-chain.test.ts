/** A chain goes on by another version: what has not begun is what that version has. */
import { describe, expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import type { Flow } from '../model/definition.ts';
import type { Token } from '../model/instance.ts';
import { type Drawing, started, type Story } from '../testing/story.ts';
import { type Instance, isLive } from './instance.ts';

function written({ definition: { draft } }: Pick<Flow, 'definition'>): Drawing {
  return { draft };
}

function live({ tokens }: Instance): readonly Token[] {
  return tokens.values().filter(isLive);
}

describe('a chain', () => {
  const written1 = written(chain('line', 1, ['A', 'B', 'C', 'D']));
  const rows = ({ instance }: Story): readonly string[] =>
    instance.tokens.values().map(({ seq, node, status }) => `${seq} ${node} ${status}`);

  function atB(): Story {
    const story = started(written1, 'ctx');
    story.done(3);
    return story;
  }

  test('has after the current step what the other plan has after it', () => {
    const story = atB();
    story.migrate(written(chain('line', 2, ['A', 'B', 'X', 'D'])));
    expect(rows(story)).toEqual(['0 A completed', '1 B ready', '2 X created', '3 D created']);
    for (const id of [4, 5, 6]) story.done(id);
    expect(story.head.status).toBe('completed');
  });

  test('gets shorter', () => {
    const story = atB();
    const shown = story.migrate(written(chain('line', 2, ['A', 'B', 'D'])));
    expect(shown).toContain('drop   token 6');
    expect(rows(story)).toEqual(['0 A completed', '1 B ready', '2 D created']);
    story.done(4);
    story.done(5);
    expect(story.head.status).toBe('completed');
  });

  test('gets longer, also once other numbers were handed out', () => {
    const story = atB();
    const letters = [{ type: 'news', key: null, data: null }];
    story.waits(4, 'go', { letters });
    story.migrate(written(chain('line', 2, ['A', 'B', 'C', 'D', 'E', 'F'])));
    expect(rows(story)).toEqual([
      ...['0 A completed', '1 B waiting', '2 C created', '3 D created'],
      ...['4 E created', '5 F created'],
    ]);
    story.message(4, 'go', 'k');
    for (const id of live(story.instance).map((token) => token.id)) story.done(id);
    const order: string[] = [];
    for (let [next] = live(story.instance); next !== undefined; [next] = live(story.instance)) {
      order.push(next.node);
      story.done(next.id);
    }
    expect(order).toEqual(['C', 'D', 'E', 'F']);
    expect(story.head.status).toBe('completed');
  });

  test('whose current step has another name is run by that, and by nobody who had it', () => {
    const story = atB();
    const shown = story.migrate(written(chain('line', 2, ['A', 'B2', 'C', 'D'])), { B: 'B2' });
    expect(shown).toContain('! abort token 4');
    expect(live(story.instance)).toMatchObject([{ node: 'B2', handler: 'line/B2' }]);
  });

  test('whose current step is the same leaves it to whoever has it', () => {
    const story = atB();
    const shown = story.migrate(written(chain('line', 2, ['A', 'B', 'C', 'D', 'E'])));
    expect(shown).not.toContain('token 4');
  });

  test('whose current step has other numbers leaves it to whoever has it, too', () => {
    const numbered = (version: number, count: number): Drawing =>
      written(
        chain('line', version, ['A', 'B'], {
          ...{ maxAttempts: count, priority: count, limit: { concurrency: count } },
        }),
      );
    const story = started(numbered(1, 3), 'ctx');
    expect(story.migrate(numbered(2, 5))).not.toContain('token 3');
    const numbers = story.instance.tokens.values().map(({ maxAttempts, priority, lanes }) => {
      return [maxAttempts, priority, lanes[0]?.concurrency];
    });
    expect(numbers).toEqual([
      [3, 3, 3],
      [5, 5, 5],
    ]);
  });

  test('whose current step waits to be tried again has the attempts of the other', () => {
    const tried = (version: number, maxAttempts: number): Drawing =>
      written(chain('line', version, ['A'], { maxAttempts, backoff: { base: '1h' } }));
    const story = started(tried(1, 2), 'ctx');
    story.fail(3);
    story.migrate(tried(2, 4));
    expect(live(story.instance)).toMatchObject([{ attempts: 1, maxAttempts: 4 }]);
  });
});
