/** What instances are found by, as the kernel tells it: by changes that alter nothing. */
import { describe, expect, test } from 'vitest';
import { chain } from '../frontends/chain/chain.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Drawing } from '../testing/story.ts';
import { Story } from '../testing/story.ts';
import { touchedBy } from './touched.ts';
import { emptyInstance } from './instance.ts';

function written({ definition: { draft, code } }: Pick<Flow, 'definition'>): Drawing {
  return { draft, code: Object.fromEntries(code) };
}

/** The lines of a story that tell of tags. */
function tagsOf(lines: unknown): readonly string[] {
  return String(lines)
    .split('\n')
    .filter((line) => line.startsWith('tag'));
}

const both = (search: readonly string[], version = 1): Drawing =>
  written(
    flow<{ a: number; b: string }>('f', { search, version })
      .step('work', () => 1)
      .end(),
  );

test('at the start the fields of the input are told, in the order of their names', () => {
  const story = new Story(both(['b', 'a', 'c']));
  expect(tagsOf(story.start({ a: 1, b: 'x', c: [1], d: 2 }))).toEqual([
    'tag    b "x"',
    'tag    a 1',
  ]);
  expect(tagsOf(story.done(3, 'done'))).toEqual([]);
});

test('an input that has no fields has none of them', () => {
  for (const input of [null, 'a', 7, ['a']]) {
    expect(tagsOf(new Story(both(['a', '0', 'length'])).start(input))).toEqual([]);
  }
});

test('a flow that names none tells none', () => {
  expect(tagsOf(new Story(both([])).start({ a: 1 }))).toEqual([]);
});

test('however often a stride writes a variable, the last word is told', () => {
  const drawing = written(
    flow<null, { n: number }>('f', { search: ['n'], vars: { n: 0 } })
      .repeat('many', { times: 5 }, (b) =>
        b.set('add', ({ vars }) => ({ n: vars.n + 1 }), { in: 'instance' }),
      )
      .end(),
  );
  expect(tagsOf(new Story(drawing).start(null))).toEqual(['tag    n 5']);
});

test('a name that is every object’s own is a name like any other', () => {
  const drawing = both(['constructor', '__proto__', 'toString']);
  expect(tagsOf(new Story(drawing).start({ a: 1 }))).toEqual([]);
  const input = JSON.parse('{"__proto__":"x"}') as { a: number };
  expect(tagsOf(new Story(drawing).start(input as never))).toEqual(['tag    __proto__ "x"']);
});

describe('another version of the flow', () => {
  test('has its own names: those that are new are told, and those that are gone forgotten', () => {
    const story = new Story(both(['a', 'b']));
    story.start({ a: 1, b: 'x', c: true });
    expect(tagsOf(story.migrate(both(['b', 'c'], 2)))).toEqual([
      ...['tag    a null', 'tag    b "x"', 'tag    c true'],
    ]);
    expect(tagsOf(story.migrate(both([], 3)))).toEqual(['tag    b null', 'tag    c null']);
  });

  test('and so has a chain', () => {
    const line = (search: readonly string[], version: number): Drawing =>
      written(chain('c', version, ['ONE', 'TWO'], { search }));
    const story = new Story(line(['a'], 1));
    expect(tagsOf(story.start({ a: 1, b: 2 }))).toEqual(['tag    a 1']);
    expect(tagsOf(story.migrate(line(['b'], 2)))).toEqual(['tag    a null', 'tag    b 2']);
  });
});

test('for the tables the last word on each name counts', () => {
  const changes = [
    { did: 'tag', name: 'a', value: 1 },
    { did: 'tag', name: 'b', value: 2 },
    { did: 'tag', name: 'a', value: null },
  ] as const;
  const story = new Story(both(['a']));
  story.start({ a: 1 });
  const touched = touchedBy(emptyInstance(story.instance.head.id), {
    after: story.instance,
    changes,
  });
  expect(touched.tags).toEqual([
    { name: 'b', value: 2 },
    { name: 'a', value: null },
  ]);
});
