/** One place of a flowchart: by which outcomes it ends, and what follows. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { ActivityDefinition } from '../frontends/flowchart/definition.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import { assemble, rowsOf } from '../kernel/instance.ts';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { ends } from '../testing/ends.ts';
import { oneAt, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, Story, written } from '../testing/story.ts';
import { text } from '../testing/text.ts';

/** An order is checked; then somebody is asked while it is shipped; then it is billed. */
function ordering(bill: Partial<ActivityDefinition> = {}): Drawing {
  return written(
    flowchart({
      id: 'orders',
      version: 1,
      activities: [
        { id: 'check', type: 'check' },
        { id: 'ask', type: 'ask' },
        { id: 'ship', type: 'ship', retry: { maxAttempts: 2 } },
        { id: 'bill', type: 'bill', ...bill },
      ],
      connections: [
        { from: 'check', outcome: 'Ok', to: 'ask' },
        { from: 'check', outcome: 'Ok', to: 'ship' },
        { from: 'check', outcome: 'Small', to: 'bill' },
        { from: 'ask', to: 'bill' },
        { from: 'ship', to: 'bill' },
      ],
    }),
  );
}

function begun(bill: Partial<ActivityDefinition> = {}): Story {
  const story = new Story(ordering(bill), { key: 'order-42' });
  story.start({ total: 5 });
  return story;
}

function tokenAt(story: Story, node: string): Token | undefined {
  return story.instance.tokens.get(oneAt(story, node));
}

test('E-01: a token goes by every connection of the outcome, and by no other', () => {
  const story = begun();

  expect(ends(story, 4, ['Ok'], { total: 5 })).toBe(text`
    claim  token 4 by w1
    write  scope 3 results {"check":{"total":5}}
    birth  token 5 at ask ready
    birth  token 6 at ship ready
    end    token 4 done
    ! offer token 5 to orders/ask
    ! offer token 6 to orders/ship
  `);

  expect(story.waits(5, 'answer', { timeoutMs: 900_000 })).toBe(text`
    claim  token 5 by w1
    park   token 5 for message answer order-42 until 900000
    ! alarm 900000
    ! await answer order-42
  `);

  expect(story.message(5, 'answer', 'order-42', 'yes')).toBe(text`
    wake   token 5 event
    ! offer token 5 to orders/ask
  `);

  expect(story.done(5, 'yes')).toBe(text`
    claim  token 5 by w1
    write  scope 3 results {"ask":"yes"}
    birth  token 7 at bill waiting
    end    token 5 done
  `);

  expect(story.fail(6)).toBe(text`
    claim  token 6 by w1
    retry  token 6 boom until 1000
    ! alarm 1000
  `);

  expect(story.done(6, 'sent')).toBe(text`
    claim  token 6 by w1
    write  scope 3 results {"ship":"sent"}
    birth  token 8 at bill waiting
    end    token 6 done
    birth  token 9 at bill ready
    end    token 7 joined
    end    token 8 joined
    ! offer token 9 to orders/bill
  `);
});

describe('E-02: outcomes', () => {
  test('who says nothing ends with Done', () => {
    const story = begun();
    ends(story, 4, ['Ok']);
    story.done(5);
    story.done(6);
    expect(tokensAt(story, 'bill')).toHaveLength(1);
  });

  test('several may be active at once', () => {
    const told = ends(begun(), 4, ['Ok', 'Small']);
    expect(told.match(/birth .*/g)).toEqual([
      'birth  token 5 at ask ready',
      'birth  token 6 at ship ready',
      'birth  token 7 at bill waiting',
    ]);
  });

  test('two of them that lead to one activity have it run once', () => {
    const both = flowchart({
      id: 'both',
      version: 1,
      activities: [
        { id: 'A', type: 'work' },
        { id: 'B', type: 'work' },
      ],
      connections: [
        { from: 'A', outcome: 'Big', to: 'B' },
        { from: 'A', outcome: 'Red', to: 'B' },
      ],
    });
    const story = new Story(written(both));
    story.start();
    expect(ends(story, 4, ['Big', 'Red']).match(/at B ready/g)).toHaveLength(1);
    story.done(oneAt(story, 'B'));
    expect(story.head.status).toBe('completed');
  });

  test('one that nothing is connected to leads nowhere, and the flowchart may be over', () => {
    const story = begun();
    ends(story, 4, ['Unheard of'], 'kept');
    expect(story.head).toMatchObject({ status: 'completed', output: { check: 'kept' } });
  });

  test('none at all: nothing follows', () => {
    const story = begun();
    ends(story, 4, []);
    expect(story.head.status).toBe('completed');
  });

  test('the same one twice is one', () => {
    const story = begun();
    expect(ends(story, 4, ['Ok', 'Ok']).match(/birth/g)).toHaveLength(2);
  });

  test('named as what every object has, they lead nowhere', () => {
    const story = begun();
    ends(story, 4, ['constructor', '__proto__', 'toString']);
    expect(story.head.status).toBe('completed');
  });

  test('where it says which there are, another one is a fault', () => {
    const story = begun({ outcomes: ['Done', 'Later'] });
    ends(story, 4, ['Small']);
    ends(story, oneAt(story, 'bill'), ['Late']);
    expect(story.head).toMatchObject({
      status: 'failed',
      fault: {
        code: 'activity.unknown-outcome',
        message: '"bill" ended with "Late", and may with Done, Later',
        node: 'bill',
      },
    });
  });
});

describe('waiting', () => {
  test('it is run again, is told why, and waits again if it says so', () => {
    const story = begun();
    story.waits(4, 'answer', { timeoutMs: 10 });
    story.time(4);
    expect(tokenAt(story, 'check')).toMatchObject({
      ...{ status: 'ready', wake: { reason: 'timeout' }, attempts: 0 },
      handler: 'orders/check',
    });
    story.waits(4, 'answer');
    story.instance = assemble(rowsOf(story.instance));
    story.message(4, 'answer', 'order-42', 7);
    expect(tokenAt(story, 'check')?.wake).toEqual({ reason: 'event', payload: 7 });
  });

  test('what runs beside it goes on', () => {
    const story = begun();
    ends(story, 4, ['Ok']);
    story.waits(5, 'answer');
    story.done(6);
    expect(tokensAt(story, 'bill')).toHaveLength(1);
    expect(story.head.status).toBe('running');
  });
});

describe('failing', () => {
  test('without a policy it has one execution, and the flow fails with what it failed with', () => {
    const story = begun();
    story.fail(4, 'no.stock');
    expect(story.head).toMatchObject({
      status: 'failed',
      fault: { code: 'no.stock', node: 'check' },
    });
  });

  test('with one it has as many as that says', () => {
    const story = begun();
    ends(story, 4, ['Ok']);
    const ship = oneAt(story, 'ship');
    story.fail(ship);
    expect(tokenAt(story, 'ship')).toMatchObject({ status: 'ready', attempts: 1 });
    story.fail(ship, 'gone');
    expect(story.head).toMatchObject({ status: 'failed', fault: { code: 'gone' } });
  });

  test('E-09: one that is to be mended keeps its flowchart open; tried again, it ends well', () => {
    const story = begun({ onFailure: 'incident' });
    ends(story, 4, ['Small']);
    const bill = oneAt(story, 'bill');
    story.fail(bill, 'no.ink');
    expect(tokenAt(story, 'bill')?.wait).toMatchObject({ on: 'incident' });
    expect(tokenAt(story, 'bill')?.lastError).toMatchObject({ code: 'no.ink' });
    expect(story.head.status).not.toBe('failed');
    story.retry(bill);
    story.done(bill, 'billed');
    expect(story.head).toMatchObject({ status: 'completed', output: { bill: 'billed' } });
  });

  test('E-09: and one that is skipped goes on as if it had been done', () => {
    const story = begun({ onFailure: 'incident' });
    ends(story, 4, ['Small']);
    const bill = oneAt(story, 'bill');
    story.fail(bill);
    story.skip(bill, 'by hand');
    expect(story.head).toMatchObject({ status: 'completed', output: { bill: 'by hand' } });
  });
});

test('variables it sets are there for those after it', () => {
  const story = begun();
  ends(story, 4, ['Ok']);
  story.done(5, 1, [{ name: 'seen', value: true, in: 'instance' }]);
  expect(story.instance.scopes.get(1 as never)?.vars.object ?? {}).toEqual({ seen: true });
});

test('its handler is known by the name of the flow and by its type, whatever it is called', () => {
  const story = begun();
  expect(story.instance.tokens.get(4 as TokenId)?.handler).toBe('orders/check');
});

describe('what is wrong with an activity', () => {
  const table: readonly (readonly [JsonObject, string])[] = [
    [{ type: null }, 'activity.no-type check: "check" has a type, which is no blank text'],
    [{ type: ' ' }, 'activity.no-type check: "check" has a type, which is no blank text'],
    [{ type: 'a/b' }, 'activity.no-type check: "check" has a type, which is no blank text'],
    [{ ways: {} }, 'activity.bad-ways check: the outcomes of "check" and its connections differ'],
    [{ ways: { Ok: ['x'] } }, 'activity.bad-ways check: the outcomes of "check" and its'],
    [{ retry: null }, 'activity.bad-retry check: the retry of "check": a retry policy is an'],
    [{ timeoutMs: 0 }, 'activity.bad-time check: "timeoutMs" of "check" is a number of ms, more'],
    [{ timeoutMs: '1m' }, 'activity.bad-time check: "timeoutMs" of "check" is a number of ms'],
    [{ priority: 'high' }, 'activity.bad-priority check: the priority of "check" is a whole'],
    [{ limit: {} }, 'activity.bad-limit check: the limit of "check" has a concurrency, a rate'],
  ];
  test.each(table)('%j', (settings, problem) => {
    const { draft } = ordering();
    const nodes = draft.nodes.map((node) => {
      return node.id === 'check' ? { ...node, settings: { ...node.settings, ...settings } } : node;
    });
    expect(problemsOf({ draft: { ...draft, nodes } })).toEqual([expect.stringContaining(problem)]);
  });
});
