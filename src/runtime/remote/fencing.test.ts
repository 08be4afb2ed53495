/** P2 for workers elsewhere: stale answers are fenced, and the same answer twice is one. */
import { expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { flow } from '../../frontends/builder/flow.ts';
import { remote } from '../../frontends/builder/remote.ts';
import { chain } from '../../frontends/chain/chain.ts';
import { type Lab, onEveryStore } from '../../testing/lab.ts';
import type { Assignment } from './assignment.ts';

const W = { worker: 'w1' };
const job = flow<number>('job')
  .step('work', remote<string>(), { retry: { maxAttempts: 3, delay: '1s' } })
  .end(({ results }) => results.work);
const line = chain('line', 1, ['ONE', 'TWO'], { maxAttempts: 2 });

async function fetchOne(lab: Lab, worker: string, handler = 'job/work'): Promise<Assignment> {
  const [found] = await lab.engine.work.fetch({ worker, handlers: [handler], lease: '10s' });
  if (found === undefined) throw new Error(`there is no work for ${handler}`);
  return found;
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const thrown: unknown = await call.then(
    () => 'nothing was thrown',
    (error: unknown) => error,
  );
  return thrown instanceof EngineError ? thrown.code : String(thrown);
}

onEveryStore('an assignment whose lease is over', (open) => {
  test('is lost once another has the work: nothing changes, and a note is left', async () => {
    const lab = await open([job]);
    const run = await lab.engine.start(job, 1);
    const late = await fetchOne(lab, 'w1');
    await lab.advance('11s');
    const prompt = await fetchOne(lab, 'w2');
    expect(prompt.id).not.toBe(late.id);
    const before = await run.history();
    for (const tries of [1, 2]) {
      const answer = lab.engine.work.complete(late.id, { ...W, result: 'late' });
      expect(await codeOf(answer), `try ${tries}`).toBe('work.lost');
    }
    expect(await codeOf(lab.engine.work.extend(late.id, W))).toBe('work.lost');
    const error = { message: 'late, too' };
    expect(await codeOf(lab.engine.work.fail(late.id, { ...W, error }))).toBe('work.lost');
    expect(await run.history()).toEqual(before);
    const notes = (await run.history({ notes: true })).filter(({ n }) => n === null);
    expect(notes).toMatchObject([{ dropped: { worker: 'w1', reason: 'lease lost' } }]);
    await lab.engine.work.complete(prompt.id, { worker: 'w2', result: 'in time' });
    expect(await run.result()).toBe('in time');
    expect(await codeOf(lab.engine.work.complete(late.id, { ...W, result: 'late' }))).toBe(
      'work.lost',
    );
    expect(await lab.engine.check()).toMatchObject({ ok: true });
  });

  test('counts after all if nobody has taken the work back', async () => {
    const lab = await open([job]);
    const run = await lab.engine.start(job, 1);
    const late = await fetchOne(lab, 'w1');
    // Whoever would take it back is gone.
    lab.engine.parts.worker?.abandon();
    await lab.pass('20s');
    await lab.engine.work.complete(late.id, { ...W, result: 'late' });
    expect(await run.inspect()).toMatchObject({ status: 'completed', output: 'late' });
  });

  test('is of no use to a worker of another name', async () => {
    const lab = await open([job]);
    await lab.engine.start(job, 1);
    const { id } = await fetchOne(lab, 'w1');
    const thief = { worker: 'w2' };
    expect(await codeOf(lab.engine.work.extend(id, thief))).toBe('work.lost');
    expect(await codeOf(lab.engine.work.complete(id, thief))).toBe('work.lost');
    expect(await lab.engine.work.complete(id, W)).toMatchObject({ repeated: false });
  });

  test('is lost with its instance', async () => {
    const lab = await open([job]);
    const run = await lab.engine.start(job, 1);
    const { id } = await fetchOne(lab, 'w1');
    await run.cancel();
    expect(await codeOf(lab.engine.work.extend(id, W))).toBe('work.lost');
    expect(await codeOf(lab.engine.work.complete(id, W))).toBe('work.lost');
    const notes = (await run.history({ notes: true })).filter(({ n }) => n === null);
    expect(notes).toMatchObject([{ dropped: { worker: 'w1', reason: 'token gone' } }]);
  });
});

onEveryStore('an answer that is given twice', (open) => {
  test('is one, and the second is told the same as the first', async () => {
    const lab = await open([job]);
    const run = await lab.engine.start(job, 1);
    const { id } = await fetchOne(lab, 'w1');
    const first = await lab.engine.work.complete(id, { ...W, result: 'done' });
    const history = await run.history();
    expect(await lab.engine.work.complete(id, { ...W, result: 'done' })).toEqual({
      ...first,
      repeated: true,
    });
    expect(await run.history({ notes: true })).toEqual(history);
    expect(await codeOf(lab.engine.work.complete(id, { ...W, result: 'other' }))).toBe('work.lost');
    expect(await run.result()).toBe('done');
  });

  test('at the same time is one', async () => {
    const lab = await open([job]);
    await lab.engine.start(job, 1);
    const { id } = await fetchOne(lab, 'w1');
    const said = { ...W, result: { b: 1, a: [1, 2] } };
    const both = await Promise.all([
      lab.engine.work.complete(id, said),
      lab.engine.work.complete(id, { ...said, result: { a: [1, 2], b: 1 } }),
    ]);
    expect(both.filter(({ repeated }) => repeated)).toHaveLength(1);
  });

  test('may be taken by another process than the first, and than handed it out', async () => {
    const lab = await open([job, line]);
    const other = await lab.beside([job]);
    const third = await lab.beside([]);
    const run = await lab.engine.start(line, {});
    const { id } = await fetchOne(lab, 'w1', 'ONE');
    const first = await other.engine.work.complete(id, { ...W, context: { a: 1 } });
    const second = await third.engine.work.complete(id, { ...W, context: { a: 1 } });
    expect(second).toEqual({ ...first, repeated: true });
    expect(await run.tokens()).toMatchObject([{ status: 'completed' }, { status: 'ready' }]);
    for (const each of [other, third]) await each.close();
  });

  test('is one though the same token is at work again, or waits', async () => {
    const lab = await open([line]);
    await lab.engine.start(line, {}, { key: 'k' });
    const { id } = await fetchOne(lab, 'w1', 'ONE');
    const waiting = { type: 'go', timeout: '1m' };
    const first = await lab.engine.work.complete(id, { ...W, waiting });
    expect(await lab.engine.work.complete(id, { ...W, waiting })).toMatchObject({ n: first.n });
    await lab.advance('2m');
    const again = await fetchOne(lab, 'w1', 'ONE');
    expect(again.wake).toEqual({ reason: 'timeout', payload: null });
    expect(await lab.engine.work.complete(id, { ...W, waiting })).toMatchObject({ n: first.n });
    expect(await lab.engine.work.complete(again.id, W)).toMatchObject({ repeated: false });
  });

  test('that it failed is one failure', async () => {
    const lab = await open([job]);
    const run = await lab.engine.start(job, 1);
    const { id } = await fetchOne(lab, 'w1');
    const failed = { ...W, error: { message: 'no' } };
    const first = await lab.engine.work.fail(id, failed);
    expect(await lab.engine.work.fail(id, failed)).toEqual({ ...first, repeated: true });
    expect(await run.tokens()).toMatchObject([{ attempts: 1, status: 'ready' }]);
    expect(await codeOf(lab.engine.work.complete(id, W))).toBe('work.lost');
  });
});

onEveryStore('an answer that cannot be kept', (open) => {
  test('is refused in words, and the work stays the worker’s', async () => {
    const lab = await open([job, line], { limits: { VALUE_CHARS_MAX: 10 } });
    const run = await lab.engine.start(job, 1);
    const { id } = await fetchOne(lab, 'w1');
    const bad: readonly [string, object][] = [
      ['handler.result-too-large', { result: 'x'.repeat(9) }],
      ['work.not-json', { result: 1n }],
      ['handler.bad-variable', { set: [{ name: '$own', value: 1 }] }],
      ['handler.bad-variable', { set: [{ name: 'a', value: 1, in: 'there' }] }],
      ['handler.variable-too-large', { set: [{ name: 'a', value: 'x'.repeat(9) }] }],
      ['work.not-taken', { outcomes: ['Done'] }],
      ['work.not-taken', { context: {} }],
      ['work.not-taken', { waiting: { type: 'go' } }],
    ];
    for (const [code, said] of bad) {
      const refused = lab.engine.work.complete(id, { ...W, ...said });
      await expect(refused).rejects.toMatchObject({ code: 'work.invalid', details: { code } });
    }
    for (const error of [{ message: 3 }, { message: '', code: 4 }, { message: '', fatal: 'yes' }]) {
      const refused = lab.engine.work.fail(id, { ...W, error: error as never });
      await expect(refused).rejects.toMatchObject({ code: 'work.invalid' });
    }
    expect((await run.inspect()).version).toBe(1);
    await lab.engine.work.complete(id, { ...W, result: 'x'.repeat(8) });
    expect(await run.result()).toBe('xxxxxxxx');

    await lab.engine.start(line, {});
    const one = await fetchOne(lab, 'w1', 'ONE');
    const odd: readonly [string, object][] = [
      ['work.not-taken', { result: 1 }],
      ['chain.bad-result', { waiting: { type: '' } }],
      ['chain.bad-result', { waiting: { type: 'go', timeout: 'soon' } }],
      ['handler.context-too-large', { context: { a: 'x'.repeat(9) } }],
    ];
    for (const [code, said] of odd) {
      const refused = lab.engine.work.complete(one.id, { ...W, ...said });
      await expect(refused).rejects.toMatchObject({ code: 'work.invalid', details: { code } });
    }
  });
});
