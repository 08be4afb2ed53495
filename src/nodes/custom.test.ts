/** What an application's kind may answer, and what comes of everything else. */
import { describe, expect, test } from 'vitest';
import { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { defineKind } from '../frontends/kinds/define-kind.ts';
import { fault, go, pause } from '../frontends/kinds/moves.ts';
import { type CustomKind, isCustom } from '../model/custom-kind.ts';
import type { Flow } from '../model/definition.ts';
import type { Fault } from '../model/instance.ts';
import type { Limits } from '../model/limits.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { kinds } from './index.ts';

/** A kind without types, as a program without them would have it. */
function untyped(parts: object): CustomKind {
  return defineKind({ kind: 'acme.odd', enter: () => go(1), ...parts });
}

/** An instance of one node, and the fault it ends with. */
async function faultOf(kind: CustomKind, limits: Partial<Limits> = {}): Promise<Fault | null> {
  const job = flow('job')
    .node('odd', kind, null as never)
    .end();
  const kit = createTestEngine({ flows: [job], limits });
  const run = await kit.start(job, null);
  await kit.runUntilIdle();
  for (const { id, wait } of await run.tokens()) {
    if (wait?.on === 'signal') await run.wake(id, 'go', { as: kind });
  }
  await kit.runUntilIdle();
  const { fault: found, status } = await run.inspect();
  expect(status).toBe(found === null ? 'completed' : 'failed');
  expect(await kit.engine.check()).toMatchObject({ ok: true });
  await kit.close();
  return found;
}

const trap = new Proxy(
  {},
  {
    get: () => {
      throw new Error('a trap');
    },
    ownKeys: () => {
      throw new Error('a trap');
    },
  },
);

const BAD: Readonly<Record<string, readonly [answer: () => unknown, says: string]>> = {
  nothing: [() => undefined, 'answers with go(…), pause(…), fault(…) or end(…); came null'],
  'a text': [() => 'go', 'came "go"'],
  'a move of the kernel': [() => ({ move: 'terminate', output: 1 }), 'answers with go(…)'],
  'a prototype’s word': [() => ({ move: 'constructor' }), 'answers with go(…)'],
  'a promise': [() => Promise.reject(new Error('late')), 'so what takes time is a step'],
  'a function': [() => () => go(1), 'is a function'],
  'a date': [() => go(new Date(0)), '"/result" is a Date'],
  'a cycle': [
    () => {
      const ring: Record<string, unknown> = {};
      ring['ring'] = ring;
      return go(ring);
    },
    'in a cycle',
  ],
  'a trap': [() => trap, 'reading it threw'],
  'a trap in a move': [() => ({ move: 'go', result: trap }), 'reading it threw'],
  'a field it has not': [() => ({ move: 'go', reslt: 1 }), 'did you mean "result"?'],
  'a way it has not': [() => ({ move: 'go', way: 'up' }), 'has no ways with names'],
  'a variable of ours': [() => go(1, { vars: { $map: 1 } }), 'is no name of a variable'],
  'variables in a list': [() => ({ move: 'go', vars: [1] }), 'by name, as an object'],
  'a place there is not': [() => ({ move: 'go', in: 'flow' }), "in 'scope' or in 'instance'"],
  'outbound of nothing': [() => go(1, { outbound: [{}] as never }), 'as a list of { type, key'],
  'a fault without code': [() => ({ move: 'fault', message: 'x' }), 'with a code and a message'],
  'a pause for ever and a day': [() => pause({ timeout: 'soon' }), 'a timeout that is a duration'],
  'a pause of two times': [() => pause({ timeout: 1, until: 2 }), 'and not both'],
  'a pause until whenever': [() => pause({ until: 1.5 }), 'until a moment in ms'],
  'a pause without a key': [() => pause({ event: 'e' }), 'by its type and its key'],
  'a pause without a name': [() => pause({ name: '' }), 'pauses by a name'],
};

describe('what is no move is a fault of the instance', () => {
  for (const [name, [answer, says]] of Object.entries(BAD)) {
    test(`${name}, on entering and on being resumed`, async () => {
      const bad = { code: 'kind.bad-move', node: 'odd', message: expect.stringContaining(says) };
      expect(await faultOf(untyped({ pauses: true, enter: answer }))).toMatchObject(bad);
      const resumed = untyped({ pauses: true, enter: () => pause(), resume: answer });
      expect(await faultOf(resumed)).toMatchObject(bad);
    });
  }

  test('a throw, by its own code if it has one', async () => {
    const broken = (code?: string) => () => {
      throw Object.assign(new Error('no'), code === undefined ? {} : { code });
    };
    expect(await faultOf(untyped({ enter: broken() }))).toMatchObject({ code: 'kind.threw' });
    const own = await faultOf(untyped({ enter: broken('acme.closed') }));
    expect(own).toEqual({ code: 'acme.closed', message: 'no', node: 'odd' });
  });

  test('too much of it, and not a character less', async () => {
    const answer = (chars: number) => untyped({ enter: () => go('x'.repeat(chars)) });
    const around = JSON.stringify(go('')).length;
    const VALUE_CHARS_MAX = 1_000;
    expect(await faultOf(answer(1_000 - around), { VALUE_CHARS_MAX })).toBeNull();
    expect(await faultOf(answer(1_001 - around), { VALUE_CHARS_MAX })).toMatchObject({
      code: 'kind.too-large',
      message: expect.stringContaining('VALUE_CHARS_MAX 1000'),
    });
  });

  test('a leave that throws or answers nonsense: when it pauses, and never later', async () => {
    const leaving = (leave: () => unknown) =>
      untyped({ pauses: true, enter: () => pause(), leave });
    const throws = leaving(() => {
      throw new Error('no');
    });
    expect(await faultOf(throws)).toMatchObject({ code: 'kind.threw' });
    expect(await faultOf(leaving(() => [{ type: 7 }]))).toMatchObject({ code: 'kind.bad-move' });
    expect(await faultOf(leaving(async () => []))).toMatchObject({ code: 'kind.bad-move' });
    expect(await faultOf(leaving(() => undefined))).toBeNull();
  });

  test('O-49: a pause, if its kind does not say that it pauses', async () => {
    const found = await faultOf(untyped({ enter: () => pause() }));
    expect(found).toMatchObject({ code: 'kind.may-not-pause', node: 'odd' });
  });
});

describe('what a kind sees', () => {
  test('is frozen, whatever it does to it', async () => {
    const vandal = untyped({
      enter(view: { config: unknown; results: Record<string, unknown>; now: number }) {
        view.results['odd'] = 'mine';
        return go(1);
      },
    });
    expect(await faultOf(vandal)).toMatchObject({ code: 'kind.threw' });
    const another = untyped({
      enter(view: { now: number }) {
        view.now = 0;
        return go(1);
      },
    });
    expect(await faultOf(another)).toMatchObject({ code: 'kind.threw' });
  });

  test('is where it stands, and all that code of a flow sees', async () => {
    const seen: unknown[] = [];
    const looks = defineKind({
      kind: 'acme.look',
      config: (config) => config,
      enter: (view) => {
        seen.push(view);
        return go(1);
      },
    });
    const job = flow<{ sku: string }, { colour: string }>('job', { vars: { colour: 'red' } })
      .step('first', () => 'one')
      .repeat('passes', { times: 1 }, (r) => r.node('look', looks, { deep: [1] }))
      .end();
    const now = Date.UTC(2026, 5);
    const kit = createTestEngine({ flows: [job], now });
    const run = await kit.start(job, { sku: 'A1' }, { key: 'k' });
    await kit.runUntilIdle();
    expect(seen).toEqual([
      {
        ...{ config: { deep: [1] }, node: 'look', ways: [], key: 'k', now },
        ...{ instance: run.id, token: expect.any(Number) },
        ...{ input: { sku: 'A1' }, results: { first: 'one' }, vars: { colour: 'red' } },
        ...{ item: null, index: 0 },
      },
    ]);
    await kit.close();
  });
});

test('O-18: a try catches what a kind says is wrong, and not that the kind is', async () => {
  const tried = (kind: CustomKind): Flow =>
    flow('job')
      .try('safe', (b) => b.node('odd', kind, null as never), { do: (b) => b.set('ok', () => 1) })
      .end(({ results }) => results.ok ?? null);
  const outcome = async (kind: CustomKind): Promise<unknown> => {
    const job = tried(kind);
    const kit = createTestEngine({ flows: [job] });
    const run = await kit.start(job, null as never);
    await kit.runUntilIdle();
    const ended = await run.result().catch((error: EngineError) => error.details['fault']);
    await kit.close();
    return ended;
  };
  expect(await outcome(untyped({ enter: () => fault('acme.full', 'no room') }))).toBe(1);
  const odd = untyped({
    enter: () => {
      throw new Error('no');
    },
  });
  expect(await outcome(odd)).toBe(1);
  const guard = { guard: true };
  expect(await outcome(untyped({ enter: () => pause() }))).toMatchObject(guard);
  expect(await outcome(untyped({ enter: () => 7 }))).toMatchObject(guard);
});

describe('the definition of a kind', () => {
  test('has a name that none of ours can have', () => {
    expect([...kinds.keys()].filter(isCustom)).toEqual([]);
  });

  test.each<[string, object, string]>([
    ['no dot', { kind: 'gate' }, 'with a dot in it'],
    ['an empty part', { kind: 'acme.' }, 'with a dot in it'],
    ['spaces', { kind: 'acme. gate' }, 'with a dot in it'],
    ['too long', { kind: `acme.${'x'.repeat(96)}` }, '100 characters'],
    ['no enter', { enter: 7 }, 'has enter(view)'],
    ['a resume that is none', { resume: 7 }, 'resume as a function'],
    ['a schema that is none', { config: {} }, 'Standard Schema or a function'],
    ['a word', { pauses: 'yes' }, 'pauses: true or false'],
    ['another owner', { wakes: 'me' }, "'any' or 'owner'"],
    ['a way twice', { ways: ['a', 'a'] }, 'list of different names'],
    ['no ways', { ways: [] }, 'list of different names'],
    ['a misspelt field', { onEnter: 7 }, 'has no "onEnter"'],
  ])('with %s is refused', (_, parts, says) => {
    const made = () => untyped(parts);
    expect(made).toThrow(says);
    expect(made).toThrow(expect.objectContaining({ code: 'definition.invalid' }));
  });
});

describe('a node of it', () => {
  const problems = (job: Flow, more: readonly CustomKind[] = []): unknown => {
    try {
      void createTestEngine({ flows: [job], kinds: more }).close();
    } catch (thrown) {
      if (thrown instanceof EngineError) return thrown.details['diagnostics'];
      throw thrown;
    }
    return [];
  };

  test('whose config does not fit is a diagnostic for each reason, with the node', () => {
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'here',
        validate: () => ({
          issues: [
            { message: 'is missing', path: ['gate'] },
            { message: 'is no day', path: [{ key: 'days' }, 0] },
          ],
        }),
      },
    };
    const said = problems(
      flow('job')
        .node('odd', untyped({ config: schema }), 1 as never)
        .end(),
    );
    expect(said).toMatchObject([
      {
        ...{ code: 'kind.bad-config', node: 'odd', flow: 'job' },
        message: 'the config of "odd": gate: is missing',
      },
      { code: 'kind.bad-config', message: 'the config of "odd": days.0: is no day' },
    ]);
  });

  test('is checked at once, by whatever its kind has for it', () => {
    const checked = (config: unknown) =>
      problems(
        flow('job')
          .node('odd', untyped({ config }), {} as never)
          .end(),
      );
    const says = (message: string) => [{ code: 'kind.bad-config', message }];
    const throws = () => {
      throw new Error('it has no gate');
    };
    expect(checked(throws)).toMatchObject(says('the config of "odd": it has no gate'));
    const late = async () => ({});
    const slow = { '~standard': { validate: late } };
    const atOnce = says(expect.stringContaining('answered with a promise') as never);
    expect([checked(late), checked(slow)]).toMatchObject([atOnce, atOnce]);
    expect(checked(() => new Date(0))).toMatchObject(
      says('the config of "odd" is JSON: the value is a Date; use date.toISOString()'),
    );
    expect(checked(() => undefined)).toEqual([]);
  });

  test('has the ways of its kind, all of them and no others', () => {
    const sort = untyped({ ways: ['high', 'low'], enter: () => go(1, { way: 'high' }) });
    const node = (ways?: object) => flow('job').node('odd', sort, null as never, ways as never);
    expect(problems(node().end())).toEqual([]);
    expect(problems(node({ high: (b: unknown) => b }).end())).toEqual([]);
    expect(problems(node({ up: (b: unknown) => b }).end())).toMatchObject([
      {
        code: 'kind.bad-ways',
        message: '"acme.odd" goes on by high, low; "odd" has no way "up"',
      },
    ]);
    const plain = flow('job').node('odd', untyped({}), null as never, { up: (b) => b });
    expect(problems(plain.end())).toMatchObject([{ code: 'kind.bad-ways' }]);
    const draft = flow('job').node('odd', 'acme.odd', null).end();
    expect(problems(draft, [sort])).toMatchObject([
      { code: 'kind.bad-ways', message: expect.stringContaining('lacks the way "high"') },
    ]);
  });

  test('has a config and ways in its draft, and nothing else', () => {
    const job = flow('job')
      .node('odd', untyped({}), null as never)
      .end();
    const { draft } = job.definition;
    const nodes = draft.nodes.map((node) =>
      node.id === 'odd' ? { ...node, settings: { gate: 'north' } } : node,
    );
    const odd = { ...job, definition: { ...job.definition, draft: { ...draft, nodes } } };
    expect(problems(odd)).toMatchObject([
      { code: 'kind.unknown-setting', node: 'odd', message: expect.stringContaining('no "gate"') },
    ]);
  });

  test('needs a kind, or the name of one', () => {
    const node = (kind: unknown) =>
      problems(
        flow('job')
          .node('odd', kind as never)
          .end(),
      );
    expect(node(7)).toMatchObject([{ code: 'kind.unknown' }]);
    expect(node('gate')).toMatchObject([{ code: 'kind.unknown' }]);
    expect(node({ kind: 'acme.odd' })).toMatchObject([
      { message: expect.stringContaining('this one has enter(view)') },
    ]);
  });

  test('makes another plan with another config', () => {
    const hash = (config: number): string => {
      const job = flow('job')
        .node('odd', untyped({}), config as never)
        .end();
      const { library } = createTestEngine({ flows: [job] }).engine.parts;
      return library.latest('job')?.plan.hash ?? '';
    };
    expect(hash(1)).toBe(hash(1));
    expect(hash(1)).not.toBe(hash(2));
  });
});
