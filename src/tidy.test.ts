/**
 * House rules that a machine can check. Anything a reviewer says twice belongs in here.
 *
 * Each rule is a function over files. It is asked about the whole tree, which must be clean, and
 * about small samples: a bad one it must object to, so that a rule that can no longer fire is
 * found out, and good ones it must leave in peace.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noClockChanceOrPromiseBelowTheFloor } from '../scripts/tidy/floor.ts';
import * as habits from '../scripts/tidy/habits.ts';
import { everyFileHasARoom, everyImportGoesThroughADoor } from '../scripts/tidy/rooms.ts';
import * as shape from '../scripts/tidy/shape.ts';
import { readTree, type Rule, type SourceFile } from '../scripts/tidy/source.ts';

/** Samples are small trees: a text for every path. */
type Tree = Readonly<Record<string, string>>;

interface House {
  readonly rule: Rule;
  readonly bad: readonly Tree[];
  readonly good: readonly Tree[];
}

const inKernel = (text: string): Tree => ({ 'src/kernel/a.ts': text });
const inTest = (text: string): Tree => ({ 'src/kernel/a.test.ts': text });
const inStore = (text: string): Tree => ({ 'src/stores/sqlite/store.ts': text });
const lines = (count: number): string => 'let a = 1;\n'.repeat(count);
const page = (...sections: string[]): string => sections.map((name) => `## ${name}\n`).join('\n');

// Put together here, since this file must keep the rule too.
const HOME = ['', 'home', 'ann', 'perdure'].join('/');

const KIND = `export const nap: NodeKind<null> = { kind: 'nap' };`;
const NAP = {
  'src/nodes/nap.ts': KIND,
  'src/nodes/nap.test.ts': '',
  'docs/nodes/nap.md': '',
  'src/nodes/index.ts': `import { nap } from './nap.ts';`,
};

const RULES: Readonly<Record<string, House>> = {
  'every file of src/ lies in a known room or is a front door': {
    rule: everyFileHasARoom,
    bad: [{ 'src/attic/a.ts': '' }, { 'src/extra.ts': '' }],
    good: [{ 'src/kernel/a.ts': '', 'src/index.ts': '', 'src/tidy.test.ts': '' }],
  },
  'every import goes through a door': {
    rule: everyImportGoesThroughADoor,
    bad: [
      inKernel(`import { a } from '../nodes/a.ts';`),
      inKernel(`import type { A } from '../runtime/a.ts';`),
      inKernel(`export { a } from '../stores/store.ts';`),
      inKernel(`type A = import('../nodes/a.ts').A;`),
      inKernel(`import { a } from '../../scripts/a.ts';`),
      inKernel(`import { readFileSync } from 'node:fs';`),
      inKernel(`import yaml from 'yaml';`),
      { 'src/base/a.ts': `import type { Json } from '../model/json.ts';` },
      { 'src/frontends/a.ts': `import { advance } from '../kernel/advance.ts';` },
      { 'src/runtime/a.ts': `import { memory } from '../stores/memory.ts';` },
      { 'src/stores/sqlite/a.ts': `import { b } from '../postgres/b.ts';` },
      { 'src/index.ts': `export { advance } from './kernel/advance.ts';` },
      { 'src/sqlite.ts': `export { memory } from './stores/memory.ts';` },
      { 'src/server/a.ts': `import { work } from '../runtime/work.ts';` },
      { 'examples/a.ts': `import { flow } from '../src/index.ts';` },
      { 'examples/a.ts': `import { z } from 'zod';` },
      { 'studio/a.tsx': `import { flow } from '../src/index.ts';` },
      { 'studio/a.tsx': `import { z } from 'zod';` },
      { 'studio/a.tsx': `import { openHouse } from './testing/house.ts';` },
    ],
    good: [
      inKernel(`import { a } from '../base/a.ts'; import type { B } from './b.ts';`),
      inTest(`import { a } from '../testing/a.ts';`),
      { 'src/model/a.ts': `import type { Json } from '../base/json.ts';` },
      { 'src/frontends/a.ts': `import type { S } from '@standard-schema/spec';` },
      { 'src/frontends/b.ts': `import { Temporal } from 'temporal-polyfill/fns';` },
      { 'src/runtime/a.ts': `import type { Store } from '../stores/store.ts';` },
      { 'src/stores/sqlite/a.ts': `import { b } from '../store.ts'; import 'node:sqlite';` },
      { 'src/testing/a.ts': `import { b } from '../runtime/b.ts'; import { test } from 'vitest';` },
      { 'src/index.ts': `export { memory } from './stores/memory/memory.ts';` },
      { 'src/sqlite.ts': `export { sqlite } from './stores/sqlite.ts';` },
      { 'examples/a.ts': `import { sqlite } from 'perdure/sqlite'; import './b.ts';` },
      { 'studio/a.tsx': `import { b } from './b.tsx'; import 'react'; import '@xyflow/react';` },
      { 'studio/b/a.tsx': `import { layoutOf } from '../../src/drawing/layout.ts';` },
      { 'examples/a.ts': `import { Pool } from 'pg'; import { sql } from 'drizzle-orm/pg-core';` },
      { 'examples/a.ts': `import express from 'express'; import { Hono } from 'hono';` },
      { 'examples/with-next/app/a.ts': `import { b } from '../lib/b.ts';` },
    ],
  },
  'there is no clock, no chance and no promise below the glass floor': {
    rule: noClockChanceOrPromiseBelowTheFloor,
    bad: [
      inKernel('const now = Date.now();'),
      inKernel('const now = new Date();'),
      inKernel('const { now } = Date;'),
      inKernel('const dice = Math.random();'),
      inKernel('export async function a() {}'),
      inKernel('const a = async () => 1;'),
      inKernel('await b;'),
      inKernel('const a = Promise.resolve(1);'),
      inKernel('export type A = (b: string) => Promise<string>;'),
      inKernel('setTimeout(a, 1);'),
      inKernel('globalThis.setTimeout(a, 1);'),
      inKernel('const a = process.env;'),
      inKernel('console.log(1);'),
      inKernel('const a = performance.now();'),
      inKernel(`const a = fetch('b');`),
      inKernel('const id = crypto.randomUUID();'),
      inKernel('const a = { fetch };'),
      inKernel(`const a = b.localeCompare('c');`),
      inKernel(`const a = import('./b.ts');`),
      inKernel(`const a = new Function('b');`),
      { 'src/frontends/a.ts': 'const now = Date.now() as number;' },
    ],
    good: [
      inKernel('// Date.now() and Math.random() live upstairs.\nexport const a = 1;'),
      inKernel('export type A = (b: string) => PromiseLike<string>;'),
      inKernel('export type A<T> = T extends Date ? string : T;'),
      inKernel('export interface A { readonly process: string; fetch(): void }'),
      inKernel(`const a = 'await Promise'; const b = { process: 1 }; const c = b.process;`),
      inKernel('const a = Math.max(1, 2);'),
      inTest('await Promise.resolve(Date.now());'),
      { 'src/runtime/a.ts': 'export const now = async () => Date.now();' },
    ],
  },
  'SQL lives in queries.ts and nowhere else': {
    rule: habits.sqlLivesInQueries,
    bad: [
      inStore('const a = `\n  select id\n    from token`;'),
      inStore(`db.exec('begin immediate');`),
      inStore(`db.exec('PRAGMA synchronous = FULL');`),
      inStore(`const a = 'insert into token values (1)';`),
      inStore(`const a = 'update token set id = 1';`),
      inStore('const a = `delete from ${table}`;'),
      inStore('const a = `with due as (select 1) update token set id = 1`;'),
      { 'src/runtime/queries.ts': `const a = 'select id from token';` },
      { 'src/testing/lab.ts': `const a = 'drop schema a cascade';` },
    ],
    good: [
      { 'src/testing/postgres-till.ts': 'const a = `create table till (entry text)`;' },
      { 'src/stores/sqlite/queries.ts': 'export const a = `select id from token`;' },
      { 'src/stores/sqlite/store.test.ts': `db.exec('select id from token');` },
      { 'src/testing/postgres-schema.ts': `const a = 'drop schema a cascade';` },
      { 'src/stores/sqlite/migrations.gen.ts': 'export const a = `create table token (id)`;' },
      inStore(`const a = 'commit'; const b = 'select a flow first'; const c = 'with care';`),
    ],
  },
  'a line fits in 100 columns': {
    rule: shape.everyLineFits,
    bad: [inKernel(`// ${'x'.repeat(shape.LINE_COLUMNS_MAX - 2)}`)],
    good: [inKernel(`// ${'é'.repeat(shape.LINE_COLUMNS_MAX - 3)}`)],
  },
  'a file fits in 400 lines': {
    rule: shape.everyFileFits,
    bad: [
      inKernel(lines(shape.FILE_LINES_MAX + 1)),
      inTest(lines(shape.FILE_LINES_MAX + 1)),
      { 'src/stores/sqlite/queries.ts': lines(shape.QUERIES_LINES_MAX + 1) },
    ],
    good: [
      inKernel(lines(shape.FILE_LINES_MAX)),
      { 'src/stores/sqlite/queries.ts': lines(shape.QUERIES_LINES_MAX) },
    ],
  },
  'a function fits in 70 lines': {
    rule: shape.everyFunctionFits,
    bad: [
      inKernel(`function a() {\n${lines(shape.FUNCTION_LINES_MAX - 1)}}`),
      inKernel(`const a = () => {\n${lines(shape.FUNCTION_LINES_MAX - 1)}};`),
      inKernel(`class A {\n  a() {\n${lines(shape.FUNCTION_LINES_MAX - 1)}}\n}`),
      inTest(`test('a', () => {\n${lines(shape.FUNCTION_LINES_MAX - 1)}});`),
    ],
    good: [
      inKernel(`function a() {\n${lines(shape.FUNCTION_LINES_MAX - 2)}}`),
      inTest(`describe('a', () => {\n  test('b', () => {});\n${lines(99)}});`),
      inTest(`flow('a').scope('b', (b) => b${"\n.step('c', c)".repeat(99)});`),
    ],
  },
  'no file is called index.ts but the front door and the list of kinds': {
    rule: shape.noIndexFiles,
    bad: [{ 'src/kernel/index.ts': '' }, { 'sim/index.ts': '' }],
    good: [{ 'src/index.ts': '', 'src/nodes/index.ts': '' }],
  },
  'a door names what it exports': {
    rule: shape.noBarrels,
    bad: [{ 'src/index.ts': `export * from './kernel/a.ts';` }],
    good: [{ 'src/index.ts': `export { a } from './kernel/a.ts';` }],
  },
  'an export has a name': {
    rule: shape.noDefaultExports,
    bad: [
      inKernel('export default 1;'),
      inKernel('const a = 1; export { a as default };'),
      { 'examples/a.ts': 'export default class {}' },
    ],
    good: [inKernel('export const a = 1;'), { 'vitest.config.ts': 'export default 1;' }],
  },
  'a folder is named after its subject': {
    rule: shape.everyFolderHasASubject,
    bad: [{ 'src/kernel/utils/a.ts': '' }, { 'src/types/a.ts': '' }, { 'src/base/helpers.ts': '' }],
    good: [{ 'src/kernel/a.ts': '', 'src/frontends/builder/types.ts': '' }],
  },
  'files and folders are kebab-case': {
    rule: shape.everyNameIsKebabCase,
    bad: [{ 'src/kernel/nodeKind.ts': '' }, { 'src/kernel/node_kind.test.ts': '' }],
    good: [
      { 'src/kernel/node-kind.test.ts': '', 'src/stores/0001-start.gen.ts': '' },
      { 'examples/with-next/app/[id]/route.ts': '' },
    ],
  },
  'src/ is at most three folders deep, and no folder holds a single file': {
    rule: shape.theTreeIsFlat,
    bad: [
      { 'src/a/b/c/d/e.ts': '', 'src/a/b/c/d/f.ts': '', 'src/a/b/c/g.ts': '' },
      { 'src/stores/memory/memory.ts': '', 'src/stores/memory/memory.test.ts': '' },
    ],
    good: [
      { 'src/stores/sqlite/migrations/0001.sql': '', 'src/stores/sqlite/a.ts': '' },
      { 'src/a/b/c/e.ts': '', 'src/a/b/c/f.ts': '', 'src/a/b/g.ts': '', 'src/h/i.ts': '' },
    ],
  },
  'no note to self is left behind': {
    rule: habits.noNotesToSelf,
    bad: [inKernel('// FIXME later'), inKernel('/* TODO */'), { 'README.md': 'XXX' }],
    good: [inKernel(`const a = 'TODO'; // Nothing to do.`)],
  },
  'every test runs': {
    rule: habits.everyTestRuns,
    bad: [
      inTest(`test.only('a', () => {});`),
      inTest(`describe.skip('a', () => {});`),
      inTest(`it.todo('a');`),
      inTest(`test.each([1]).only('a', () => {});`),
    ],
    good: [inTest(`test.each([1])('a', () => {}); test.skipIf(away)('b', () => {});`)],
  },
  'a test name says what is': {
    rule: habits.aTestNameIsAClaim,
    bad: [inTest(`test('it should work', () => {});`)],
    good: [inTest(`test('it works', () => {});`)],
  },
  'no test waits on time': {
    rule: habits.noTestWaitsOnTime,
    bad: [
      inTest('await new Promise((resolve) => setTimeout(resolve, 50));'),
      inTest('await sleep(50);'),
      inTest('await scheduler.wait(50);'),
    ],
    good: [inTest(`await kit.advance('7d'); flow('a').sleep('b', 50); setTimeout(a, 0);`)],
  },
  'no file names a path of one machine': {
    rule: habits.noPathOfOneMachine,
    bad: [{ 'README.md': `see ${HOME}` }, inKernel(`const a = '${HOME}';`)],
    good: [{ 'README.md': 'see ./src/root/a.ts and https://example.org/root/b' }],
  },
  'every node kind has its test, its page and its line in the list': {
    rule: habits.everyKindIsComplete,
    bad: [
      { ...NAP, 'src/nodes/doze.ts': KIND.replaceAll('nap', 'doze') },
      { 'src/nodes/nap.ts': KIND },
      { ...NAP, 'src/nodes/nap.ts': KIND.replace(`'nap'`, `'doze'`) },
      { ...NAP, 'src/nodes/index.ts': '' },
    ],
    good: [NAP, { 'src/nodes/settings.ts': 'export const a = 1;' }],
  },
  'every page of a kind and every decision has the same skeleton': {
    rule: habits.everyPageHasItsSkeleton,
    bad: [{ 'docs/nodes/nap.md': page('Meaning') }, { 'docs/adr/0001-a.md': page('Context') }],
    good: [
      { 'docs/adr/0001-a.md': page('Context', 'Decision', 'What follows', 'What we turned down') },
    ],
  },
  'decisions are numbered in a row': {
    rule: habits.adrsAreNumberedInARow,
    bad: [
      { 'docs/adr/0001-a.md': '', 'docs/adr/0001-b.md': '' },
      { 'docs/adr/0001-a.md': '', 'docs/adr/0003-b.md': '' },
    ],
    good: [{ 'docs/adr/0001-a.md': '', 'docs/adr/0002-b.md': '' }],
  },
  'a decision fits on one page': {
    rule: habits.anAdrIsAPage,
    bad: [{ 'docs/adr/0001-a.md': 'a\n'.repeat(61) }],
    good: [{ 'docs/adr/0001-a.md': 'a\n'.repeat(40), 'docs/guide.md': 'a\n'.repeat(61) }],
  },
};

const tree = readTree(join(import.meta.dirname, '..'));

function treeOf(sample: Tree): SourceFile[] {
  return Object.entries(sample).map(([path, text]) => ({ path, text }));
}

describe.each(Object.entries(RULES))('%s', (_, { rule, bad, good }) => {
  test('the tree keeps to it', () => {
    expect(rule(tree)).toEqual([]);
  });

  test.each(bad)('bad sample %# is found out', (sample) => {
    expect(rule(treeOf(sample))).not.toEqual([]);
  });

  test.each(good)('good sample %# is left in peace', (sample) => {
    expect(rule(treeOf(sample))).toEqual([]);
  });
});

test('the whole tree is looked at', () => {
  const paths = tree.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['README.md', 'src/tidy.test.ts', '.ci/run']));
});
