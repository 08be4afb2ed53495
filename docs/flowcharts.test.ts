/** What the page about flowcharts shows is run, and its tables are looked up. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { flowchart, flowchartFromText, outcome, waiting } from '../src/flowchart.ts';
import { BUILT_IN_TYPES } from '../src/model/activity.ts';
import { MERGE_MODES, type MergeMode } from '../src/model/merge.ts';
import { createTestEngine } from '../src/testing.ts';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/flowcharts.md'), 'utf8');
const program = join(root, 'examples/claims.ts');

function blocks(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return [...page.matchAll(fence)].map(([, body]) => body ?? '');
}

/** The rows of the table that begins with these words, cell by cell. */
function table(head: string): readonly (readonly string[])[] {
  const [, after = ''] = page.split(`| ${head} |`);
  const rows = (after.split('\n\n')[0] ?? '').split('\n').slice(2);
  return rows.map((row) => row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')));
}

test('every block of the page stands in the example, word for word', () => {
  const text = readFileSync(program, 'utf8');
  expect(blocks('ts')).toHaveLength(3);
  for (const block of blocks('ts')) expect(text).toContain(block);
});

test('the example does what it says, and nothing when it is run again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-claims-'));
  const output = {
    ...{ check: { amount: 500 }, papers: 'a receipt' },
    ...{ anna: { by: 'anna', says: 'fine' }, pay: 'paid 500' },
  };
  try {
    for (const _ of ['first', 'again']) {
      const args = ['--conditions=perdure-source', program, join(folder, 'claims.db')];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      expect(stdout.trim()).toBe(JSON.stringify(output));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the file that is shown is a flowchart, and runs', async () => {
  const [file = ''] = blocks('json');
  const flow = flowchartFromText(file);
  expect(flow.definition.diagnostics).toEqual([]);
  const kit = createTestEngine({
    flows: [flow],
    handlers: {
      fetch: () => ({ orders: ['a', 'b'] }),
      pick: ({ item }) => (item === 'a' ? 'picked' : outcome('Missing')),
      pack: () => 'packed',
      report: ({ results }) => results.each.length,
    },
  });
  const run = await kit.start(flow, null);
  await kit.runUntilIdle();
  expect(await run.result()).toMatchObject({
    each: [{ pick: 'picked', pack: 'packed' }, { pick: null }],
    report: 2,
  });
});

/** The picture of the page: what became of C, and of the others. */
async function picture(mergeMode: MergeMode, b: 'comes' | 'ends elsewhere') {
  const ran: string[] = [];
  const flow = flowchart({
    id: 'picture',
    version: 1,
    activities: [
      { id: 'start', type: 'start' },
      { id: 'A', type: 'A' },
      { id: 'B', type: 'B' },
      { id: 'C', type: 'C', mergeMode },
    ],
    connections: [
      { from: 'start', to: 'A' },
      { from: 'start', to: 'B' },
      { from: 'A', to: 'C' },
      { from: 'B', to: 'C' },
    ],
  });
  const kit = createTestEngine({
    flows: [flow],
    handlers: {
      A: () => void ran.push('A'),
      B: ({ wake }) => {
        if (wake.reason === 'first') return waiting('go');
        ran.push('B');
        return b === 'comes' ? null : outcome('No');
      },
      C: () => void ran.push('C'),
    },
  });
  const run = await kit.start(flow, null);
  await kit.runUntilIdle();
  const isOpen = (await run.status()) === 'waiting';
  if (isOpen) await run.send('go');
  await kit.runUntilIdle();
  const { status, stalled } = await run.inspect();
  return { ran: ran.join(''), status, stalled, wasCancelled: !isOpen };
}

describe('the table of modes', () => {
  const rows = table('`mergeMode`').map(([mode = '', both = '', one = '']) => {
    return [/`(\w+)`/.exec(mode)?.[1] as MergeMode, both, one] as const;
  });

  test('has all of them, in their order', () => {
    expect(rows.map(([mode]) => mode)).toEqual([...MERGE_MODES]);
  });

  test.each(rows)('says of %s what it does', async (mode, both, one) => {
    const full = await picture(mode, 'comes');
    const times = full.ran.replaceAll(/[^C]/g, '').length;
    expect(both).toContain(times === 1 ? 'C once' : 'C twice');
    expect(full.status).toBe('completed');
    expect(full.ran.startsWith('AC')).toBe(!both.includes('after both'));
    expect(full.wasCancelled).toBe(both.includes('cancelled'));
    expect(full.ran.includes('B')).toBe(!both.includes('cancelled'));
    const part = await picture(mode, 'ends elsewhere');
    expect(part.stalled !== null).toBe(one === 'stalled');
    expect(part.ran.includes('C')).toBe(one.startsWith('C once'));
    expect(part.ran.match(/C/g)?.length ?? 1).toBe(1);
  });
});

test('what a stall looks like is as it is shown', async () => {
  const { stalled } = await picture('merge', 'ends elsewhere');
  const [shown = ''] = blocks('text');
  const { joins } = JSON.parse(shown) as { joins: readonly { arrived: readonly number[] }[] };
  const arrived = joins[0]?.arrived ?? [];
  expect(arrived).toHaveLength(1);
  expect(stalled).toEqual({
    ...JSON.parse(shown),
    joins: [{ ...joins[0], arrived: [expect.any(Number)] }],
  });
});

test('the table of built-in types has all of them', () => {
  const types = table('`type`').map(([type = '']) => type.replaceAll('`', ''));
  expect(types).toEqual([...BUILT_IN_TYPES]);
});

test('every code that a flowchart can be refused with is explained, and no other', () => {
  const rows = table('diagnostic').map(([codes = '']) => codes);
  const explained = rows.flatMap((row) =>
    [...row.matchAll(/`([\w.-]+)`/g)].map(([, code]) => code),
  );
  const folder = join(root, 'src/frontends/flowchart');
  const files = readdirSync(folder).filter((name) => !name.includes('.test.'));
  const sources = [
    ...files.map((name) => readFileSync(join(folder, name), 'utf8')),
    readFileSync(join(root, 'src/runtime/unknown-types.ts'), 'utf8'),
  ].join('\n');
  const said = [...sources.matchAll(/'((?:flowchart|flow|option|node)\.[a-z-]+)'/g)];
  // Those are said by the builder's own readers, or in parts.
  const others = ['flow.bad-name', 'option.unknown', 'flowchart.bad-timeout'].concat([
    'flowchart.bad-limit',
    'flowchart.bad-on-failure',
  ]);
  expect(new Set(explained)).toEqual(new Set([...said.map(([, code]) => code), ...others]));
});
