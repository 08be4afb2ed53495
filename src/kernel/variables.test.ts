/** Who sees what: values are read up the tree of scopes and written to the nearest (D8). */
import { describe, expect, test } from 'vitest';
import type { Code, CodeView } from '../model/definition.ts';
import type { ScopeId } from '../model/ids.ts';
import { answerAt, play, tokensAt } from '../testing/play.ts';
import { draw, Story } from '../testing/story.ts';
import { valuesUp } from './code.ts';

/** Three scopes deep, each with a set of its own and a look around at the end. */
function deep(seen: CodeView[], inner: { in?: string } = {}): Story {
  const put =
    (values: Record<string, number>): Code =>
    () =>
      values;
  const look: Code = (view) => {
    seen.push(view);
    return null;
  };
  return new Story(
    draw(['top -> outer -> last', 'mid -> inner -> back', 'low -> look'], {
      top: { kind: 'set', code: { value: put({ a: 1, b: 1, c: 1 }) } },
      outer: { kind: 'scope', settings: { body: 'mid', promote: true } },
      mid: { kind: 'set', in: 'outer', code: { value: put({ b: 2, c: 2 }) } },
      inner: { kind: 'scope', settings: { body: 'low', promote: true }, in: 'outer' },
      low: { kind: 'set', settings: inner, in: 'inner', code: { value: put({ c: 3 }) } },
      look: { kind: 'set', in: 'inner', code: { value: look } },
      back: { kind: 'set', in: 'outer', code: { value: look } },
      last: { kind: 'set', code: { value: look } },
    }),
  );
}

describe('O-87', () => {
  test('variables are read up the tree, the nearest first', () => {
    const seen: CodeView[] = [];
    deep(seen).start();
    expect(seen[0]?.vars).toEqual({ a: 1, b: 2, c: 3 });
  });

  test('a write goes to the current scope and vanishes with it', () => {
    const seen: CodeView[] = [];
    deep(seen).start();
    expect(seen[1]?.vars).toEqual({ a: 1, b: 2, c: 2 });
    expect(seen[2]?.vars).toEqual({ a: 1, b: 1, c: 1 });
  });

  test('a write for the instance stays, though nearer ones hide it while they last', () => {
    const seen: CodeView[] = [];
    deep(seen, { in: 'instance' }).start();
    expect(seen.map(({ vars }) => vars['c'])).toEqual([2, 2, 3]);
  });

  test('results go up with every scope that promotes them', () => {
    const seen: CodeView[] = [];
    deep(seen).start();
    expect(Object.keys(seen[0]?.results ?? {}).sort()).toEqual(['low', 'mid', 'top']);
    expect(Object.keys(seen[1]?.results ?? {}).sort()).toEqual(['look', 'low', 'mid', 'top']);
    expect(Object.keys(seen[2]?.results ?? {}).sort()).toEqual([
      'back',
      'look',
      'low',
      'mid',
      'top',
    ]);
  });
});

test('siblings do not see what the other writes in its scope', () => {
  const seen: Record<string, unknown> = {};
  const look =
    (name: string): Code =>
    ({ vars }) => {
      seen[name] = vars;
      return null;
    };
  const branch = (name: string, region: string): Parameters<typeof draw>[1] => ({
    [region]: { kind: 'scope', settings: { body: name } },
    [name]: { kind: 'step', in: region },
    [`look${name}`]: { kind: 'set', in: region, code: { value: look(name) } },
  });
  const story = new Story(
    draw(['f -> left', 'f -> right', 'A -> lookA', 'B -> lookB'], {
      f: { kind: 'fork' },
      ...branch('A', 'left'),
      ...branch('B', 'right'),
    }),
  );
  story.start();
  const [a = 0] = tokensAt(story, 'A');
  const [b = 0] = tokensAt(story, 'B');
  story.done(a, null, [{ name: 'mine', value: 'a', in: 'scope' }]);
  story.done(b, null, [{ name: 'mine', value: 'b', in: 'scope' }]);
  expect(seen).toEqual({ A: { mine: 'a' }, B: { mine: 'b' } });
});

test('branches of one scope share its variables, and the last to write wins', () => {
  const story = new Story(draw(['f -> A', 'f -> B', 'f -> C'], { f: { kind: 'fork' } }));
  story.start();
  story.done(5, null, [{ name: 'n', value: 'b', in: 'scope' }]);
  story.done(4, null, [{ name: 'n', value: 'a', in: 'scope' }]);
  expect(valuesUp(story.instance, 1 as ScopeId, 'vars')).toEqual({ n: 'a' });
});

test('the variables of the flow are read by all and can be written over', () => {
  const { draft, code } = draw(['x -> A'], {
    x: { kind: 'set', code: { value: ({ vars }) => ({ n: Number(vars['n']) + 1 }) } },
  });
  const story = new Story({ draft: { ...draft, vars: { n: 41, m: 0 } }, code: code ?? {} });
  story.start();
  expect(valuesUp(story.instance, 1 as ScopeId, 'vars')).toEqual({ n: 42, m: 0 });
});

test('index is that of the nearest pass, also from scopes inside it; outside it is null', () => {
  const seen: unknown[] = [];
  const look: Code = ({ index }) => {
    seen.push(index);
    return null;
  };
  const story = new Story(
    draw(['again -> after', 'box -> inner'], {
      again: { kind: 'repeat', settings: { body: 'box', check: 'times', times: 2 } },
      box: { kind: 'scope', settings: { body: 'deep' }, in: 'again' },
      deep: { kind: 'set', in: 'box', code: { value: look } },
      inner: { kind: 'repeat', settings: { body: 'low', check: 'times', times: 2 }, in: 'again' },
      low: { kind: 'set', in: 'inner', code: { value: look } },
      after: { kind: 'set', code: { value: look } },
    }),
  );
  story.start();
  expect(seen).toEqual([0, 0, 1, 1, 0, 1, null]);
});

test('a variable named __proto__ is a variable, in one scope and in several', () => {
  const seen: string[] = [];
  const evil = JSON.parse('{"__proto__":{"admin":true}}') as object;
  const look: Code = ({ vars }) => {
    seen.push(`${JSON.stringify(vars)} ${'admin' in vars ? 'admin' : 'guest'}`);
    return { b: 1 };
  };
  const story = new Story(
    draw(['x -> one -> box', 'two -> three'], {
      x: { kind: 'set', code: { value: () => evil } },
      one: { kind: 'set', code: { value: look } },
      box: { kind: 'scope', settings: { body: 'two' } },
      two: { kind: 'set', in: 'box', code: { value: look } },
      three: { kind: 'set', in: 'box', code: { value: look } },
    }),
  );
  story.start();
  expect(seen).toEqual([
    '{"__proto__":{"admin":true}} guest',
    '{"__proto__":{"admin":true},"b":1} guest',
    '{"__proto__":{"admin":true},"b":1} guest',
  ]);
});

test('what a scope sees costs no copy when only one scope has values', () => {
  const story = new Story(
    draw(['A -> box', 'In'], {
      box: { kind: 'scope', settings: { body: 'In' } },
      In: { kind: 'step', in: 'box' },
    }),
  );
  story.start();
  answerAt(story, ['A']);
  const [root, inner] = story.instance.scopes.values();
  const seen = valuesUp(story.instance, inner?.id ?? (0 as ScopeId), 'results');
  expect(seen).toBe(root?.results.object);
  play(story, (tokens) => tokens[0]);
});
