/**
 * Actions that name what is not there, or say what makes no sense, on every store (B-30): each is
 * refused by its name with a sentence, previewed or done, and nothing has changed.
 */
import { expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Acting, Action } from '../model/action.ts';
import { onEveryStore } from '../testing/lab.ts';
import type { Run } from './run.ts';

const job = flow('job')
  .step('first', () => 1)
  .parallel('both', {
    a: (b) => b.waitFor('go', { event: 'go', key: () => 'k' }).step('then', () => 2),
    b: (b) => b.sleep('nap', '1d'),
  })
  .step('never', () => 3)
  .end();

const circular: { self?: unknown } = {};
circular.self = circular;

type Bad = readonly [string, unknown, string];

/** What is wrong with it, what is asked for (`token` is that of the wait), and the code. */
const WRONG: readonly Bad[] = [
  ['no action', null, 'engine.option-invalid'],
  ['an action without a name', {}, 'engine.option-invalid'],
  ['an action that does not exist', { do: 'explode' }, 'engine.option-invalid'],
  ['a name out of the prototype', { do: 'toString' }, 'engine.option-invalid'],
  ['a token that never was', { do: 'skip', token: 4_711 }, 'token.not-found'],
  ['a token that has ended', { do: 'retry', token: 2 }, 'token.not-found'],
  ['a scope in place of a token', { do: 'wake', token: 1 }, 'token.not-found'],
  ['a negative token', { do: 'skip', token: -3 }, 'engine.option-invalid'],
  ['half a token', { do: 'wake', token: 2.5 }, 'engine.option-invalid'],
  ['a token that is no number', { do: 'move', token: '3', to: 'then' }, 'engine.option-invalid'],
  ['a token that is not a number', { do: 'skip', token: Number.NaN }, 'engine.option-invalid'],
  ['no token', { do: 'skip' }, 'engine.option-invalid'],
  ['a result that is no JSON', { do: 'skip', token: 'wait', result: 1n }, 'input.invalid'],
  ['a result that holds itself', { do: 'skip', token: 'wait', result: circular }, 'input.invalid'],
  ['data that is no JSON', { do: 'wake', token: 'wait', data: () => 1 }, 'input.invalid'],
  [
    'a value that is too large',
    { do: 'set', name: 'x', value: 'x'.repeat(2_000) },
    'input.invalid',
  ],
  ['a variable without a name', { do: 'set', name: '', value: 1 }, 'engine.option-invalid'],
  ['a variable that is no text', { do: 'set', name: 7, value: 1 }, 'engine.option-invalid'],
  ['a scope that is not open', { do: 'set', name: 'x', value: 1, scope: 99 }, 'operation.refused'],
  ['a negative scope', { do: 'set', name: 'x', value: 1, scope: -1 }, 'engine.option-invalid'],
  ['an arm that is no text', { do: 'wake', token: 'wait', arm: 7 }, 'engine.option-invalid'],
  ['an arm of a wait that has none', { do: 'wake', token: 'wait', arm: 'x' }, 'operation.refused'],
  ['a node that is not in the plan', { do: 'move', token: 'wait', to: 'moon' }, 'node.not-found'],
  ['a node of another region', { do: 'move', token: 'wait', to: 'never' }, 'operation.refused'],
  ['a node that is no text', { do: 'move', token: 'wait', to: null }, 'engine.option-invalid'],
  ['to run again from nowhere', { do: 'rerun', from: 'moon' }, 'node.not-found'],
  ['to run again from what never came', { do: 'rerun', from: 'never' }, 'operation.refused'],
  ['a key without a copy', { do: 'rerun', from: 'first', key: 'k' }, 'engine.option-invalid'],
  [
    'a copy of no name',
    { do: 'rerun', from: 'first', copy: true, id: '' },
    'engine.option-invalid',
  ],
  [
    'a copy that is maybe one',
    { do: 'rerun', from: 'first', copy: 'yes' },
    'engine.option-invalid',
  ],
  ['a saga that is maybe wanted', { do: 'cancel', saga: 'yes' }, 'engine.option-invalid'],
  ['to revive what has not failed', { do: 'revive' }, 'operation.refused'],
  ['to retry what has not failed', { do: 'retry' }, 'token.not-parked'],
  ['a name in a list', { do: ['cancel'] }, 'engine.option-invalid'],
  ['a misspelt part', { do: 'rerun', from: 'first', cpoy: true }, 'engine.option-invalid'],
  ['a part in capitals', { do: 'cancel', Saga: true }, 'engine.option-invalid'],
  ['a part of another name', { do: 'retry', tokenId: 7 }, 'engine.option-invalid'],
  ['a part too many', { do: 'send', type: 'go', key: 'k' }, 'engine.option-invalid'],
  ['half a character', { do: 'set', name: 'x\ud800', value: 1 }, 'engine.option-invalid'],
  ['to send half a character', { do: 'send', type: 'go\udc00' }, 'message.invalid'],
  ['to send nothing', { do: 'send', type: '' }, 'message.invalid'],
];

const STRANGERS: readonly (readonly [string, unknown])[] = [
  ['nobody at all', null],
  ['a misspelt actor', { acter: 'ada' }],
  ['an actor that is no text', { actor: 7 }],
  ['an actor without a name', { actor: '' }],
  ['an actor of endless name', { actor: 'x'.repeat(501) }],
  ['a reason that is no text', { reason: {} }],
  ['a reason without end', { reason: 'x'.repeat(2_001) }],
];

async function codeOf(doing: Promise<unknown>): Promise<string> {
  try {
    await doing;
    return 'done';
  } catch (thrown) {
    if (thrown instanceof EngineError && thrown.message.length > 10) return thrown.code;
    throw thrown;
  }
}

/** Who acts stands in the history, of what is done. */
const BY: Acting = { actor: 'ada', reason: 'a test' };

/** All there is to know of an instance. */
async function stateOf(run: Run): Promise<unknown> {
  return { view: await run.inspect(), history: await run.history() };
}

onEveryStore('an action that makes no sense', (open) => {
  test('is refused by its name, and nothing has changed', async () => {
    const lab = await open([job], { limits: { VALUE_CHARS_MAX: 1_000 } });
    const run = await lab.engine.start(job, null);
    await lab.settle();
    const before = await stateOf(run);
    const wait = (await run.tokens()).find(({ node }) => node === 'go')?.id;
    const found = new Map<string, readonly string[]>();
    for (const [what, asked] of WRONG) {
      const isWait = (asked as { token?: unknown } | null)?.token === 'wait';
      const action = (isWait ? { ...(asked as object), token: wait } : asked) as Action;
      const codes = [await codeOf(run.act(action, BY)), await codeOf(run.preview(action))];
      found.set(what, codes);
    }
    const expected = WRONG.map(([what, , code]) => [what, [code, code]] as const);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    for (const [what, acting] of STRANGERS) {
      const code = await codeOf(run.act({ do: 'suspend' }, acting as Acting));
      expect([what, code]).toEqual([what, 'engine.option-invalid']);
    }
    expect(await stateOf(run)).toEqual(before);
    expect(await lab.store.scan(null, 10)).toEqual([run.id]);
    expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  });

  test('is told of with what was meant, also where the verb has a name of its own', async () => {
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.settle();
    const before = await stateOf(run);
    const told: readonly (readonly [() => Promise<unknown>, string])[] = [
      [() => run.act({ do: 'cancle' } as never), 'did you mean "cancel"'],
      [() => run.act({ do: 'rerun', from: 'first', cpoy: true } as never), 'did you mean "copy"'],
      [() => run.act({ do: 'retry', tokenId: 7 } as never), 'did you mean "token"'],
      [() => run.cancel({ Saga: true } as never), 'did you mean "saga"'],
      [() => run.suspend({ Reason: 'x' } as never), 'did you mean "reason"'],
      [() => run.rerun('first', { cpoy: true } as never), 'did you mean "copy"'],
      [() => run.cancel(null as never), 'cancel is an object'],
      [() => run.wake(3, null, null as never), 'wake is an object'],
      [() => lab.engine.list(null as never), 'is an object'],
      [() => lab.engine.start(job, null, null as never), 'is an object'],
      [() => lab.engine.start(job, null, { onconflict: 'fail' } as never), '"onConflict"'],
      [() => lab.engine.start(job, null, { id: 'x\ud800' }), 'id is a text'],
      [() => lab.engine.start(job, null, { key: '\udfff' }), 'key is a text'],
      [() => lab.engine.list({ key: '\udfff' }), 'key is a text'],
      [() => lab.engine.list({ version: 2 ** 40 }), 'version is a whole number'],
    ];
    for (const [ask, message] of told) {
      await expect(ask()).rejects.toMatchObject({
        code: 'engine.option-invalid',
        message: expect.stringContaining(message),
      });
    }
    expect(await stateOf(run)).toEqual(before);
    expect(await lab.store.scan(null, 10)).toEqual([run.id]);
  });

  test('a message to one that is over was previewed as if it could be sent', async () => {
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.settle();
    await run.cancel();
    const send = { do: 'send', type: 'go' } as const;
    const codes = [await codeOf(run.act(send)), await codeOf(run.preview(send))];
    expect(codes).toEqual(['instance.over', 'instance.over']);
  });

  test('on an instance that does not exist any more says so', async () => {
    const lab = await open([job]);
    const run = await lab.engine.start(job, null);
    await lab.settle();
    await run.cancel();
    await lab.advance('1d');
    await lab.engine.prune({ olderThan: '1h' });
    expect(await lab.engine.get(run.id)).toBe(undefined);
    const actions: readonly Action[] = [
      ...([{ do: 'cancel' }, { do: 'suspend' }, { do: 'resume' }, { do: 'retry' }] as const),
      ...([{ do: 'revive' }, { do: 'rerun', from: 'first' }, { do: 'skip', token: 3 }] as const),
      ...([
        { do: 'wake', token: 3 },
        { do: 'set', name: 'x', value: 1 },
      ] as const),
      ...([
        { do: 'move', token: 3, to: 'never' },
        { do: 'send', type: 'go' },
      ] as const),
    ];
    for (const action of actions) {
      const codes = [await codeOf(run.act(action)), await codeOf(run.preview(action))];
      expect([action.do, ...codes]).toEqual([action.do, ...Array(2).fill('instance.not-found')]);
    }
  });
});
