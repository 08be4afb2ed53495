/**
 * The package as npm would publish it, for tests that use it the way a stranger does.
 *
 * It is packed in a copy of the checkout, so that nothing here is built or removed while other
 * tests run. The tarball is named after what it is made of: it is made once for the same files,
 * whichever test asks first, and whoever asks meanwhile waits for it.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const shelf = join(root, '.perdure', 'packed');

/** Folders that the build reads or the package holds; of the checkout itself it is the files. */
const FOLDERS = ['docs', 'examples', 'scripts', 'src', 'studio'];
const LOCK_POLL_MS = 200;
/** Another run may still use what is younger. */
const KEPT_MS = 86_400_000;

/** The path of a tarball to be installed with `npm install`. */
export async function packedPackage(): Promise<string> {
  const files = readIngredients();
  const tarball = join(shelf, `perdure-${hashOf(files)}.tgz`);
  mkdirSync(shelf, { recursive: true });
  const unlock = await lock();
  try {
    if (!existsSync(tarball)) {
      removeOld();
      await pack(files, tarball);
    }
    return tarball;
  } finally {
    unlock();
  }
}

type Files = ReadonlyMap<string, Buffer>;

function readIngredients(): Files {
  const inFolders = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))),
  );
  const paths = [...readdirSync(root), join('bench', 'RESULTS.md'), ...inFolders]
    .filter((path) => !path.includes('.test.') && !path.endsWith('.tgz'))
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path))]));
}

function hashOf(files: Files): string {
  const hash = createHash('sha256');
  for (const [path, content] of files) hash.update(`${path}\n${content.length}\n`).update(content);
  return hash.digest('hex').slice(0, 16);
}

/** Held by an open transaction, which ends with its process however that ends. */
async function lock(): Promise<() => void> {
  const database = new DatabaseSync(join(shelf, 'lock.db'));
  for (;;) {
    try {
      database.exec('begin exclusive');
      return () => database.close();
    } catch (error) {
      if (!String(error).includes('database is locked')) throw error;
      await pause(LOCK_POLL_MS);
    }
  }
}

function removeOld(): void {
  for (const name of readdirSync(shelf).filter((file) => file.endsWith('.tgz'))) {
    const path = join(shelf, name);
    if (statSync(path).mtimeMs < Date.now() - KEPT_MS) rmSync(path);
  }
}

async function pack(files: Files, tarball: string): Promise<void> {
  const copy = mkdtempSync(join(tmpdir(), 'perdure-pack-'));
  const made = mkdtempSync(join(shelf, 'making-'));
  try {
    for (const [path, content] of files) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), content);
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    // The studio is built for who publishes it, and not for a test.
    const { NODE_ENV: _, ...env } = process.env;
    const options = { cwd: copy, env, shell: process.platform === 'win32', maxBuffer: Infinity };
    const args = ['pack', '--pack-destination', made, '--loglevel=error'];
    await promisify(execFile)('npm', args, options).catch((error: Error & { stdout?: string }) => {
      throw new Error(`npm pack: ${error.message}\n${error.stdout ?? ''}`, { cause: error });
    });
    const [name = ''] = readdirSync(made);
    renameSync(join(made, name), tarball);
  } finally {
    rmSync(copy, { recursive: true, force: true });
    rmSync(made, { recursive: true, force: true });
  }
}
