/** What the page about work for people shows is in a program that is run; its words are ours. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { format } from '@cfworker/json-schema';
import { expect, test } from 'vitest';
import { PAGE_MAX } from '../src/runtime/options.ts';
import { Tasks } from '../src/runtime/tasks.ts';
import { COMMENT_CHARS_MAX } from '../src/runtime/task-options.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/human-work.md'), 'utf8');
const program = join(root, 'examples/expenses.ts');

test('every block of the page stands in the example, word for word', () => {
  const blocks = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, body]) => body ?? '');
  expect(blocks).toHaveLength(4);
  const text = readFileSync(program, 'utf8');
  for (const block of blocks) expect(text).toContain(block);
});

test('the example does what the page says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-expenses-'));
  try {
    const args = ['--conditions=perdure-source', program, join(folder, 'expenses.db')];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toBe('Expenses of Oslo');
    expect(stdout).toContain(`path: '/amount', message: '0 is less than or equal to 0.'`);
    expect(stdout).toContain(`path: '/day', message: 'String does not match format "date".'`);
    expect(lines.slice(-2)).toEqual(['waits for finance and boss', 'paid 120']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the page names every verb there is, and no other', () => {
  const named = [...page.matchAll(/`tasks\.(\w+)\(/g)].map(([, verb]) => verb);
  const verbs = Object.getOwnPropertyNames(Tasks.prototype).filter((one) => one !== 'constructor');
  expect(new Set(named)).toEqual(new Set(verbs));
});

test('the formats and limits are what the page says', () => {
  const [, list = ''] = /Of the formats ([^.]*) are checked/.exec(page) ?? [];
  const named = [...list.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(10);
  for (const name of named) expect(format).toHaveProperty(name);
  const said = (count: number): string => count.toLocaleString('en');
  expect(page).toContain(`A comment has at most ${said(COMMENT_CHARS_MAX)} characters`);
  expect(page).toContain(`at most ${said(PAGE_MAX)}; where the page before ended`);
});
