import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { advance } from '../kernel/advance.ts';
import type { CodeView, NodeCode } from '../model/definition.ts';
import type { Instant, NodeId, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import { Dice } from '../testing/dice.ts';
import { failAt, play, tokensAt, withoutCode } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

/** A map of letters around one step. */
function running(settings: JsonObject, code: NodeCode = {}, list = ['a', 'b', 'c']): Drawing {
  return draw(['each -> end'], {
    each: { kind: 'map', settings: { body: 'item', over: list } },
    end: { kind: 'end', settings: { output: 'results' } },
    item: { kind: 'item', settings: { body: 'Do', last: 'Do', ...settings }, in: 'each', code },
    Do: { kind: 'step', in: 'item' },
  });
}

function begun(settings: JsonObject, code: NodeCode = {}, list?: string[]): Story {
  const story = new Story(running(settings, code, list));
  story.start();
  return story;
}

test('a runner takes one item after the other', () => {
  const story = new Story(running({ limit: 1 }, {}, ['a', 'b']));
  story.start();
  expect(story.done(6, 'A')).toBe(text`
    claim  token 6 by w1
    write  scope 5 results {"Do":"A"}
    end    token 6 done
    write  scope 3 items {"0":"A"}
    write  scope 3 items {"next":2}
    return scope 5
    open   scope 7 of token 4 pass 1
    birth  token 8 at Do ready
    ! offer token 8 to test@1/Do
  `);
});

describe('the limit', () => {
  const open = (story: Story): number =>
    story.instance.scopes.values().filter(({ node }) => node === 'item').length;

  test.each([1, 2, 3, 7, 12])(
    '%s is kept to at every moment, and used while items are left',
    (n) => {
      const list = Array.from({ length: 12 }, (_, index) => `${index}`);
      const dice = new Dice(n);
      const story = begun({ limit: n }, {}, list);
      for (let done = 0; done < list.length; done += 1) {
        expect(open(story)).toBe(Math.min(n, list.length - done));
        story.done(dice.pick(tokensAt(story, 'Do')), done);
      }
      expect(story.head.status).toBe('completed');
    },
  );

  test('counts an item that pauses, and not one that ends at once', () => {
    const story = new Story(
      draw(['each -> end', 'c -> Do -> x', 'c -> x'], {
        each: { kind: 'map', settings: { body: 'item', over: [0, 1, 0, 0, 1, 0, 1, 0] } },
        item: { kind: 'item', settings: { body: 'c', limit: 2 }, in: 'each' },
        c: {
          kind: 'choose',
          settings: { arms: [{ edge: 'c->Do', slot: 'works' }], otherwise: 'c->x' },
          code: { works: ({ item }) => item === 1 },
          in: 'item',
        },
        Do: { kind: 'step', in: 'item' },
        x: { kind: 'pass', in: 'item' },
        end: { kind: 'end', settings: { output: 'results' } },
      }),
    );
    story.start();
    expect([open(story), tokensAt(story, 'Do').length]).toEqual([2, 2]);
    play(story, (tokens) => tokens.at(-1));
    const [none, one] = [{}, { Do: 'Do' }];
    expect(story.head.output).toEqual({ each: [none, one, none, none, one, none, one, none] });
  });
});

describe('what comes of an item', () => {
  const came = (settings: JsonObject, code: NodeCode = {}): unknown => {
    const story = begun(settings, code);
    play(story, (tokens) => tokens.at(-1));
    return story.head.output;
  };

  test('is the result of its last node', () => {
    expect(came({})).toEqual({ each: ['Do', 'Do', 'Do'] });
  });

  test('is all its results by name, if nothing else is said', () => {
    const all = { Do: 'Do' };
    expect(came({ last: null })).toEqual({ each: [all, all, all] });
  });

  test('is what collect says, which sees the item as it is', () => {
    const collect = ({ item, index, results, vars }: CodeView): unknown => [
      item,
      index,
      results['Do'],
      vars['letter'],
    ];
    expect(came({ collects: true, as: 'letter' }, { collect })).toEqual({
      each: [
        ['a', 0, 'Do', 'a'],
        ['b', 1, 'Do', 'b'],
        ['c', 2, 'Do', 'c'],
      ],
    });
  });

  test('is null if the node was never come to', () => {
    expect(came({ last: 'Other' })).toEqual({ each: [null, null, null] });
  });
});

describe('an item that fails', () => {
  test('O-77: fails the map, ends those at work, and later ones never begin', () => {
    const story = begun({ limit: 2 });
    expect(story.fail(6)).toBe(text`
      claim  token 6 by w1
      end    token 6 failed boom
      end    token 9 cancelled
      end    token 7 cancelled
      end    token 4 cancelled
      end    token 2 cancelled
      close  scope 8
      close  scope 5
      close  scope 3
      close  scope 1
      finish failed boom
      ! abort token 9
      ! ended
    `);
    expect(JSON.stringify(story.history)).not.toContain('"index":2');
  });

  test('is kept in its place, and the others go on', () => {
    const story = begun({ limit: 1, settles: true });
    story.done(tokensAt(story, 'Do')[0] ?? 0, 'A');
    failAt(story, 'Do', 'no.b');
    story.done(tokensAt(story, 'Do')[0] ?? 0, 'C');
    expect(story.head.output).toEqual({
      each: [
        { status: 'fulfilled', value: 'A' },
        { status: 'rejected', reason: { code: 'no.b', message: 'no.b', node: 'Do' } },
        { status: 'fulfilled', value: 'C' },
      ],
    });
  });

  test('takes what else is at work in it along, and nothing of the others', () => {
    const story = new Story(
      draw(['each -> end', 'f -> A', 'f -> B'], {
        each: { kind: 'map', settings: { body: 'item', over: [1, 2] } },
        item: { kind: 'item', settings: { body: 'f', settles: true }, in: 'each' },
        f: { kind: 'fork', in: 'item' },
        A: { kind: 'step', in: 'item' },
        B: { kind: 'step', in: 'item' },
        end: { kind: 'end', settings: { output: 'results' } },
      }),
    );
    story.start();
    failAt(story, 'A');
    expect([tokensAt(story, 'A').length, tokensAt(story, 'B').length]).toEqual([1, 1]);
    play(story, (tokens) => tokens[0]);
    expect(story.head.output).toMatchObject({
      each: [{ status: 'rejected' }, { status: 'fulfilled', value: { A: 'A', B: 'B' } }],
    });
  });

  test('is one, too, if collect fails', () => {
    const code: NodeCode = {
      collect: ({ index }) => {
        if (index === 1) throw new Error('no');
        return index;
      },
    };
    const story = begun({ settles: true, collects: true }, code);
    play(story, (tokens) => tokens.at(-1));
    expect(story.head.output).toEqual({
      each: [
        { status: 'fulfilled', value: 0 },
        { status: 'rejected', reason: { code: 'code.threw', message: 'no', node: 'item' } },
        { status: 'fulfilled', value: 2 },
      ],
    });
    const failing = begun({ collects: true }, code);
    play(failing, (tokens) => tokens.at(-1));
    expect(failing.head.fault).toEqual({ code: 'code.threw', message: 'no', node: 'item' });
  });
});

describe('until', () => {
  test('is asked after each item, as that item, and ends what is at work', () => {
    const seen: unknown[] = [];
    const until = ({ item, index, results }: CodeView): boolean => {
      seen.push([item, index, results]);
      return item === 'b';
    };
    const story = begun({ asks: true }, { until });
    const [first = 0, second = 0] = tokensAt(story, 'Do');
    story.done(first, 'A');
    expect(story.done(second, 'B')).toContain('cancelled');
    expect(seen).toEqual([
      ['a', 0, { Do: 'A' }],
      ['b', 1, { Do: 'B' }],
    ]);
    expect(story.head).toMatchObject({ status: 'completed', output: { each: ['A', 'B'] } });
  });

  test('keeps the order of the list, whichever were done by then', () => {
    const story = begun({ asks: true }, { until: ({ item }) => item === 'a' });
    const [first = 0, , third = 0] = tokensAt(story, 'Do');
    story.done(third, 'C');
    story.done(first, 'A');
    expect(story.head.output).toEqual({ each: ['A', 'C'] });
  });

  test('one after the other, the rest never begins', () => {
    const story = begun({ asks: true, limit: 1 }, { until: () => true });
    story.done(tokensAt(story, 'Do')[0] ?? 0, 'A');
    expect(story.head.output).toEqual({ each: ['A'] });
    expect(JSON.stringify(story.history)).not.toContain('"index":1');
  });

  test('is not asked after one that failed', () => {
    const story = begun({ asks: true, settles: true, limit: 1 }, { until: () => true });
    failAt(story, 'Do');
    expect(tokensAt(story, 'Do')).toHaveLength(1);
    story.done(tokensAt(story, 'Do')[0] ?? 0, 'B');
    expect(story.head.output).toMatchObject({
      each: [{ status: 'rejected' }, { status: 'fulfilled', value: 'B' }],
    });
  });

  test('answers true or false', () => {
    const story = begun({ asks: true }, { until: () => 1 });
    story.done(tokensAt(story, 'Do')[0] ?? 0);
    expect(story.head.fault).toEqual({
      code: 'map.not-boolean',
      message: '"until" of "each" answers true or false; came 1',
      node: 'item',
    });
  });
});

describe('what people can do to a runner', () => {
  test('nobody skips or moves it', () => {
    const story = begun({ limit: 1 });
    const why = 'token 4: it runs the items of a map; skip the map, or what is at work in the item';
    const at = 0 as Instant;
    const token = 4 as TokenId;
    const inputs: readonly Input[] = [
      { type: 'skip', at, token, value: null },
      { type: 'move', at, token, to: 'item' as NodeId },
    ];
    for (const input of inputs) {
      const { changes, refused } = advance(story.machine, story.instance, input);
      expect([changes, refused]).toMatchObject([[], { code: 'operation.refused', message: why }]);
    }
    // What is at work in the item can be.
    story.skip(6, 'skipped');
    expect(tokensAt(story, 'Do')).toHaveLength(1);
  });

  test('one that is mended does the item that it could not bring to an end', () => {
    let broken = true;
    const collect = ({ item, results }: CodeView): unknown => {
      if (broken && item === 'b') throw new Error('no');
      return [item, results['Do'] ?? null];
    };
    const drawing = running({ collects: true, limit: 2 }, { collect });
    const story = new Story({ ...drawing, draft: { ...drawing.draft, onFailure: 'incident' } });
    story.start();
    const [first = 0, second = 0] = tokensAt(story, 'Do');
    story.done(second, 'B');
    const incidents = story.instance.tokens.values().filter(({ wait }) => wait?.on === 'incident');
    expect(incidents).toMatchObject([{ node: 'item', wait: { can: ['retry', 'cancel'] } }]);
    story.done(first, 'A');
    story.done(tokensAt(story, 'Do')[0] ?? 0, 'C');
    broken = false;
    story.retry(incidents[0]?.id ?? 0);
    play(story, (tokens) => tokens[0]);
    expect(story.head.output).toEqual({
      each: [
        ['a', 'A'],
        ['b', 'Do'],
        ['c', 'C'],
      ],
    });
  });

  test('one that cost too many workers their lives does its item once it is mended', () => {
    const drawing = running({ limit: 1 });
    const draft = { ...drawing.draft, onFailure: 'incident' as const };
    const story = new Story({ ...drawing, draft }, { limits: { CRASHES_MAX: 0 } });
    story.start();
    withoutCode(story, () => story.done(tokensAt(story, 'Do')[0] ?? 0, 'A'));
    const [runner = 0] = tokensAt(story, 'item');
    story.expire(runner);
    expect(story.instance.tokens.get(runner as TokenId)?.wait).toMatchObject({ on: 'incident' });
    story.retry(runner);
    play(story, (tokens) => tokens[0]);
    expect(story.head.output).toEqual({ each: ['Do', 'Do', 'Do'] });
  });
});

describe('an instance that goes on by another version', () => {
  test('has fewer or more at a time from then on', () => {
    const list = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const story = begun({ limit: 3 }, {}, list);
    story.migrate(running({ limit: 1 }, {}, list));
    expect(tokensAt(story, 'Do')).toHaveLength(3);
    for (const left of [2, 1, 1]) {
      story.done(tokensAt(story, 'Do')[0] ?? 0);
      expect(tokensAt(story, 'Do')).toHaveLength(left);
    }
    const more = begun({ limit: 1 }, {}, list);
    more.migrate(running({ limit: 3 }, {}, list));
    more.done(tokensAt(more, 'Do')[0] ?? 0);
    expect(tokensAt(more, 'Do')).toHaveLength(3);
    play(more, (tokens) => tokens.at(-1));
    expect(more.head.output).toEqual({ each: [null, ...Array(6).fill('Do')] });
  });

  test('keeps its list, and refuses what would leave it half one thing and half another', () => {
    const story = begun({ limit: 1 });
    story.done(6, 'A');
    const unfit = (settings: JsonObject): unknown => story.migrate(running(settings));
    expect(unfit({ limit: 1, settles: true })).toMatchObject([
      {
        code: 'node.settings',
        message: '"item" keeps what fails, and the items that are done were not done so',
      },
    ]);
    expect(unfit({ limit: 1, as: 'letter' })).toMatchObject([
      {
        code: 'node.settings',
        message: '"item" has its item as "letter", and token 4 began one without',
      },
    ]);
    expect(story.migrate(running({ limit: 1 }, {}, ['x']))).toContain('migrate');
    play(story, (tokens) => tokens[0]);
    expect(story.head.output).toEqual({ each: ['A', 'Do', 'Do'] });
  });

  test('may begin to keep what fails before anything is done, and not after', () => {
    const story = begun({ limit: 1 });
    story.migrate(running({ limit: 1, settles: true }));
    story.done(6, 'A');
    expect(story.migrate({ ...running({ limit: 1 }) })).toMatchObject([
      { message: '"item" fails with what fails, and the items that are done were not done so' },
    ]);
  });
});

describe('what is wrong with an item', () => {
  const problems = (settings: JsonObject): string[] =>
    problemsOf(running(settings)).filter((problem) => !problem.startsWith('node.unreachable'));

  test.each([0, -1, 1.5, '3', null])('its limit is a whole number, 1 or more: not %j', (limit) => {
    expect(problems({ limit })).toEqual([
      'item.bad-limit item: the limit of "item" is a whole number, 1 or more',
    ]);
  });

  test('it names the node its region begins with', () => {
    expect(problems({ body: 'end', limit: 0 })).toEqual([
      'item.no-body item: "item" names the node its region begins with; ' +
        'came "end", which is not in it',
      'item.bad-limit item: the limit of "item" is a whole number, 1 or more',
    ]);
  });
});
