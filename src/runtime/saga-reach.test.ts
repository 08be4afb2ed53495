/** How far a saga reaches, sagas that a cancel starts, and what an undo is given. */
import { describe, expect, test } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import { broken, did, type Diary, ended, noted, undone } from '../testing/diary.ts';
import { begin, type Begun, onEveryStore } from '../testing/lab.ts';

onEveryStore('B-60: how far a failure is undone', (open) => {
  function job(diary: Diary, saga: 'none' | 'scope' | 'instance', own?: 'scope' | 'none'): Flow {
    const [a, b] = [noted(diary, 'a'), noted(diary, 'b')];
    return flow('far', { saga })
      .step('a', a.run, { undo: a.undo })
      .scope(
        's',
        (s) => s.step('b', b.run, { undo: b.undo }).step('c', broken),
        own === undefined ? {} : { saga: own },
      )
      .end();
  }

  test.each([
    ['none', undefined, []],
    ['scope', undefined, ['undo b']],
    ['instance', undefined, ['undo b', 'undo a']],
    ['instance', 'scope', ['undo b', 'undo a']],
    ['instance', 'none', ['undo a']],
    ['none', 'scope', ['undo b']],
  ] as const)('flow %s, scope %s: %j', async (saga, own, expected) => {
    const diary: Diary = [];
    const { view } = await ended(open, job(diary, saga, own));
    expect(undone(diary)).toEqual(expected);
    expect(view.status).toBe('failed');
  });

  test('a scope is undone before a try around it goes on, and what is outside stands', async () => {
    const diary: Diary = [];
    const [a, b] = [noted(diary, 'a'), noted(diary, 'b')];
    const caught = flow('caught')
      .step('a', a.run, { undo: a.undo })
      .try(
        't',
        (t) =>
          t.scope('s', (s) => s.step('b', b.run, { undo: b.undo }).step('c', broken), {
            saga: 'scope',
          }),
        { do: (c) => c.step('d', () => void diary.push('d')) },
      )
      .end();
    const { view } = await ended(open, caught, { chaos: { crashAfterEveryCommit: true } });
    expect(diary.filter((line, at) => diary.indexOf(line) === at)).toEqual([
      'a',
      'b',
      'undo b',
      'd',
    ]);
    expect(view.status).toBe('completed');
  });

  test('what a scope did is undone with the rest once it has completed', async () => {
    const diary: Diary = [];
    const [a, b] = [noted(diary, 'a'), noted(diary, 'b')];
    const later = flow('later', { saga: 'scope' })
      .step('a', a.run, { undo: a.undo })
      .scope('s', (s) => s.step('b', b.run, { undo: b.undo }))
      .step('c', broken)
      .end();
    await ended(open, later);
    expect(diary).toEqual(['a', 'b', 'undo b', 'undo a']);
  });
});

onEveryStore('cancel', (open) => {
  function job(diary: Diary): Flow {
    const [a, b] = [noted(diary, 'a'), noted(diary, 'b')];
    return flow('long')
      .step('a', a.run, { undo: a.undo })
      .scope('s', (s) => s.step('b', b.run, { undo: b.undo }).sleep('wait', '7d'), {
        saga: 'scope',
      })
      .end();
  }

  function begun(diary: Diary): Promise<Begun> {
    return begin(open, job(diary));
  }

  test('with its saga undoes what was done, and then the instance is canceled', async () => {
    const diary: Diary = [];
    const { lab, run } = await begun(diary);
    await run.cancel({ saga: true });
    await run.cancel({ saga: true });
    await lab.advance('1d');
    expect(diary).toEqual(['a', 'b', 'undo b', 'undo a']);
    const view = await run.inspect();
    expect(view).toMatchObject({ status: 'canceled', outcome: 'compensated', fault: null });
    expect([view.tokens, view.undos, await did(run, 'start-saga')]).toEqual([[], [], 1]);
    await expect(run.result()).rejects.toMatchObject({ code: 'instance.canceled' });
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('without it nothing is undone, and nothing is left behind', async () => {
    const diary: Diary = [];
    const { lab, run } = await begun(diary);
    await run.cancel();
    await lab.advance('8d');
    expect(diary).toEqual(['a', 'b']);
    expect(await run.inspect()).toMatchObject({ status: 'canceled', tokens: [], undos: [] });
  });

  test('of an instance that is over changes nothing; of one nobody knows is refused', async () => {
    const { lab, run } = await begun([]);
    await run.cancel();
    const { version } = await run.inspect();
    await run.cancel({ saga: true });
    expect((await run.inspect()).version).toBe(version);
    expect(await lab.engine.get('nobody')).toBeUndefined();
  });
});

describe('a compensation is given', () => {
  onEveryStore('what the step was', (open) => {
    test('its result, its key, its pass, and the flow as its scope sees it', async () => {
      const seen: unknown[] = [];
      const keys: string[] = [];
      const job = flow<{ n: number }>('given')
        .repeat('r', { times: 2 }, (r) =>
          r.step(
            'a',
            ({ index, idempotencyKey }) => {
              keys.push(idempotencyKey);
              return { index };
            },
            {
              undo: ({ input, result, index, undoes, idempotencyKey, attempt, inDoubt }) => {
                const own = idempotencyKey !== undoes && keys.includes(undoes);
                seen.push([input.n, result.index, index, own, attempt, inDoubt]);
              },
            },
          ),
        )
        .step('b', broken)
        .end();
      const lab = await open([job]);
      await lab.engine.start(job, { n: 7 });
      await lab.settle();
      expect(seen).toEqual([
        [7, 1, 1, true, 1, false],
        [7, 0, 0, true, 1, false],
      ]);
    });
  });
});
