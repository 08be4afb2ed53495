/** A handler that threw, as the log tells it. What is kept of it has no stack. */
import { afterEach, expect, test, vi } from 'vitest';
import { flow } from '../frontends/builder/flow.ts';
import { chain } from '../frontends/chain/chain.ts';
import { memory } from '../stores/memory/memory.ts';
import { createTestEngine } from '../testing/test-engine.ts';
import { Notebook } from '../testing/world.ts';
import { createEngine } from './engine.ts';
import { Fatal } from './fatal.ts';
import type { Logger } from './logger.ts';

class BankIsAway extends Error {}

function askTheBank(): never {
  throw new BankIsAway('no answer', { cause: new Error('the line is cut') });
}

const pay = flow('pay').step('charge', askTheBank).end();

const STACK =
  /^Error: no answer\n +at askTheBank .*step-failures[^]*\ncaused by: Error: the line is cut\n/;

afterEach(() => vi.restoreAllMocks());

function written(): string[] {
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  return lines;
}

async function failing(logger: Logger): Promise<string> {
  const engine = await createEngine({ store: memory(), flows: [pay], logger });
  const run = await engine.start(pay, null);
  await expect(run.result()).rejects.toMatchObject({ code: 'instance.failed' });
  const kept = JSON.stringify([await run.inspect(), await run.history()]);
  await engine.close();
  return kept;
}

test('a handler that throws leaves its stack in the log, and nowhere else', async () => {
  const logger = new Notebook();
  const kept = await failing(logger);
  expect(logger.lines).toEqual([
    {
      level: 'warn',
      message: 'a step failed',
      details: {
        ...{ instance: expect.any(String) as string, flow: 'pay', node: 'charge' },
        ...{ token: expect.any(Number) as number, attempt: 1 },
        error: expect.stringMatching(STACK) as string,
      },
    },
  ]);
  expect(kept).toContain('no answer');
  expect(kept).not.toContain('askTheBank');
  // What is below their own code is ours.
  expect(JSON.stringify(logger.lines)).not.toContain('runHandler');
});

test('without a logger the stack of a step that failed is on stderr, line by line', async () => {
  const lines = written();
  const engine = await createEngine({ store: memory(), flows: [pay] });
  await expect((await engine.start(pay, null)).result()).rejects.toThrow('no answer');
  await engine.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^perdure warn: a step failed \{"instance":.*"attempt":1\}\n {2}Error: no/,
  );
  expect(lines[0]).toMatch(/\n {6}at askTheBank /);
});

test('a step that fails in a test as it is to prints nothing', async () => {
  const lines = written();
  const kit = createTestEngine({ flows: [pay] });
  await expect((await kit.start(pay, null)).result()).rejects.toThrow('no answer');
  await kit.close();
  expect(lines).toEqual([]);
});

test('each attempt, an undo and a link of a chain that threw are told alike', async () => {
  const logger = new Notebook();
  const trip = flow('trip')
    .step('book', () => 1, { undo: () => Promise.reject(new Fatal('cannot be undone')) })
    .step('fly', () => Promise.reject(new Error('fog')), { retry: { maxAttempts: 2, delay: '1s' } })
    .end();
  const mail = chain('mail', 1, ['SEND'], { maxAttempts: 1 });
  const handlers = {
    SEND: () => {
      throw new Error('no such address');
    },
  };
  const kit = createTestEngine({ flows: [trip, mail], handlers, logger });
  await kit.start(trip, null);
  await kit.start(mail, null);
  await kit.advance('1m');
  const told = logger.lines.map(({ details }) => {
    const { node, attempt, error } = details as { node: string; attempt: number; error: string };
    return `${node} ${attempt} ${error.slice(0, error.indexOf('\n'))}`;
  });
  expect(told.toSorted()).toEqual([
    'SEND 1 Error: no such address',
    'book 1 Fatal: cannot be undone',
    'fly 1 Error: fog',
    'fly 2 Error: fog',
  ]);
  await kit.close();
});

test('whatever is thrown, its line in the log is bounded and without credentials', async () => {
  const logger = new Notebook();
  const text: unknown = 'only text';
  const odd = flow('odd')
    .step('text', () => {
      throw text;
    })
    .end();
  const long = flow('long')
    .step('long', () => Promise.reject(new Error(`Bearer abcdefghijkl ${'x'.repeat(99_999)}`)))
    .end();
  const trap = flow('trap')
    .step('trap', () => Promise.reject(new Proxy(new Error('no'), { get: () => askTheBank() })))
    .end();
  const kit = createTestEngine({ flows: [odd, long, trap], logger });
  for (const name of ['odd', 'long', 'trap']) await kit.start(name, null);
  await kit.runUntilIdle();
  const errors = logger.lines.map(({ details }) => (details as { error: string }).error);
  expect(errors).toEqual([
    'only text',
    expect.stringMatching(/^Error: \[redacted\] x+… \(\d+ more characters\)$/),
    'something unreadable was thrown',
  ]);
  await kit.close();
});
