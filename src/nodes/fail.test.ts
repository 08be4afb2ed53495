import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../base/json.ts';
import type { Code } from '../model/definition.ts';
import { answerAt, begun, tokensAt } from '../testing/play.ts';
import { problemsOf } from '../testing/problems.ts';
import { type Drawing, draw, type Story } from '../testing/story.ts';
import { text } from '../testing/text.ts';

const end = { kind: 'end', settings: { output: 'results' } };
const noStock = { code: 'no.stock', message: 'none left', details: { sku: 'A1' } };

/** A fail with an error of its own, or with one that a closure makes. */
function failing(error: Json | Code): Drawing {
  const settings = typeof error === 'function' ? {} : { error };
  const code = typeof error === 'function' ? { error } : {};
  return draw(['Look -> stop'], { stop: { kind: 'fail', settings, code } });
}

/** What the instance fails with. */
function faultOf(error: Json | Code, limits = {}): unknown {
  const story = begun(failing(error), { limits }, { sku: 'A1' });
  answerAt(story, ['Look']);
  return story.head.fault;
}

test('a fail raises an error here, and the instance fails with it', () => {
  const story = begun(failing(noStock));

  expect(story.done(2)).toBe(text`
    claim  token 2 by w1
    write  scope 1 results {"Look":null}
    birth  token 3 at stop
    end    token 2 done
    end    token 3 failed no.stock
    close  scope 1
    finish failed no.stock
    ! ended
  `);
  expect(story.head.fault).toEqual({ ...noStock, node: 'stop' });
});

describe('it is treated as any other error that happens at this place', () => {
  test('the nearest node around it that catches it does', () => {
    const lines = ['outer -> end', 'outer -> far -> end', 'inner -> x', 'inner -> near -> x'];
    const story = begun(
      draw(lines, {
        outer: {
          kind: 'try',
          settings: { body: 'inner', done: 'outer->end', caught: 'outer->far' },
        },
        inner: {
          kind: 'try',
          settings: { body: 'stop', done: 'inner->x', caught: 'inner->near' },
          in: 'outer',
        },
        stop: { kind: 'fail', settings: { error: noStock }, in: 'inner' },
        near: { kind: 'pass', in: 'outer' },
        x: { kind: 'pass', in: 'outer' },
        end,
      }),
    );
    expect(story.head).toMatchObject({
      status: 'completed',
      output: { inner: { ...noStock, node: 'stop' } },
    });
  });

  test('its siblings are cancelled', () => {
    const story = begun(
      draw(['f -> A', 'f -> Look -> stop'], {
        f: { kind: 'fork' },
        stop: { kind: 'fail', settings: { error: 'no' } },
      }),
    );
    answerAt(story, ['Look']);
    expect(story.head.status).toBe('failed');
    expect(story.instance.tokens.size).toBe(0);
  });

  test('what was done is undone first', () => {
    const { draft } = failing(noStock);
    const nodes = draft.nodes.map((node) =>
      node.id === 'Look' ? { ...node, settings: { undo: {} } } : node,
    );
    const story = begun({ draft: { ...draft, nodes } });
    expect(story.done(2, 'looked')).toContain('birth  token 5 at Look ready undoing 3');
    expect(story.head).toMatchObject({ status: 'compensating', fault: { code: 'no.stock' } });
    expect(story.done(5)).toContain('finish failed no.stock compensated');
  });

  test('where the flow asks for repair it waits for that: trying again fails again', () => {
    const { draft } = failing(noStock);
    const story = begun({ draft: { ...draft, onFailure: 'incident' } });
    expect(story.done(2)).toContain('park   token 3 for someone to retry or skip or cancel it');
    expect(story.retry(3)).toContain('park   token 3 for someone to retry or skip or cancel it');
    expect(story.skip(3)).toContain('finish completed');
  });

  test('a fatal one is caught, and no retry runs the region again', () => {
    const retry = { maxAttempts: 3, delayMs: 1, backoff: 'fixed', maxDelayMs: 1, jitter: 0 };
    const trying = (error: JsonObject): Story =>
      begun(
        draw(['t -> end', 't -> Mend -> end'], {
          t: { kind: 'try', settings: { body: 'stop', done: 't->end', caught: 't->Mend', retry } },
          stop: { kind: 'fail', settings: { error }, in: 't' },
          end,
        }),
      );
    expect(tokensAt(trying({ ...noStock, fatal: true }), 'Mend')).toHaveLength(1);
    expect(tokensAt(trying(noStock), 'Mend')).toHaveLength(0);
  });
});

describe('the error is fixed in the definition', () => {
  test('as a text, which is the message of a flow.failed', () => {
    expect(faultOf('none left')).toEqual({
      code: 'flow.failed',
      message: 'none left',
      node: 'stop',
    });
  });

  test('as an object with a code, a message, or both', () => {
    const code = 'no.stock';
    expect(faultOf({ code })).toEqual({ code, message: code, node: 'stop' });
    expect(faultOf({ message: 'none left' })).toMatchObject({ code: 'flow.failed' });
    expect(faultOf(noStock)).toEqual({ ...noStock, node: 'stop' });
    expect(faultOf({ ...noStock, fatal: true })).toMatchObject({ fatal: true });
  });

  test('details that say nothing are left out', () => {
    expect(faultOf({ code: 'no.stock', details: {} })).toEqual({
      code: 'no.stock',
      message: 'no.stock',
      node: 'stop',
    });
  });
});

describe('or it is made by a closure', () => {
  test('which sees what the node sees', () => {
    const code: Code = ({ input, results }) => ({
      code: 'no.stock',
      details: { input, results } as JsonObject,
    });
    expect(faultOf(code)).toMatchObject({
      details: { input: { sku: 'A1' }, results: { Look: 'Look' } },
    });
  });

  test('which may hand on an error that was caught; where it is raised is here', () => {
    const story = begun(
      draw(['t -> end', 't -> again', 'Work'], {
        t: { kind: 'try', settings: { body: 'Work', done: 't->end', caught: 't->again' } },
        Work: { kind: 'step', in: 't' },
        again: { kind: 'fail', code: { error: ({ results }) => results['t'] } },
        end,
      }),
    );
    story.fatal(4, 'card.stolen');
    expect(story.head.fault).toEqual({
      code: 'card.stolen',
      message: 'card.stolen',
      node: 'again',
      fatal: true,
    });
  });

  test('a closure that throws is the fault itself', () => {
    expect(faultOf(() => Reflect.get(null as never, 'x'))).toMatchObject({
      code: 'code.threw',
      node: 'stop',
    });
  });

  const rules: readonly (readonly [unknown, string])[] = [
    [null, 'an error is a text or { code, message, details }; came null'],
    [undefined, 'an error is a text or { code, message, details }; came null'],
    [7, 'an error is a text or { code, message, details }; came 7'],
    [['a'], 'an error is a text or { code, message, details }; came ["a"]'],
    [{ code: '' }, 'the code and the message of an error are texts; came {"code":""}'],
    [{ code: 7 }, 'the code and the message of an error are texts; came {"code":7}'],
    [{ message: 7 }, 'the code and the message of an error are texts; came {"message":7}'],
    [{ code: 'x', details: 'y' }, 'the details of an error are an object; came "y"'],
    [{ code: 'x', details: [1] }, 'the details of an error are an object; came [1]'],
  ];
  for (const [made, rule] of rules) {
    test(`one that makes ${JSON.stringify(made) ?? 'nothing'} is a fault that says so`, () => {
      expect(faultOf(() => made)).toEqual({
        code: 'fail.bad-error',
        message: `"error" of "stop": ${rule}`,
        node: 'stop',
      });
    });
  }
});

test('D17: a message longer than FAULT_CHARS_MAX is cut, and said to be', () => {
  const message = (length: number): string =>
    (faultOf(() => 'x'.repeat(length), { FAULT_CHARS_MAX: 20 }) as { message: string }).message;
  expect(message(20)).toBe('x'.repeat(20));
  expect(message(21)).toBe(`${'x'.repeat(20)}… (1 more characters)`);
});

describe('what is wrong with a fail', () => {
  test('nothing leads out of it', () => {
    const wrong = draw(['stop -> a'], { stop: { kind: 'fail', settings: { error: 'no' } } });
    expect(problemsOf(wrong)).toEqual(['fail.has-outbound stop: nothing leads out of "stop"']);
  });

  test('its error is a text, or an object with texts', () => {
    for (const error of [null, 7, [], { code: 7 }, { code: 'x', details: 1 }] as Json[]) {
      expect(problemsOf(failing(error))[0]).toContain('fail.bad-error stop: "stop": ');
    }
    expect(problemsOf(failing(null))).toEqual([
      'fail.bad-error stop: "stop": ' +
        'an error is a text or { code, message, details }; came null',
    ]);
  });

  test('all of it is said at once', () => {
    const wrong = draw(['stop -> a'], { stop: { kind: 'fail', settings: { error: 7 } } });
    expect(problemsOf(wrong)).toHaveLength(2);
  });
});
