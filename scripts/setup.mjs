/**
 * Makes `npm test` and `npm run demo` work on a fresh clone: installs what package-lock.json names
 * if node_modules does not hold it yet, and is silent otherwise.
 *
 * Plain JavaScript for the Node that happens to be on the machine: the one this project runs on is
 * itself a development dependency, and npm puts node_modules/.bin first on the PATH. It is a script
 * of its own before each command (`pretest`), because a shell remembers where it found `node`.
 *
 * With `--studio` it also builds the web app, if that is older than what it is made of.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// Not `npm ci`: it refuses a lock that lacks the optional packages of some other platform, as one
// does that was made from an incomplete mirror. Versions come from the lock, which stays as it is.
const INSTALL = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund'];

// Folders with a lock of their own are named on the command line; the project itself comes first.
const words = process.argv.slice(2);
const folders = words.filter((word) => !word.startsWith('--')).map((name) => join(root, name));
for (const folder of [root, ...folders]) {
  if (!isInstalled(folder)) install(folder);
}
if (words.includes('--studio') && isStudioOld()) buildStudio();

function install(folder) {
  const where = relative(root, folder);
  const lock = join(where, 'package-lock.json');
  console.log(`perdure: installing what ${lock} names (npm ${INSTALL.join(' ')})`);
  const { status } = runNpm(folder, [...INSTALL, '--loglevel=error']);
  if (status === 0) return;
  console.error('perdure: the installation failed; what npm said is above');
  process.exit(status ?? 1);
}

/** npm writes node_modules/.package-lock.json last: an interrupted installation lacks it. */
function isInstalled(folder) {
  const installed = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
  const named = packagesOf(join(folder, 'package-lock.json'));
  return Object.entries(named).every(([path, { version, optional }]) => {
    // Optional packages are for other platforms; the entry without a path is the project itself.
    return path === '' || optional || installed[path]?.version === version;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

/** What the studio is made of: its own folder, what it draws with, and the packages it is given. */
function isStudioOld() {
  const made = changedAt(join(root, 'dist', 'studio', 'index.html'));
  const parts = ['studio', join('src', 'drawing'), 'package-lock.json'];
  return parts.some((part) => newestIn(join(root, part)) > made);
}

function newestIn(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isDirectory()) return stats?.mtimeMs ?? 0;
  const files = readdirSync(path, { recursive: true }).filter((name) => !name.includes('.test.'));
  return Math.max(0, ...files.map((name) => changedAt(join(path, name))));
}

function changedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function buildStudio() {
  const node = join(root, 'node_modules', '.bin', 'node');
  const options = { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
  const { status } = spawnSync(node, [join('scripts', 'studio.ts')], options);
  if (status === 0) return;
  console.error('perdure: the studio could not be built; what Vite said is above');
  process.exit(status ?? 1);
}

/** The npm that runs this script, if it is one; otherwise the one on the PATH. */
function runNpm(cwd, args) {
  const { npm_execpath: npm } = process.env;
  const options = { cwd, stdio: 'inherit' };
  if (npm?.endsWith('.js')) return spawnSync(process.execPath, [npm, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}
