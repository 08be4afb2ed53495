/** What the page about sagas shows is run, and what its tables say is so. */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { Fatal, flow, type UndoTools } from 'perdure';
import { createTestEngine } from 'perdure/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exchangesIn, playSession } from '../src/testing/console-session.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/sagas.md'), 'utf8');
// Inside the checkout, so that the package's own name leads to it; .gitignore knows the folder.
const folder = join(root, '.perdure', `sagas-${process.pid}`);

beforeAll(() => {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  cpSync(join(root, 'examples/trip.ts'), join(folder, 'trip.ts'));
  // As if the package were installed there.
  const npx = `#!/bin/sh\nshift\nexec node "${join(root, 'src/cli/perdure.ts')}" "$@"\n`;
  writeFileSync(join(folder, 'bin/npx'), npx);
  chmodSync(join(folder, 'bin/npx'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the sessions of the page print what it says', async () => {
  const exchanges = exchangesIn(page);
  expect(exchanges).toHaveLength(2);
  const paths = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH'] ?? ''];
  const env = { PATH: paths.join(delimiter), NODE_OPTIONS: '--conditions=perdure-source' };
  await playSession(exchanges, { folder, env });
});

/** Runs a flow of steps that say what they do, and gives what they said. */
class Diary {
  readonly lines: string[] = [];

  readonly does = (name: string) => (): string => {
    this.lines.push(name);
    return name;
  };

  readonly undo = ({ result }: UndoTools<string>): void => void this.lines.push(`undo ${result}`);
}

const fails = (): never => {
  throw new Fatal('no');
};

async function ended(of: Parameters<typeof createTestEngine>[0]['flows']) {
  const kit = createTestEngine({ flows: of });
  const [first] = of;
  const run = await kit.start(first as never, null as never);
  await kit.advance('3d');
  return { kit, run, view: await run.inspect() };
}

describe('what is undone', () => {
  test('what completed inside a try that has caught something is undone later', async () => {
    const { lines, does, undo } = new Diary();
    const caught = flow('caught')
      .try('t', (b) => b.step('a', does('a'), { undo }).step('x', fails), {
        do: (b) => b.step('c', does('c'), { undo }),
      })
      .step('z', fails)
      .end();
    await ended([caught]);
    expect(lines).toEqual(['a', 'c', 'undo c', 'undo a']);
  });

  test('what a try with a retry did again is undone once for each time', async () => {
    const { lines, does, undo } = new Diary();
    const again = flow('again')
      .try(
        't',
        (b) => b.step('a', does('a'), { undo }).step('x', () => Promise.reject(new Error('x'))),
        {
          retry: { maxAttempts: 2, delay: '1s' },
        },
      )
      .end();
    await ended([again]);
    expect(lines).toEqual(['a', 'a', 'undo a', 'undo a']);
  });

  test('a called instance that is open undoes itself, one that completed does not', async () => {
    const { lines, does, undo } = new Diary();
    const open = flow('open').step('k', does('k'), { undo }).sleep('day', '1d').end();
    const over = flow('over').step('l', does('l'), { undo }).end();
    const caller = flow('caller')
      .call('first', over, () => null)
      .parallel('p', {
        x: (b) => b.call('second', open, () => null),
        y: (b) => b.sleep('hour', '1h').step('z', fails),
      })
      .end();
    const { kit } = await ended([caller, open, over]);
    expect(lines).toEqual(['l', 'k', 'undo k']);
    expect((await kit.engine.list({ flow: 'open' })).instances).toMatchObject([
      { status: 'canceled', outcome: 'compensated' },
    ]);
  });

  test('of an instance that completes the losers of a race stay as they are', async () => {
    const { lines, does, undo } = new Diary();
    const race = flow('race')
      .race('r', { a: (b) => b.step('a', does('a'), { undo }), b: (b) => b.sleep('never', '1d') })
      .end();
    expect((await ended([race])).view).toMatchObject({ status: 'completed', outcome: null });
    expect(lines).toEqual(['a']);
  });
});

describe('when an undo fails', () => {
  test('without a policy it is executed five times, after 1, 2, 4 and 8 seconds', async () => {
    const moments: number[] = [];
    const stuck = flow('stuck')
      .step('a', () => 'a', {
        undo: () => {
          moments.push(kit.now);
          throw new Error('stuck');
        },
      })
      .step('z', fails)
      .end();
    const kit = createTestEngine({ flows: [stuck] });
    const run = await kit.start(stuck, null);
    await kit.advance('1d');
    const pauses = moments.slice(1).map((at, n) => (at - (moments[n] ?? 0)) / 1_000);
    expect(pauses).toEqual([1, 2, 4, 8]);
    const undos = [{ node: 'a', status: 'failed', fault: { message: 'stuck' } }];
    expect(await run.inspect()).toMatchObject({ status: 'failed', outcome: 'compensated', undos });
  });

  test.each([
    ['skip', 'failed', ['a', 'b', 'undo a']],
    ['cancel', 'canceled', ['a', 'b']],
  ] as const)(
    'a halted saga is gone on with by %s, and ended by cancel',
    async (verb, end, all) => {
      const { lines, does, undo } = new Diary();
      const halted = flow('halted', { onUndoFailure: 'halt' })
        .step('a', does('a'), { undo })
        .step('b', does('b'), { undo: fails })
        .step('z', fails)
        .end();
      const { kit, run, view } = await ended([halted]);
      expect(view).toMatchObject({ status: 'compensating', incidents: [{ node: 'b' }] });
      if (verb === 'skip') await run.skip(view.incidents[0]?.token ?? 0);
      else await run.cancel();
      await kit.runUntilIdle();
      expect([await run.status(), lines]).toEqual([end, all]);
    },
  );
});

test('what was undone cannot be revived, and can be rerun', async () => {
  const { does, undo } = new Diary();
  const gone = flow('gone').step('a', does('a'), { undo }).step('z', fails).end();
  const { run } = await ended([gone]);
  await expect(run.revive()).rejects.toMatchObject({ code: 'operation.refused' });
  expect((await run.preview({ do: 'rerun', from: 'a' })).after.status).toBe('running');
});
