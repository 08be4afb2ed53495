/**
 * The package as a stranger gets it: packed, looked at, installed into an empty folder, and used
 * there on every line of Node that it is for. What is installed is the same for all of them.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { readPage } from './markdown.ts';
import { packedPackage } from './packed.ts';
import { readReadmeProgram } from './readme-program.ts';

const SETUP_MS_MAX = 300_000;
const TARBALL_BYTES_MAX = 4_000_000;
/** The oldest line that is still kept: the stranger has it from npm, too. */
const OLDEST = '22.23.3';

const bin = join(import.meta.dirname, '..', 'node_modules', '.bin');
/** Where the package is, and a Node, and nothing else. */
const home = mkdtempSync(join(tmpdir(), 'perdure-stranger-'));
const NODES = [
  [OLDEST, join(home, 'node_modules', '.bin', 'node')],
  [manifest.devDependencies.node, join(bin, 'node')],
] as const;
let tarball = '';

beforeAll(async () => {
  tarball = await packedPackage();
  const stranger = { private: true, type: 'module', allowScripts: { node: true } };
  writeFileSync(join(home, 'package.json'), JSON.stringify(stranger));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run(home, 'npm', 'install', tarball, `node@${OLDEST}`, ...flags);
}, SETUP_MS_MAX);
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const options = { cwd, shell: process.platform === 'win32' };
  return promisify(execFile)(command, args, options).then(
    ({ stdout }) => stdout.trim(),
    (error: Error & { stdout?: string }) => {
      throw new Error(`${error.message}\n${error.stdout ?? ''}`, { cause: error });
    },
  );
}

test('nothing is wrong with its doors, for Node and for compilers', async () => {
  const folder = import.meta.dirname;
  await run(folder, join(bin, 'publint'), tarball, '--strict');
  // It is for import alone: what old resolutions and require would make of it does not count.
  await run(folder, join(bin, 'attw'), tarball, '--profile', 'esm-only', '--no-emoji');
});

describe.each(NODES)('on Node %s, in an empty folder,', (version, node) => {
  const folder = join(home, version);

  beforeAll(() => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'order.ts'), readReadmeProgram().text);
  });

  test('the program of the README prints what it says, and does nothing twice', async () => {
    expect(await run(folder, node, '--version')).toBe(`v${version}`);
    const { first, again } = readReadmeProgram();
    expect(await run(folder, node, 'order.ts')).toBe(first);
    expect(await run(folder, node, 'order.ts')).toBe(again);
  });

  test('the command knows what the program left behind', async () => {
    const perdure = join(home, 'node_modules', 'perdure', manifest.bin.perdure);
    expect(await run(folder, node, perdure, '--version')).toBe(manifest.version);
    const listed = await run(folder, node, perdure, 'ls', '--store', 'sqlite:orders.db', '--json');
    const order = { id: 'order-42', flow: 'order', status: 'completed' };
    expect(JSON.parse(listed)).toMatchObject({ instances: [order] });
  });

  test('every door opens', async () => {
    const doors = Object.keys(manifest.exports).filter((door) => door !== './package.json');
    const names = doors.map((door) => `perdure${door.slice(1)}`);
    // One of them needs a package that a stranger installs when they want it.
    const open = names.filter((name) => name !== 'perdure/postgres');
    const program = open.map((name) => `await import('${name}');`).join('\n');
    await run(folder, node, '--input-type=module', '--eval', program);
  });

  test('its types stand by themselves', async () => {
    const options = { strict: true, module: 'nodenext', target: 'es2023', noEmit: true };
    const config = { compilerOptions: { ...options, types: [] }, files: ['order.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    expect(await run(folder, join(bin, 'tsc'), '-p', '.')).toBe('');
  });
});

test('it holds what is for its users, and nothing of where it was made', () => {
  const made = join(home, 'node_modules', 'perdure');
  const files = readdirSync(made, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(made, name)).isFile(),
  );
  const pages = files.filter((name) => /\.md$|^llms\.txt$/.test(name));
  expect(pages.flatMap((page) => deadLinksOf(made, page))).toEqual([]);
  const tops = new Set(files.map((name) => name.split(/[/\\]/)[0] ?? ''));
  expect([...tops].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
    ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'bench'],
    ...['dist', 'docs', 'examples', 'llms.txt', 'package.json', 'src'],
  ]);
  expect(files.filter((name) => /\.(test\.\w+|db|tgz|log)$|node_modules/.test(name))).toEqual([]);
  const places = [join(import.meta.dirname, '..'), join(tmpdir(), 'perdure-')];
  const isOfAMachine = (name: string): boolean => {
    const text = readFileSync(join(made, name), 'utf8');
    return places.some((place) => text.includes(place));
  };
  expect(files.filter(isOfAMachine)).toEqual([]);
  expect(statSync(tarball).size).toBeLessThan(TARBALL_BYTES_MAX);
});

/** Tests and measuring programs are for who works on Perdure, and not in the package. */
const NOT_PACKED = /\.test\.ts$|\b(bench|sim|conformance|scripts)\/[\w/-]*(\.ts)?$/;

function deadLinksOf(folder: string, page: string): readonly string[] {
  const { links } = readPage(page, readFileSync(join(folder, page), 'utf8'));
  const paths = links.flatMap(({ target }) => /^(?!\w+:|#)[^#]+/.exec(target)?.[0] ?? []);
  return paths
    .filter((path) => !NOT_PACKED.test(path) && !existsSync(join(folder, dirname(page), path)))
    .map((path) => `${page} ${path}`);
}
