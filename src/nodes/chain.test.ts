/** Where a chain begins (D9). */
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import { assemble, rowsOf } from '../kernel/instance.ts';
import type { ScopeId, TokenId } from '../model/ids.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const retry = { maxAttempts: 3, delayMs: 1_000, backoff: 'exponential', maxDelayMs: 300_000 };
const link = (type: string): { kind: string; settings: JsonObject } => ({
  kind: 'link',
  settings: { type, retry: { ...retry, jitter: 0 } },
});

const orders = draw(['orders -> CHECK -> PAY'], {
  orders: { kind: 'chain', settings: { links: ['CHECK', 'PAY'] } },
  CHECK: link('CHECK'),
  PAY: link('PAY'),
});

test('L-03 L-04: all steps are rows from the start, the first ready, the others in line', () => {
  const story = new Story(orders);

  expect(story.start({ sku: 'A1' })).toBe(text`
    start  test {"sku":"A1"}
    open   scope 1
    birth  token 2 at orders
    output {"sku":"A1"}
    birth  token 3 at CHECK ready
    birth  token 4 at PAY created
    end    token 2 done
    ! offer token 3 to test/CHECK
  `);
  expect(story.instance.tokens.values()).toMatchObject([
    { seq: 0, status: 'ready', handler: 'test/CHECK', maxAttempts: 3 },
    { seq: 1, status: 'created', handler: 'test/PAY', maxAttempts: 3 },
  ]);
});

test('L-30 L-31: what is done calls the next one, and the last one ends the instance', () => {
  const story = new Story(orders);
  story.start();
  story.now = 500;
  story.instance = assemble(rowsOf(story.instance));

  expect(story.done(3)).toBe(text`
    claim  token 3 by w1
    ready  token 4
    end    token 3 done
    ! offer token 4 to test/PAY
  `);
  expect(story.instance.tokens.get(4 as TokenId)).toMatchObject({
    status: 'ready',
    availableAt: 500,
  });
  expect(story.done(4)).toBe(text`
    claim  token 4 by w1
    end    token 4 done
    close  scope 1
    finish completed
    ! ended
  `);
});

test('a chain of one step', () => {
  const story = new Story(
    draw(['one -> A'], { one: { kind: 'chain', settings: { links: ['A'] } }, A: link('A') }),
  );
  story.start();
  expect(story.done(3)).toContain('finish completed');
});

test('X-02: those whose turn has not come do not keep the instance, nor do they move it', () => {
  const story = new Story(orders);
  story.start();
  expect(story.instance.moving).toBe(1);
  expect(story.instance.inhabitants.get(1 as ScopeId)).toBe(1);
  expect(story.fatal(3)).toContain('finish failed boom');
});

function chained(links: Json): Drawing {
  return draw(['orders -> CHECK'], {
    orders: { kind: 'chain', settings: links === undefined ? {} : { links } },
    CHECK: link('CHECK'),
  });
}

test('what is wrong with a chain: it does not name its steps', () => {
  const wrong = 'chain.no-links orders: "orders" names the steps of its chain in order';
  for (const links of [undefined, null, 'CHECK', [], [1]]) {
    expect(problemsOf(chained(links as Json))).toContain(wrong);
  }
});
