/** What the page about transactions shows is in a program that is run. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/transactions.md'), 'utf8');
const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');

test('every block of the page stands in an example, word for word', () => {
  const programs = readdirSync(join(root, 'examples'))
    .filter((name) => /^[a-z-]+\.ts$/.test(name))
    .map((name) => readFileSync(join(root, 'examples', name), 'utf8'));
  expect(blocks.length).toBeGreaterThan(5);
  for (const block of blocks) {
    expect(
      programs.some((program) => program.includes(block)),
      block,
    ).toBe(true);
  }
});

test('the number of connections that are left to the engine is what the page says', () => {
  const driver = readFileSync(join(root, 'src/stores/postgres/driver.ts'), 'utf8');
  const [, reserved] = /^const RESERVED = (\d+);$/m.exec(driver) ?? [];
  expect(page).toContain(`\`poolSize - ${reserved}\``);
});
