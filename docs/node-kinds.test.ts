/** What the page about node kinds shows is in a program that is run, and its codes are ours. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/node-kinds.md');
const program = join(root, 'examples/node-kinds.ts');

test('every block of the page stands in the example, word for word', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  expect(blocks).toHaveLength(4);
  const text = read('examples/gate.ts') + readFileSync(program, 'utf8');
  for (const block of blocks) expect(text).toContain(block);
});

test('the example does what the page says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-kinds-'));
  try {
    const args = ['--conditions=perdure-source', program, join(folder, 'kinds.db')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout.trim().split('\n')).toEqual([
      'token.gated',
      '{"guard":"Ada"}',
      'acme.gate: pauses true, wakes owner, ways open, late',
      'gate.watch {"gate":"north","token":3}',
      'gate.forget {"pause":{"gate":"north"},"why":"done"}',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every code of a kind is on the page, and no other', () => {
  const sources = [
    ...['src/nodes/custom.ts', 'src/nodes/custom-moves.ts', 'src/runtime/definitions.ts'],
    ...['src/compile/compile.ts', 'src/frontends/builder/own-nodes.ts'],
    'src/frontends/kinds/define-kind.ts',
  ];
  const codes = sources.flatMap((path) => [
    ...read(path).matchAll(/'(kind\.[a-z-]+|node\.unknown-kind)'/g),
  ]);
  const known = new Set(codes.map(([, code]) => code));
  const told = new Set(
    [...page.matchAll(/`(kind\.[a-z-]+|node\.unknown-kind)`/g)].map((m) => m[1]),
  );
  expect(told).toEqual(known);
});
