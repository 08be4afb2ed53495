/**
 * What the guide of Serverless Workflow says of programs, commands, options and limits is run and
 * looked up here. The definitions that it shows are run in `serverless-blocks.test.ts`.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { PROTOCOLS } from '../src/calls/asyncapi/protocols.ts';
import { LIMITS_DEFAULT } from '../src/calls/http/limits.ts';
import { RUN_LIMITS } from '../src/calls/running/run-options.ts';
import { BUILT_IN_VARIABLES } from '../src/frontends/serverless/templates.ts';
import { SERVERLESS_CODES } from '../src/frontends/serverless/reading/codes.ts';
import { LIMITS } from '../src/model/limits.ts';
import { CALL_KINDS } from '../src/model/serverless.ts';
import { ERROR_FAMILIES, ERROR_STATUS } from '../src/model/workflow-error.ts';
import * as door from '../src/serverless.ts';
import { serverless, versionNumber } from '../src/serverless.ts';
import { CommandLine } from '../src/testing/command-line.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/serverless.md');
// Inside the checkout, so that the package's own name leads to it; .gitignore knows the folder.
const folder = join(root, '.perdure', `guide-${process.pid}`);

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function blocks(language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm');
  return [...page.matchAll(fence)].map(([, body]) => body ?? '');
}

/** The rows of the table that begins with these words, cell by cell. */
function table(head: string): readonly (readonly string[])[] {
  const [, after = ''] = page.split(`\n| ${head} |`);
  const rows = (after.split('\n\n')[0] ?? '').split('\n').slice(2);
  return rows.map((row) => row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')));
}

const words = (cell = ''): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
const shown = (value: number): string => value.toLocaleString('en');

const [greeting = ''] = blocks('yaml');
const [first = '', publishes = '', hosts = '', operates = ''] = blocks('ts');

/** A block with what it needs around it, as a module of its own. */
async function seen(name: string, before: string, block: string, after: string): Promise<unknown> {
  const file = join(folder, `${name}.ts`);
  writeFileSync(file, `${before}\n${block}\n${after}\nawait engine.close();\n`);
  return ((await import(/* @vite-ignore */ file)) as { readonly seen: unknown }).seen;
}

describe('the programs of the page', () => {
  const ENGINE = `import { createEngine, memory } from 'perdure';`;

  test('are these four', () => {
    expect(blocks('ts')).toHaveLength(4);
  });

  test('greet, and once more when they are run again', async () => {
    writeFileSync(join(folder, 'greeting.yaml'), greeting);
    writeFileSync(join(folder, 'first.ts'), first);
    const args = ['--conditions=perdure-source', 'first.ts'];
    for (const _ of ['first', 'again']) {
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
      expect(stdout).toBe('Hello, Ann\n');
    }
  });

  test('publish an event', async () => {
    const before = `${ENGINE}\nconst engine = await createEngine({ store: memory() });`;
    const after = 'export const seen = (await engine.inbox.list()).messages;';
    const messages = await seen('publishes', before, publishes, after);
    expect(messages).toMatchObject([{ type: 'temperature', key: 'room-7' }]);
  });

  test('give an engine secrets and what it may reach', async () => {
    const before = `${ENGINE}\nconst [store, flows, vault] = [memory(), [], {}];`;
    const after = 'export const seen = engine !== undefined;';
    expect(await seen('hosts', before, hosts, after)).toBe(true);
  });

  test('operate on an instance by the names of its tasks', async () => {
    const before = `
      ${ENGINE}
      import { serverless } from 'perdure/serverless';
      const flow = serverless(${JSON.stringify(greeting.replace('seconds: 1', 'days: 1'))});
      const engine = await createEngine({ store: memory(), flows: [flow] });
      const run = await engine.start(flow, { name: 'Ann' }, { id: 'once' });
    `;
    const after = `
      const again = await engine.get('again');
      export const seen = [await run.result(), await again.result()];
    `;
    const outputs = await seen('operates', before, operates, after);
    expect(outputs).toEqual([{ text: 'Hello, Bob' }, { text: 'Hello, Bob' }]);
  });
});

describe('the commands of the page', () => {
  test('do what they say', async () => {
    const line = new CommandLine();
    line.write('greeting.yaml', greeting);
    const commands = (blocks('sh')[0] ?? '').trim().split('\n');
    expect(commands).toHaveLength(2);
    const ended = [];
    for (const command of commands) {
      const given = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, text, word]) => text ?? word);
      ended.push(await line.run(...given.slice(1).map(String), '--json'));
    }
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(ended[1]?.out).toContain('Hello, Ann');
    line.remove();
  });

  test('have the options of the table', async () => {
    const line = new CommandLine();
    const { out, talk } = await line.run('help', 'run');
    for (const [option] of table('option of `perdure run`')) {
      expect(out + talk).toContain(`${words(option)[0]?.split(' ')[0]} <`);
    }
    line.remove();
  });
});

test('everything that `perdure/serverless` exports is on the page', () => {
  for (const name of Object.keys(door)) expect(page).toMatch(new RegExp(`\`${name}[\`(]`));
});

test('mistakes are told as the page shows them', () => {
  const text = `${greeting.split('do:')[0]}do:
  - charge:
      call: http
      with: { methd: POST, endpoint: https://bank.example/charge }
      then: shipp
  - ship:
      set: { total: 1 }
      timeout: quick
`;
  const [told = ''] = blocks('text');
  expect(() => serverless(text)).toThrow(told.trim());
});

test('every code of a diagnostic is on the page, and no other', () => {
  const [, section = ''] = page.split('\n## Diagnostics\n');
  const told = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(serverless\.[\w-]+)` \|/gm)];
  const drawn = sourcesOf('src/frontends/serverless').flatMap((source) => [
    ...source.matchAll(/'(serverless\.[a-z]+(?:-[a-z]+)+)'/g),
  ]);
  const codes = drawn.map(([, code]) => code);
  expect(read('src/runtime/serverless/linking.ts')).toContain("'serverless.unreachable'");
  expect(codes).toEqual(expect.arrayContaining(Object.keys(SERVERLESS_CODES)));
  expect(new Set(told.map(([, code]) => code))).toEqual(
    new Set([...codes, 'serverless.unreachable']),
  );
});

describe('the tables have everything there is, and nothing else:', () => {
  test('tasks and calls', () => {
    const calls = table('call').map(([call]) => words(call)[0]?.replace('run: ', ''));
    expect(new Set(calls)).toEqual(new Set(CALL_KINDS));
    const needed = table('call').flatMap(([, , needs]) => words(needs));
    const peers = Object.keys(manifest.peerDependencies).filter((name) => name !== 'pg');
    expect(needed).toEqual(expect.arrayContaining(peers));
  });

  test('variables', () => {
    const names = table('variable').flatMap(([name]) => words(name).map((word) => word.slice(1)));
    expect(names.toSorted()).toEqual([...BUILT_IN_VARIABLES].toSorted());
  });

  test('errors, with their statuses and families', () => {
    const rows = table('type').map(([type, status]) => [
      words(type)[0],
      parseInt(status ?? '', 10),
    ]);
    expect(rows).toEqual(Object.entries(ERROR_STATUS));
    for (const family of ERROR_FAMILIES) expect(page).toContain(`- \`${family}\``);
  });

  test('options of http', () => {
    const [http = []] = limits();
    expect(http).toEqual(Object.entries(LIMITS_DEFAULT).map(([name, most]) => [name, shown(most)]));
  });

  test('options of serverless', () => {
    const source = read('src/runtime/serverless/options.ts');
    const [, body = ''] = /interface ServerlessOptions \{([\s\S]*?)^\}/m.exec(source) ?? [];
    const known = [...body.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name);
    const [, after = ''] = page.split('Options of `serverless`:');
    const rows = [...(after.split('\n\n')[1] ?? '').matchAll(/^\| (`[^|]*) \|/gm)];
    expect(new Set(rows.flatMap(([, names]) => words(names)))).toEqual(new Set(known));
  });

  test('limits of what is run', () => {
    const [, run = []] = limits();
    expect(run).toEqual(Object.entries(RUN_LIMITS).map(([name, most]) => [name, shown(most)]));
  });
});

/** The texts of a room, without its tests. */
function sourcesOf(room: string): readonly string[] {
  return readdirSync(join(root, room), { recursive: true })
    .map((name) => `${room}/${String(name)}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map(read);
}

/** The three tables of limits, of names and numbers. */
function limits(): readonly (readonly (readonly string[])[])[] {
  const [, after = ''] = page.split('\nOptions of `http`');
  const tables = [...after.matchAll(/^(?:\| `\w+` \| [\d,]+ \| .*\n)+/gm)];
  return tables.map(([text]) =>
    [...text.matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm)].map(([, name = '', most = '']) => [
      name,
      most,
    ]),
  );
}

test('limits that are fixed are those of the code', () => {
  const [, , fixed = []] = limits();
  const rooms = ['src/calls', 'src/frontends/serverless', 'src/nodes', 'src/runtime/serverless'];
  const sources = rooms.flatMap(sourcesOf);
  expect(fixed.length).toBeGreaterThan(10);
  for (const [name = '', most = ''] of fixed) {
    const said = new RegExp(`^(?:export )?const ${name}(?:: number)? = ([^;]+);`, 'm');
    const values = sources.flatMap((source) => {
      const [, value] = said.exec(source) ?? [];
      return value === undefined
        ? []
        : [
            shown(
              value.split('*').reduce((all, part) => all * Number(part.replaceAll('_', '')), 1),
            ),
          ];
    });
    expect(values, name).toContain(most);
  }
});

test('numbers within sentences are those of the code', () => {
  const flat = page.replaceAll(/\s+/g, ' ');
  const day = 86_400_000;
  expect(LIMITS.RETRY_DELAY_MS_MAX).toBe(day);
  expect(flat).toContain(
    `at most ${shown(LIMITS.VALUE_CHARS_MAX)} characters of JSON (\`VALUE_CHARS_MAX\``,
  );
  expect(flat).toContain(`after ${shown(LIMITS.MOVES_PER_COMMIT)} moves`);
  expect([LIMITS.CRASHES_MAX, flat.includes('After ten such deaths (`CRASHES_MAX`)')]).toEqual([
    10,
    true,
  ]);
  expect(flat).toContain('major is at most 2146, minor and patch 999');
  expect(() => serverless(versioned('2146.999.999'))).not.toThrow();
  for (const large of ['2147.0.0', '1.1000.0', '1.0.1000']) {
    expect(() => serverless(versioned(large))).toThrow(/serverless\.version-too-large/);
  }
  expect(flat).toContain(`Of AsyncAPI's ${PROTOCOLS.length} protocols`);
  expect(serverless(versioned('1.2.3')).version).toBe(versionNumber('1.2.3'));
  expect(versionNumber('1.2.3')).toBe(1_002_003);
});

function versioned(version: string): string {
  return greeting.replace('version: 1.0.0', `version: ${version}`);
}

test('every open question of the specification has an answer, in order', () => {
  const rows = [...page.matchAll(/^\| (A-\d\d) \|/gm)].map(([, number]) => number);
  expect(rows).toEqual(Array.from({ length: 52 }, (_, n) => `A-${String(n + 1).padStart(2, '0')}`));
});
