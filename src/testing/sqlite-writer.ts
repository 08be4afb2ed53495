/**
 * A program for the tests to kill: commits to one instance without end, and says each version once
 * it is told that it is durable. Started again, it goes on where the database says.
 *
 *     node src/testing/sqlite-writer.ts FILE INSTANCE
 */
import { assert } from '../base/assert.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import { idOf, next, start, token, tokenId, value } from './store-commits.ts';

const [path, name] = process.argv.slice(2);
assert(path !== undefined && name !== undefined, 'a file and an instance are named');
const store = sqlite(path);
await store.open();

const [found] = await store.load([idOf(name)]);
for (let version = found?.head.version ?? 0; ; version += 1) {
  // Every commit ends the token of the one before it and leaves one of its own.
  const born = token(version + 3, { wake: { reason: 'event', payload: 'x'.repeat(1_000) } });
  const rows = {
    tokens: [born],
    endedTokens: version === 0 ? [] : [tokenId(version + 2)],
    values: [value('vars', 'version', version + 1)],
  };
  const commit = version === 0 ? start(name, { rows }) : next(name, version, { rows });
  const [outcome] = await store.commit([commit]);
  assert(outcome?.outcome === 'committed', `the only writer of "${name}" meets no race`);
  process.stdout.write(`${version + 1}\n`);
}
