import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { Code, NodeCode } from '../model/definition.ts';
import { begun, birthsAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const amountOf = (input: unknown): number => (input as { amount: number }).amount;

function loan(code: NodeCode): Drawing {
  return draw(['size -> Board -> end', 'size -> Review -> end', 'size -> end'], {
    size: {
      kind: 'choose',
      settings: {
        arms: [
          { edge: 'size->Board', slot: 'huge' },
          { edge: 'size->Review', slot: 'large' },
        ],
        otherwise: 'size->end',
      },
      code,
    },
    end: { kind: 'end' },
  });
}

const bySize = loan({
  huge: ({ input }) => amountOf(input) > 1_000,
  large: ({ input }) => amountOf(input) > 100,
});

test('B-25 B-26: a choice takes the first arm whose condition holds', () => {
  const story = new Story(bySize);

  expect(story.start({ amount: 5_000 })).toBe(text`
    start  test {"amount":5000}
    open   scope 1
    birth  token 2 at size
    birth  token 3 at Board ready
    end    token 2 done
    ! offer token 3 to test@1/Board
  `);
});

test('a later arm is taken when the ones before it do not hold', () => {
  expect(new Story(bySize).start({ amount: 500 })).toContain('birth  token 3 at Review ready');
});

test('B-26: otherwise is taken when no arm holds: no token is left standing (1d.7)', () => {
  const story = new Story(bySize);
  expect(story.start({ amount: 5 })).toContain('birth  token 3 at end');
  expect(story.head.status).toBe('completed');
});

test('conditions behind the one that holds are not asked', () => {
  const story = new Story(loan({ huge: () => true, large: () => Reflect.get(null as never, 'x') }));
  expect(story.start()).toContain('at Board ready');
});

test('a condition that throws is a fault and is never read as false', () => {
  const story = new Story(bySize);
  story.start(null);
  expect(story.head).toMatchObject({
    status: 'failed',
    fault: { code: 'code.threw', node: 'size' },
  });
});

describe('a condition that answers anything but true or false is a fault', () => {
  for (const answer of [null, 0, 1, '', 'yes', [], {}]) {
    test(JSON.stringify(answer), () => {
      const story = new Story(loan({ huge: () => answer, large: () => true }));
      story.start();
      expect(story.head.fault).toEqual({
        code: 'choose.not-boolean',
        message: `"huge" of "size" answers true or false; came ${JSON.stringify(answer)}`,
        node: 'size',
      });
    });
  }
});

test('the fault of a long answer is short', () => {
  const story = new Story(loan({ huge: () => 'x'.repeat(1_000_000), large: () => true }));
  story.start();
  expect(story.head.fault?.message.length).toBeLessThan(200);
});

test('a choice keeps the groups of its token', () => {
  const story = new Story(
    draw(['f -> c', 'f -> B -> j', 'c -> j', 'c -> A -> j'], {
      f: { kind: 'fork' },
      j: { kind: 'join' },
      c: {
        kind: 'choose',
        settings: { arms: [{ edge: 'c->A', slot: 'a' }], otherwise: 'c->j' },
        code: { a: () => true },
      },
    }),
  );
  expect(story.start()).toContain('birth  token 6 at A ready in 3');
});

describe('with many', () => {
  /** Every way whose name the input holds, else C. */
  function picking(code: NodeCode = {}): Drawing {
    const arms = ['A', 'B'].map((way) => ({ edge: `c->${way}`, slot: way }));
    const holds = (way: string): Code => {
      return ({ input }) => (input as string).includes(way);
    };
    return draw(['c -> A', 'c -> B', 'c -> C'], {
      c: {
        kind: 'choose',
        settings: { arms, otherwise: 'c->C', many: true },
        code: { A: holds('A'), B: holds('B'), ...code },
      },
    });
  }
  const takenFor = (input: string): string[] => {
    const { tokens } = begun(picking(), {}, input).instance;
    return tokens.values().map(({ node }) => node);
  };

  test('a choice takes every arm whose condition holds, each with a token of its own', () => {
    expect(new Story(picking()).start('AB')).toBe(text`
      start  test "AB"
      open   scope 1
      birth  token 2 at c
      birth  token 3 at A ready
      birth  token 4 at B ready
      end    token 2 done
      ! offer token 3 to test@1/A
      ! offer token 4 to test@1/B
    `);
  });

  test('one, several, or otherwise: no token is left standing', () => {
    expect(takenFor('A')).toEqual(['A']);
    expect(takenFor('B')).toEqual(['B']);
    expect(takenFor('BA')).toEqual(['A', 'B']);
    expect(takenFor('')).toEqual(['C']);
  });

  test('conditions behind one that holds are asked too, and a fault in one takes no way', () => {
    const threw = begun(picking({ B: () => Reflect.get(null as never, 'x') }), {}, 'A');
    expect(threw.head.fault).toMatchObject({ code: 'code.threw', node: 'c' });
    const odd = begun(picking({ B: () => 1 }), {}, 'A');
    expect(odd.head.fault?.code).toBe('choose.not-boolean');
    expect([birthsAt(threw, 'A'), birthsAt(odd, 'A')]).toEqual([0, 0]);
  });

  test('its tokens are of no group of their own: a fork around it is unchanged', () => {
    const { draft, code = {} } = picking();
    const nodes = [{ id: 'f', kind: 'fork', settings: {} }, ...draft.nodes];
    const ways = ['c', 'C'].map((to) => ({ id: `f->${to}`, from: 'f', to }));
    const edges = [...ways, ...draft.edges];
    const story = begun({ draft: { ...draft, start: 'f', nodes, edges }, code }, {}, 'AB');
    const groups = story.instance.tokens.values().map((token) => token.groups);
    expect(groups).toEqual([[3], [3], [3]]);
  });

  test('without it the first that holds is the only one', () => {
    const { draft, code = {} } = picking();
    const nodes = draft.nodes.map((node) =>
      node.id === 'c' ? { ...node, settings: { ...node.settings, many: false } } : node,
    );
    const story = begun({ draft: { ...draft, nodes }, code }, {}, 'AB');
    expect(story.instance.tokens.values().map(({ node }) => node)).toEqual(['A']);
  });
});

function problems(settings: JsonObject): string[] {
  const drawn = draw(['c -> a', 'c -> b'], { c: { kind: 'choose', settings } });
  return problemsOf(drawn).map((problem) => problem.split(':')[0] ?? '');
}

describe('what is wrong with a choice', () => {
  const arm = { edge: 'c->a', slot: 'a' };

  test('its arms are a list of edges and slots', () => {
    expect(problems({ otherwise: 'c->b' })).toEqual(['choose.bad-arms c', 'choose.stray-edge c']);
    expect(problems({ arms: [], otherwise: 'c->b' })).toContain('choose.bad-arms c');
    expect(problems({ arms: [arm, { edge: 'c->b' }], otherwise: 'c->b' })).toEqual([
      'choose.bad-arms c',
    ]);
    expect(problems({ arms: [{ edge: 1, slot: 'a' }], otherwise: 'c->b' })).toContain(
      'choose.bad-arms c',
    );
    expect(problems({ arms: [7, arm], otherwise: 'c->b' })).toEqual(['choose.bad-arms c']);
  });

  test('it says which way to take when no arm holds', () => {
    expect(problems({ arms: [arm] })).toEqual(['choose.no-otherwise c', 'choose.stray-edge c']);
  });

  test('the edges it names leave it', () => {
    expect(problems({ arms: [arm, { edge: 'a->b', slot: 'x' }], otherwise: 'c->b' })).toEqual([
      'choose.unknown-edge c',
    ]);
    expect(problems({ arms: [arm], otherwise: null })).toContain('choose.unknown-edge c');
  });

  test('every edge that leaves it belongs to an arm or to otherwise', () => {
    const drawn = draw(['c -> a', 'c -> b', 'c -> d'], {
      c: { kind: 'choose', settings: { arms: [arm], otherwise: 'c->b' } },
    });
    expect(problemsOf(drawn)).toEqual(['choose.stray-edge c: "c" never takes its edge "c->d"']);
  });

  test('two arms may take the same way', () => {
    const arms = [arm, { edge: 'c->a', slot: 'b' }];
    expect(problems({ arms, otherwise: 'c->b' })).toEqual([]);
  });
});
