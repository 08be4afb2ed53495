/** What the page about chains shows is in a program that is run; its tables name every column. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/chains.md'), 'utf8');
const program = join(root, 'examples/parcel.ts');

test('every block of the page stands in the example, word for word', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  const text = readFileSync(program, 'utf8');
  expect(blocks.length).toBe(3);
  for (const block of blocks) expect(text).toContain(block);
});

test('the example does what it says, and nothing when it is run again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-parcel-'));
  const run = async (): Promise<readonly string[]> => {
    const args = ['--conditions=perdure-source', program, join(folder, 'parcels.db')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    return stdout.trim().split('\n');
  };
  const ended = [
    'parcel-1  done: {"price":12,"paid":12}',
    'parcel-1  0 VALIDATE completed, 0 failed',
    'parcel-1  1 PAY completed, 0 failed',
    'parcel-1  2 SHIP completed, 2 failed',
  ];
  try {
    expect(await run()).toEqual(['parcel-1  sent payment.requested {"amount":12}', ...ended]);
    expect(await run()).toEqual(ended);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each(['sqlite/migrations/0004_chains.sql', 'postgres/migrations/0002_chains.sql'])(
  'the columns of the views in %s are those of the page',
  (file) => {
    const sql = readFileSync(join(root, 'src/stores', file), 'utf8');
    for (const view of ['workflow_instance', 'workflow_step']) {
      const [, body = ''] = sql.split(`${view} as\n`);
      const select = body.split('\n    from ')[0] ?? '';
      const columns = [...select.matchAll(/ as (\w+)(?:,|$)/gm)].map(([, name]) => name ?? '');
      expect(columns.length).toBeGreaterThan(10);
      const table = page.split(`| \`${view}\` | |`)[1]?.split('\n\n')[0] ?? '';
      // Both have these two, and the page says so once.
      const told = columns.filter(
        (name) => view !== 'workflow_step' || !/^(cre|upd)ated_at$/.test(name),
      );
      for (const name of told) expect(table).toContain(`\`${name}\``);
    }
  },
);
