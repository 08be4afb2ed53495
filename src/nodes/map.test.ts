import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { NodeCode } from '../model/definition.ts';
import { ORDERS, play, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

/** A map around one step, and an end that gives all results. */
function mapping(settings: JsonObject, code: NodeCode = {}, items: JsonObject = {}): Drawing {
  return draw(['each -> end'], {
    each: { kind: 'map', settings: { body: 'item', ...settings }, code },
    item: { kind: 'item', settings: { body: 'Do', last: 'Do', ...items }, in: 'each' },
    Do: { kind: 'step', in: 'item' },
    end: { kind: 'end', settings: { output: 'results' } },
  });
}

function over(list: unknown): Drawing {
  return mapping({}, { over: () => list });
}

test('O-75: the results have the order of the list, whichever item is done first', () => {
  const story = new Story(over(['a', 'b']));

  expect(story.start()).toBe(text`
    start  test null
    open   scope 1
    birth  token 2 at each
    open   scope 3 of token 2
    birth  token 4 at item
    write  scope 3 items {"runners":1}
    write  scope 3 items {"next":1}
    open   scope 5 of token 4 pass 0
    birth  token 6 at Do ready
    birth  token 7 at item
    write  scope 3 items {"runners":2}
    write  scope 3 items {"next":2}
    open   scope 8 of token 7 pass 1
    birth  token 9 at Do ready
    ! offer token 6 to test@1/Do
    ! offer token 9 to test@1/Do
  `);
  expect(story.done(9, 'B')).toBe(text`
    claim  token 9 by w1
    write  scope 8 results {"Do":"B"}
    end    token 9 done
    write  scope 3 items {"1":"B"}
    return scope 8
    end    token 7 done
  `);
  expect(story.done(6, 'A')).toBe(text`
    claim  token 6 by w1
    write  scope 5 results {"Do":"A"}
    end    token 6 done
    write  scope 3 items {"0":"A"}
    return scope 5
    end    token 4 done
    write  scope 1 results {"each":["A","B"]}
    return scope 3
    birth  token 10 at end
    end    token 2 done
    output {"each":["A","B"]}
    end    token 10 done
    close  scope 1
    finish completed
    ! ended
  `);
});

describe.each(Object.entries(ORDERS))('answered in %s', (_, order) => {
  test.each([undefined, 1, 2, 5, 30])(
    'O-75: with limit %s each result is at its place',
    (limit) => {
      const list = Array.from({ length: 23 }, (_item, index) => index);
      const items = limit === undefined ? {} : { limit };
      const drawing = mapping({}, { over: () => list }, { ...items, collects: true });
      const collect: NodeCode = { collect: ({ item, index }) => [item, index] };
      const story = new Story({ ...drawing, code: { ...drawing.code, item: collect } });
      story.start();
      play(story, order());
      expect(story.head.output).toEqual({ each: list.map((item) => [item, item]) });
    },
  );
});

describe('the list', () => {
  test('O-75: of none is done at once, with none', () => {
    const story = new Story(over([]));
    expect(story.start()).toBe(text`
      start  test null
      open   scope 1
      birth  token 2 at each
      write  scope 1 results {"each":[]}
      birth  token 3 at end
      end    token 2 done
      output {"each":[]}
      end    token 3 done
      close  scope 1
      finish completed
      ! ended
    `);
  });

  test('may be written in the definition', () => {
    const story = new Story(mapping({ over: [1, null, { a: 2 }] }));
    story.start();
    play(story, (tokens) => tokens[0]);
    expect(story.head.output).toEqual({ each: ['Do', 'Do', 'Do'] });
  });

  test.each([null, 1, 'list', { length: 1 }, true])('O-75: %j is none: the map faults', (value) => {
    const story = new Story(over(value));
    story.start();
    expect(story.head.fault).toEqual({
      code: 'map.not-a-list',
      message: `"over" of "each" answers a list; came ${JSON.stringify(value)}`,
      node: 'each',
    });
  });

  test('O-75: is made once, when the map begins', () => {
    let asked = 0;
    const drawing = mapping({}, { over: () => [1, 2, 3].slice(asked++) }, { limit: 1 });
    const story = new Story(drawing);
    story.start();
    play(story, (tokens) => tokens[0]);
    expect([asked, story.head.output]).toEqual([1, { each: ['Do', 'Do', 'Do'] }]);
  });

  test('O-75: has at most MAP_ITEMS_MAX items', () => {
    const limits = { MAP_ITEMS_MAX: 3 };
    const enough = new Story(over([1, 2, 3]), { limits });
    enough.start();
    expect(tokensAt(enough, 'Do')).toHaveLength(3);
    const more = new Story(over([1, 2, 3, 4]), { limits });
    more.start();
    expect(more.head.fault).toEqual({
      code: 'map.too-many-items',
      message: '"each" has 4 items (MAP_ITEMS_MAX 3)',
      node: 'each',
    });
  });
});

test('the results together are a value, and so have at most VALUE_CHARS_MAX characters', () => {
  const mapped = (...lengths: readonly number[]): Story => {
    const story = new Story(over([1, 2]), { limits: { VALUE_CHARS_MAX: 20 } });
    story.start();
    const [first = 0, second = 0] = tokensAt(story, 'Do');
    story.done(first, 'x'.repeat(lengths[0] ?? 0));
    story.done(second, 'x'.repeat(lengths[1] ?? 0));
    return story;
  };
  // ["xx…","xx…"] has seven characters around what it holds.
  expect(mapped(6, 7).head).toMatchObject({ status: 'completed' });
  expect(mapped(7, 7).head.fault).toEqual({
    code: 'map.too-large',
    message: 'the results of "each" are 21 characters of JSON (VALUE_CHARS_MAX 20)',
    node: 'each',
  });
});

describe('a map that is skipped', () => {
  test('goes on with what is said, and what is at work ends', () => {
    const story = new Story(over(['a', 'b']));
    story.start();
    expect(story.skip(2, ['x'])).toBe(text`
      end    token 9 cancelled
      end    token 7 cancelled
      end    token 6 cancelled
      end    token 4 cancelled
      close  scope 8
      close  scope 5
      return scope 3
      write  scope 1 results {"each":["x"]}
      birth  token 10 at end
      end    token 2 done
      output {"each":["x"]}
      end    token 10 done
      close  scope 1
      finish completed
      ! abort token 9
      ! abort token 6
      ! ended
    `);
  });
});

test("a map in a map has lists in its list, and the inner items are the inner list's", () => {
  const story = new Story(
    draw(['outer -> end'], {
      outer: { kind: 'map', settings: { body: 'row', over: [['a', 'b'], [], ['c']] } },
      row: { kind: 'item', settings: { body: 'inner', last: 'inner' }, in: 'outer' },
      inner: {
        kind: 'map',
        settings: { body: 'cell' },
        code: { over: ({ item }) => item },
        in: 'row',
      },
      cell: { kind: 'item', settings: { body: 'note', last: 'note', limit: 1 }, in: 'inner' },
      note: {
        kind: 'set',
        in: 'cell',
        code: { value: ({ item, index }) => [item, index] },
      },
      end: { kind: 'end', settings: { output: 'results' } },
    }),
  );
  story.start();
  const [a, b, c] = [
    ['a', 0],
    ['b', 1],
    ['c', 0],
  ];
  expect(story.head.output).toEqual({ outer: [[a, b], [], [c]] });
});

test('a loop inside an item counts its own passes, and sees the item', () => {
  const story = new Story(
    draw(['each -> end'], {
      each: { kind: 'map', settings: { body: 'item', over: [null, 'b'] } },
      item: { kind: 'item', settings: { body: 'loop' }, in: 'each' },
      loop: {
        kind: 'repeat',
        settings: { body: 'note', check: 'times' },
        code: { times: ({ index }) => (index ?? 0) + 2 },
        in: 'item',
      },
      note: { kind: 'set', in: 'loop', code: { value: ({ item, index }) => [item, index] } },
      end: { kind: 'end', settings: { output: 'results' } },
    }),
  );
  story.start();
  expect(story.head.output).toEqual({ each: [{ note: [null, 1] }, { note: ['b', 2] }] });
});

describe('what is wrong with a map', () => {
  const problems = (settings: JsonObject): string[] =>
    problemsOf(mapping(settings)).filter((problem) => !problem.startsWith('node.unreachable'));

  test('it is over a list', () => {
    expect(problems({ over: 'abc' })).toEqual([
      'map.not-a-list each: "each" maps a list or what a closure returns; came string',
    ]);
  });

  test('it names the node its region begins with, and that node lies in it', () => {
    expect(problems({ body: 'end' })).toEqual([
      'map.no-body each: "each" names the node its region begins with; ' +
        'came "end", which is not in it',
    ]);
  });
});
