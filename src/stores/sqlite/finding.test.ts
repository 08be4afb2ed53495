/** Each walk goes along the index that was made for it, and nothing is sorted but a short range. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Driver } from './driver.ts';
import { openDatabase } from './migrate.ts';
import * as queries from './queries.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-finding-'));
let driver: Driver;
beforeAll(() => {
  driver = openDatabase(join(folder, 'finding.db'), { durability: 'relaxed' });
});
afterAll(() => {
  driver.close();
  rmSync(folder, { recursive: true });
});

const WALKS = {
  walkAll: 'PRIMARY KEY (id<?)',
  walkFlow: 'INDEX instance_flow (flow=? AND id<?)',
  walkTenant: 'INDEX instance_tenant (tenant=? AND id<?)',
  walkKey: 'INDEX instance_key (key=? AND id<?)',
  walkParent: 'INDEX instance_parent (parent_instance_id=? AND id<?)',
  walkFaulty: 'INDEX instance_faulty (id<?)',
  walkStalled: 'INDEX instance_stalled (id<?)',
  walkOpen: '(instance_id<?)',
  walkTag: 'INDEX tag_value (name=? AND type=? AND value=? AND instance_id<?)',
  walkRange: 'INDEX tag_number (name=? AND number>? AND number<?)',
} as const;

test.each(Object.entries(WALKS))('%s goes by %s', (name, way) => {
  const sql = queries[name as keyof typeof WALKS];
  const plan = driver.all(`explain query plan ${sql}`).map(({ detail }) => String(detail));
  const searches = plan.filter((detail) => detail.startsWith('SEARCH'));
  expect(searches.length).toBeGreaterThan(0);
  for (const search of searches) expect(search).toContain(way);
  const sorts = plan.filter((detail) => detail.includes('TEMP B-TREE'));
  expect(sorts.length).toBe(name === 'walkRange' ? 1 : 0);
});

test('what is in trouble is merged from two indexes, and nothing is sorted', () => {
  const plan = driver.all(`explain query plan ${queries.walkTroubled}`);
  const ways = plan.map(({ detail }) => String(detail)).filter((each) => /SEARCH|TEMP/.test(each));
  expect(ways).toEqual([
    expect.stringContaining('INDEX instance_faulty (id<?)'),
    expect.stringContaining('INDEX token_incident (instance_id<?)'),
  ]);
});

/** All, those of a flow, those of a tenant: whichever is meant is walked, from a place on. */
const TALLIES = {
  tallyGroups: 'PRIMARY KEY (id>?)',
  tallyCauses: 'INDEX instance_faulty (id>?)',
} as const;

test.each(Object.entries(TALLIES))('%s goes by %s, or by a flow or a tenant', (name, way) => {
  const sql = queries[name as keyof typeof TALLIES];
  const plan = driver.all(`explain query plan ${sql}`).map(({ detail }) => String(detail));
  const ways = plan.filter((detail) => detail.includes(' instance '));
  expect(ways.slice(0, 3)).toEqual([
    expect.stringContaining(way),
    expect.stringContaining('INDEX instance_flow (flow=? AND id>?)'),
    expect.stringContaining('INDEX instance_tenant (tenant=? AND id>?)'),
  ]);
});

const LISTS = {
  tasksByCreated: 'created',
  tasksByDue: 'due',
  tasksByPriority: 'priority',
} as const;

test.each(Object.entries(LISTS))('%s reads a list from its place on, by %s', (name, order) => {
  const sql = queries[name as keyof typeof LISTS];
  const plan = driver.all(`explain query plan ${sql}`).map(({ detail }) => String(detail));
  const place = `(by_${order},instance_id,token_id)>(?,?,?) AND by_${order}<?`;
  const way = `SEARCH l USING COVERING INDEX task_list_${order} (list=? AND name=? AND ${place})`;
  expect(plan).toContain(way);
  // Everything else is looked up by its key, row by row of the page, and nothing is sorted.
  const rest = plan.filter((detail) => /SEARCH|TEMP B-TREE/.test(detail) && detail !== way);
  expect(rest).toHaveLength(3);
  for (const detail of rest) expect(detail).toContain('USING PRIMARY KEY');
});
