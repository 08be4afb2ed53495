/**
 * The package as a stranger gets it: packed, looked at, installed into an empty folder, and used
 * there on every line of Node that it is for.
 */
import { execFile } from 'node:child_process';
import {
  existsSync,
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
/** The oldest line that is still kept, and the one this project is developed on. */
const NODES = ['22.23.3', manifest.devDependencies.node];

const bin = join(import.meta.dirname, '..', 'node_modules', '.bin');
/** By the Node that is in them. */
const folders = new Map<string, Promise<string>>();
let tarball = '';

beforeAll(async () => {
  tarball = await packedPackage();
}, SETUP_MS_MAX);
afterAll(async () => {
  for (const folder of folders.values()) rmSync(await folder, { recursive: true, force: true });
});

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const options = { cwd, shell: process.platform === 'win32' };
  return promisify(execFile)(command, args, options).then(
    ({ stdout }) => stdout.trim(),
    (error: Error & { stdout?: string }) => {
      throw new Error(`${error.message}\n${error.stdout ?? ''}`, { cause: error });
    },
  );
}

/** A folder in which there is the package and a Node, and nothing else. */
function folderWith(node: string): Promise<string> {
  const folder = folders.get(node) ?? install(node);
  folders.set(node, folder);
  return folder;
}

async function install(node: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-stranger-'));
  const stranger = { private: true, type: 'module', allowScripts: { node: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(stranger));
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run(folder, 'npm', 'install', tarball, `node@${node}`, ...flags);
  writeFileSync(join(folder, 'order.ts'), readReadmeProgram().text);
  return folder;
}

test('nothing is wrong with its doors, for Node and for compilers', async () => {
  const folder = import.meta.dirname;
  await run(folder, join(bin, 'publint'), tarball, '--strict');
  // It is for import alone: what old resolutions and require would make of it does not count.
  await run(folder, join(bin, 'attw'), tarball, '--profile', 'esm-only', '--no-emoji');
});

describe.each(NODES)('on Node %s, in an empty folder,', (version) => {
  let folder = '';
  let node = '';

  beforeAll(async () => {
    folder = await folderWith(version);
    node = join(folder, 'node_modules', '.bin', 'node');
  }, SETUP_MS_MAX);

  test('the program of the README prints what it says, and does nothing twice', async () => {
    expect(await run(folder, node, '--version')).toBe(`v${version}`);
    const { first, again } = readReadmeProgram();
    expect(await run(folder, node, 'order.ts')).toBe(first);
    expect(await run(folder, node, 'order.ts')).toBe(again);
  });

  test('the command knows what the program left behind', async () => {
    const perdure = join(folder, 'node_modules', 'perdure', manifest.bin.perdure);
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

test(
  'it holds what is for its users, and nothing of where it was made',
  async () => {
    const home = join(await folderWith(manifest.devDependencies.node), 'node_modules', 'perdure');
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
      statSync(join(home, name)).isFile(),
    );
    const pages = files.filter((name) => /\.md$|^llms\.txt$/.test(name));
    expect(pages.flatMap((page) => deadLinksOf(home, page))).toEqual([]);
    const tops = new Set(files.map((name) => name.split(/[/\\]/)[0] ?? ''));
    expect([...tops].toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'bench'],
      ...['dist', 'docs', 'examples', 'llms.txt', 'package.json', 'src'],
    ]);
    expect(files.filter((name) => /\.(test\.\w+|db|tgz|log)$|node_modules/.test(name))).toEqual([]);
    const places = [join(import.meta.dirname, '..'), join(tmpdir(), 'perdure-')];
    const isOfAMachine = (name: string): boolean => {
      const text = readFileSync(join(home, name), 'utf8');
      return places.some((place) => text.includes(place));
    };
    expect(files.filter(isOfAMachine)).toEqual([]);
    expect(statSync(tarball).size).toBeLessThan(TARBALL_BYTES_MAX);
  },
  SETUP_MS_MAX,
);

/** Tests and measuring programs are for who works on Perdure, and not in the package. */
const NOT_PACKED = /\.test\.ts$|\b(bench|sim|conformance|scripts)\/[\w/-]*(\.ts)?$/;

function deadLinksOf(home: string, page: string): readonly string[] {
  const { links } = readPage(page, readFileSync(join(home, page), 'utf8'));
  const paths = links.flatMap(({ target }) => /^(?!\w+:|#)[^#]+/.exec(target)?.[0] ?? []);
  return paths
    .filter((path) => !NOT_PACKED.test(path) && !existsSync(join(home, dirname(page), path)))
    .map((path) => `${page} ${path}`);
}
