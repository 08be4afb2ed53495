import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { NodeCode } from '../model/definition.ts';
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
