/** The thread: what becomes of those who wait for it when it dies. */
import { describe, expect, test } from 'vitest';
import { Connection } from './connection.ts';

const setup = { path: 'some.db', durability: 'full', pulse: null, blockedMsMax: 0 } as const;

function threadThat(does: string): Connection {
  return new Connection(new URL(`data:text/javascript,${encodeURIComponent(does)}`), setup);
}

describe('a thread that dies', () => {
  test.each([
    ['throws at once', 'throw new Error("boom")', 'boom'],
    ['ends at once', 'process.exit(3)', 'exit code 3'],
  ])('that %s leaves nobody waiting', async (_how, does, why) => {
    const connection = threadThat(does);
    const asked = [connection.call('scan', '', 1), connection.call('due', 1)];
    for (const answer of await Promise.allSettled(asked)) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'store.unreachable' } });
    }
    const [first] = await Promise.allSettled([connection.call('due', 1)]);
    expect(
      String(first?.status === 'rejected' && `${first.reason} ${first.reason.cause}`),
    ).toContain(why);
    await connection.close();
  });

  test('that fails over a request fails all that wait, and all that come after', async () => {
    const connection = threadThat(`
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ id, verb }) => {
        if (verb === 'due') throw new Error('boom');
        parentPort.postMessage({ id, value: [] });
      });`);
    expect(await connection.call('scan', '', 1)).toEqual([]);
    const asked = [connection.call('due', 1), connection.call('scan', '', 1)];
    const answers = await Promise.allSettled(asked);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(connection.call('scan', '', 1)).rejects.toMatchObject({
      code: 'store.unreachable',
      details: { path: 'some.db' },
      cause: { message: 'boom' },
    });
  });
});
