/** What `perdure show` tells of an instance with a map in it. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createEngine, flow } from '../../index.ts';
import { sqlite } from '../../sqlite.ts';
import { CommandLine } from '../../testing/command-line.ts';

const line = new CommandLine();
afterAll(() => line.remove());

test('items of a map are told by its name, and what runs them is not', async () => {
  const waiting = flow('waiting')
    .map('each', { over: ['a', 'b'] }, (b) =>
      b.set('asked', ({ item }) => item).waitFor('answer', { event: 'x', key: ({ item }) => item }),
    )
    .end();
  const engine = await createEngine({
    store: sqlite(join(line.folder, 'maps.db')),
    flows: [waiting],
  });
  const { id } = await engine.start(waiting, null);
  await engine.close();
  const { out } = await line.run('show', id, '--store', 'sqlite:maps.db');
  expect(out).toMatch(/each +waiting/);
  expect(out.match(/answer +waiting/g)).toHaveLength(2);
  expect(out).toMatch(/asked → "b" \(each item 2, scope \d+\)/);
  expect(out).not.toContain(':item');
});
