/** What the page about operating shows of finding, removing and replaying is in an example. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SEARCH_ATTRIBUTES_MAX } from '../src/model/attribute.ts';
import { LIMITS } from '../src/model/limits.ts';
import { LIST_WALK_MAX } from '../src/runtime/listing.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/operating.md'), 'utf8');
const part = page.slice(page.indexOf('## Finding instances'));
const program = join(root, 'examples/archive.ts');

test('every block of these sections stands in the example, word for word', () => {
  const [own = ''] = part.split(/^## (?!Finding|Removing|Export|Watching)/m);
  const blocks = [...own.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  const text = readFileSync(program, 'utf8');
  expect(blocks.length).toBe(7);
  for (const block of blocks) expect(text).toContain(block);
});

test('the example does what the page says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-archive-'));
  try {
    const paths = [join(folder, 'archive.db'), join(folder, 'order.json')];
    const args = ['--conditions=perdure-source', program, ...paths];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^instance .* failed at "charge": too much at once/),
      "handler.threw { customer: 'c-1', stage: 'new', total: 5000 }",
      '2 of them are large',
      '3 in all',
      '1 running 1',
      '2 failed 0',
      'the file is sound',
      'commit 1 has 8 changes',
      'commit 2 has 4 changes',
      '3 were to go, 3 are gone, 0 are still needed',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the limits are what the page says', () => {
  expect(part).toContain(`at most ${SEARCH_ATTRIBUTES_MAX} of them (\`SEARCH_ATTRIBUTES_MAX\`)`);
  expect(part).toContain(`after ${LIMITS.KEY_CHARS_MAX}\ncharacters (\`KEY_CHARS_MAX\`)`);
  expect(part).toContain(`among ${LIST_WALK_MAX.toLocaleString('en')}\ninstances at a time`);
});
