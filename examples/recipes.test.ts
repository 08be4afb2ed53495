/**
 * Every program of this folder that says what it prints is run, in an empty folder, as anybody
 * would run it, and prints just that. `…` stands for whatever differs from run to run.
 *
 * One that reads DATABASE_URL is given a Postgres database of its own.
 */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { expectPrinted } from '../src/testing/console-session.ts';

/** What fits on a screen and can be read in one go. */
const LINES_MAX = 59;
const RECIPES_MIN = 25;

const programs = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(import.meta.dirname, name), 'utf8') }));
const recipes = programs.flatMap(({ name, text }) => {
  const printed = printedBy(text);
  return printed === undefined ? [] : [{ name, text, printed }];
});

/** The indented lines below `Prints:` in the comment at the top. */
function printedBy(text: string): string | undefined {
  const [, lines] = /^ \* Prints:\n \*\n((?: \*(?: {5}.*)?\n)+?) \*\//m.exec(text) ?? [];
  return lines?.replaceAll(/^ \*(?: {5})?/gm, '').trimEnd();
}

test(`there are ${RECIPES_MIN} recipes and more`, () => {
  expect(recipes.length).toBeGreaterThanOrEqual(RECIPES_MIN);
});

test.each(programs)('$name can be read in one go', ({ text }) => {
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX);
});

test.each(programs)('$name is in the list of examples', ({ name }) => {
  const list = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  expect(list).toContain(`](${name})`);
});

describe.concurrent('a recipe prints what it says:', () => {
  test.each(recipes)('$name', async ({ name, text, printed }) => {
    const folder = mkdtempSync(join(tmpdir(), 'perdure-recipe-'));
    try {
      const run = (env: NodeJS.ProcessEnv): Promise<string> => printing(name, folder, env);
      const came = text.includes('DATABASE_URL') ? await onPostgres(run) : await run({});
      expectPrinted(came, printed);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

async function printing(name: string, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const args = ['--conditions=perdure-source', join(import.meta.dirname, name)];
  const options = { cwd, env: { ...process.env, ...env }, timeout: 60_000 };
  return (await promisify(execFile)(process.execPath, args, options)).stdout.trimEnd();
}

/** With a database of its own: its tables have the names they have. */
async function onPostgres(run: (env: NodeJS.ProcessEnv) => Promise<string>): Promise<string> {
  const name = `recipe_${process.pid}_${randomBytes(4).toString('hex')}`;
  const url = new URL(inject('postgres'));
  const server = new Client(url.href);
  await server.connect();
  try {
    await server.query(`create database ${name}`);
    url.pathname = name;
    return await run({ DATABASE_URL: url.href });
  } finally {
    await server.query(`drop database if exists ${name} with (force)`);
    await server.end();
  }
}
