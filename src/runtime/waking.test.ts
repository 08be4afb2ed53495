/**
 * Waking one token by its number: what it brings, what is refused, and that whatever is refused
 * consumes nothing, whoever else is at it and whatever has crashed meanwhile.
 */
import { expect, test } from 'vitest';
import type { EngineError } from '../base/engine-error.ts';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import { completed, waiting } from '../frontends/chain/results.ts';
import type { Flow } from '../model/definition.ts';
import { Script } from '../testing/chain-rows.ts';
import { isSound, tokenAt } from '../testing/fragile.ts';
import { begin, type Lab, onEveryStore } from '../testing/lab.ts';
import { Gate } from '../testing/stage.ts';
import type { Run } from './run.ts';

const go = { event: 'go', key: () => 'k' };

/** Waits in a region that has a variable of its own, and says what each place sees of it. */
const nested = flow<null, { seen: string }>('nested', { vars: { seen: 'nothing' } })
  .scope('inner', (b) =>
    b
      .waitFor('pause', go)
      .step('inside', ({ vars, results }) => [vars.seen, results.pause])
      .scope('deeper', (c) => c.step('below', ({ vars }) => vars.seen)),
  )
  .step('outside', ({ vars }) => vars.seen)
  .end(({ results }) => [results.inside, results.below, results.outside]);

const branches = (ran: string[] = []) =>
  flow('branches')
    .parallel('fork', {
      left: (b) => b.waitFor('a', go).step('afterA', () => ran.push('a')),
      right: (b) => b.waitFor('b', go).step('afterB', () => ran.push('b')),
    })
    .step('last', () => ran.push('last'))
    .end();

/** What is refused, by which code; and everything is as it was. */
async function refuses(run: Run, wake: () => Promise<void>, code: string): Promise<void> {
  const before = await run.inspect();
  const history = await run.history();
  await expect(wake()).rejects.toMatchObject({ code });
  expect(await run.inspect()).toEqual(before);
  expect(await run.history()).toEqual(history);
}

function codeOf(reason: unknown): string {
  return (reason as EngineError).code;
}

onEveryStore('waking a token', (open) => {
  const begun = async (waits: Flow): Promise<{ lab: Lab; run: Run }> => {
    const { lab, run } = await begin(open, waits);
    return { lab, run };
  };

  test('O-41: brings a result, and variables of its scope that those below read', async () => {
    const { lab, run } = await begun(nested);
    const pause = await tokenAt(run, 'pause');
    await run.wake(pause, { by: 'hand' }, { vars: { seen: 'inside', more: 1 }, actor: 'ada' });
    await lab.settle();
    expect(await run.result()).toEqual([['inside', { by: 'hand' }], 'inside', 'nothing']);
    await isSound(lab);
  });

  test('O-88: means the only one that waits, if none is named', async () => {
    const { lab, run } = await begun(nested);
    await run.wake(null, 7);
    await lab.settle();
    expect(await run.result()).toEqual([['nothing', 7], 'nothing', 'nothing']);
    await refuses(run, () => run.wake(null), 'instance.over');
  });

  test('O-88: does not guess which of several is meant', async () => {
    const { lab, run } = await begun(branches());
    const [a, b] = [await tokenAt(run, 'a'), await tokenAt(run, 'b')];
    await refuses(run, () => run.wake(null), 'operation.refused');
    await expect(run.wake(null)).rejects.toMatchObject({ details: { tokens: [a, b] } });
    await run.wake(b);
    await lab.settle();
    await run.wake(null);
    await lab.settle();
    expect(await run.status()).toBe('completed');
  });

  test('O-88: of two at the same instant wakes both, and the join fires once', async () => {
    const ran: string[] = [];
    const { lab, run } = await begun(branches(ran));
    const other = await lab.beside([branches(ran)]);
    const there = (await other.engine.get(run.id)) as Run;
    const [a, b] = [await tokenAt(run, 'a'), await tokenAt(run, 'b')];
    await Promise.all([run.wake(a), there.wake(b)]);
    await other.settle();
    await lab.settle();
    expect(await run.status()).toBe('completed');
    expect(ran.toSorted()).toEqual(['a', 'b', 'last']);
    await isSound(lab);
    await other.close();
  });

  test('O-43: twice at the same moment, from two processes, wakes it once', async () => {
    const ran: string[] = [];
    const once = flow('once')
      .waitFor('pause', go)
      .step('after', () => ran.push('after'))
      .end(({ results }) => results.pause);
    const { lab, run } = await begun(once);
    const other = await lab.beside([once]);
    const there = (await other.engine.get(run.id)) as Run;
    const token = await tokenAt(run, 'pause');
    const came = await Promise.allSettled([
      run.wake(token, 'here'),
      there.wake(token, 'there'),
      run.wake(token, 'again'),
    ]);
    const won = came.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
    expect(won).toHaveLength(1);
    const codes = came.map((each) => (each.status === 'rejected' ? codeOf(each.reason) : null));
    const late = codes.filter((code) => code !== null);
    expect(late.filter((code) => !/^token\.not-|^instance\.over$/.test(code))).toEqual([]);
    await other.settle();
    await lab.settle();
    const { output } = await run.inspect();
    expect(output).toBe(['here', 'there', 'again'][won[0] ?? 0]);
    expect(ran).toEqual(['after']);
    await other.close();
  });

  test('O-43: that goes on already is refused, and runs nothing twice', async () => {
    const gate = new Gate();
    const busy = flow('busy')
      .step('work', () => gate.opened)
      .end();
    const lab = await open([busy]);
    const run = (await lab.engine.start(busy, undefined as never)) as Run;
    await lab.tick(0);
    const token = await tokenAt(run, 'work');
    await expect(run.wake(token)).rejects.toMatchObject({ code: 'token.not-waiting' });
    await expect(run.wake(null)).rejects.toMatchObject({ code: 'token.not-waiting' });
    gate.open();
    await lab.settle();
    expect(await run.status()).toBe('completed');
  });

  test('O-42, O-53: is possible after a restart, and it is listed until then', async () => {
    const { lab, run } = await begun(nested);
    lab.crash();
    const { instances } = await lab.engine.list({ status: 'waiting' });
    expect(instances.map(({ id }) => id)).toEqual([run.id]);
    const again = (await lab.engine.get(run.id)) as Run;
    const pause = await tokenAt(again, 'pause');
    await again.wake(pause, 1, { vars: { seen: 'restarted' } });
    lab.crash();
    await lab.advance('1m');
    expect(await run.result()).toEqual([['restarted', 1], 'restarted', 'nothing']);
  });

  test('O-46: may not write names of the engine, in neither field', async () => {
    const { lab, run } = await begun(nested);
    const token = await tokenAt(run, 'pause');
    for (const name of ['$error', 'inside.$error', '$']) {
      const vars = { fine: 1, [name]: 2 };
      await refuses(run, () => run.wake(token, null, { vars }), 'variable.reserved');
      await refuses(run, () => run.wake(token, { [name]: 1 }), 'variable.reserved');
      const both = () => run.wake(null, { [name]: 1 }, { vars: { seen: 'x' } });
      await refuses(run, both, 'variable.reserved');
    }
    await run.wake(token, { price$: 1 }, { vars: { seen: 'it' } });
    await lab.settle();
    expect(await run.result()).toEqual([['it', { price$: 1 }], 'it', 'nothing']);
  });

  test('O-47: is not for what waits for people, however deep, nor for its parents', async () => {
    const asked = flow('asked')
      .approve('release', { approvers: ['fin'] })
      .end();
    const outer = flow('outer')
      .scope('region', (b) => b.task('fill', { assignee: 'ann' }))
      .call('other', asked, () => null as never)
      .end();
    const { lab, run } = await begun(outer);
    const [fill, region] = [await tokenAt(run, 'fill'), await tokenAt(run, 'region')];
    await refuses(run, () => run.wake(fill, { done: true }), 'token.gated');
    await refuses(run, () => run.wake(null, { done: true }), 'token.gated');
    await refuses(run, () => run.wake(region), 'operation.refused');
    await lab.engine.tasks.complete(`${run.id}:${fill}`, null, 'ann');
    await lab.settle();
    const [caller] = await run.tokens();
    await refuses(run, () => run.wake(caller?.id ?? 0), 'operation.refused');
    await refuses(run, () => run.wake(null), 'token.not-waiting');
    const wait = caller?.wait;
    const child = (await lab.engine.get(wait?.on === 'child' ? wait.instance : '')) as Run;
    await refuses(child, () => child.wake(null), 'token.gated');
    const release = `${child.id}:${await tokenAt(child, 'release')}`;
    await lab.engine.tasks.decide(release, { actor: 'fin', decision: 'approve' });
    await lab.settle();
    expect(await run.status()).toBe('completed');
    await isSound(lab);
  });

  test('of a suspended instance is refused, and consumes nothing', async () => {
    const { run } = await begun(nested);
    await run.suspend();
    await refuses(run, () => run.wake(null, 1, { vars: { seen: 'x' } }), 'instance.suspended');
    await run.resume();
    await run.wake(null, 1);
  });

  test('says what variables are, and how large', async () => {
    const { run } = await begun(nested);
    const bad = (vars: unknown) => () => run.wake(null, null, { vars: vars as never });
    await refuses(run, bad(['seen']), 'engine.option-invalid');
    await refuses(run, bad('seen'), 'engine.option-invalid');
    await refuses(run, bad({ '': 1 }), 'engine.option-invalid');
    await refuses(run, bad({ '\ud800': 1 }), 'engine.option-invalid');
    await refuses(run, bad({ ['x'.repeat(501)]: 1 }), 'engine.option-invalid');
    await refuses(run, bad({ seen: () => 1 }), 'input.invalid');
    await refuses(run, bad({ seen: 'x'.repeat(4_194_304) }), 'input.invalid');
  });

  test('keeps a variable of any name, also one that objects are wary of', async () => {
    const { lab, run } = await begun(nested);
    const vars = JSON.parse('{"__proto__":"p","constructor":"c","seen":"s"}') as object;
    await run.wake(null, 1, { vars: { ...vars } });
    await lab.settle();
    expect(await run.result()).toEqual([['s', 1], 's', 'nothing']);
    await isSound(lab);
  });

  test('that was looked for and not found wakes no other', async () => {
    const { run } = await begun(nested);
    const lost = undefined as unknown as number;
    await refuses(run, () => run.wake(lost, 1), 'engine.option-invalid');
  });

  test('of a chain brings no variables, since a chain has none', async () => {
    const ASK = new Script(waiting('answer', '1h'), completed()).handler;
    const { lab, run } = await begin(open, chain('asking', 1, ['ASK']), { handlers: { ASK } });
    await refuses(run, () => run.wake(null, 1, { vars: { seen: 'x' } }), 'operation.refused');
    await run.wake(null, 1, { vars: {} });
    await lab.settle();
    expect(await run.result()).toBeNull();
    await isSound(lab);
  });

  test('of many says which there are, and not all of them', async () => {
    const over = Array.from({ length: 40 }, (_, index) => index);
    const many = flow('many')
      .map('each', { over }, (b) => b.waitFor('a', go))
      .end();
    const { run } = await begun(many);
    const told = await run.wake(null).catch((thrown: EngineError) => thrown.message);
    expect(told).toMatch(/^several tokens wait: \d+ at "a", (.*) and 35 more; say which$/);
  });

  test('is previewed by the same rules', async () => {
    const { run } = await begun(nested);
    const before = await run.inspect();
    const { changes } = await run.preview({ do: 'wake', data: 1, vars: { seen: 'x' } });
    expect(changes).toContainEqual(expect.objectContaining({ did: 'write', name: 'seen' }));
    const reserved = run.preview({ do: 'wake', vars: { $x: 1 } });
    await expect(reserved).rejects.toMatchObject({ code: 'variable.reserved' });
    expect(await run.inspect()).toEqual(before);
  });
});
