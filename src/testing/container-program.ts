/**
 * A container runtime for machines that have none: what it is told to run, it runs beside itself,
 * as a process that is not of its client's group. It keeps its containers as files of a folder,
 * writes down how it was called, and has the exit codes and the words of Docker.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

interface Container {
  readonly name: string;
  readonly label: string;
  readonly pid: number | null;
}

const [home = '', verb = '', ...words] = process.argv.slice(2);
const shelf = join(home, 'containers');
appendFileSync(join(home, 'calls'), `${JSON.stringify({ verb, words, env: process.env })}\n`);

if (existsSync(join(home, 'down'))) fail('Cannot connect to the daemon', verb === 'run' ? 125 : 1);
else if (verb === 'run') await run();
else if (verb === 'ps') list();
else if (verb === 'kill' || verb === 'rm') for (const id of idsIn(words)) end(id);

async function run(): Promise<void> {
  const at = words.findIndex((word) => !word.startsWith('--'));
  const options = words.slice(0, at);
  const [image = '', ...command] = words.slice(at);
  const [name = '', label = ''] = ['name', 'label'].flatMap((key) => valuesOf(options, key));
  if (image === 'no-such-image') return fail('pull access denied for no-such-image', 125);
  if (image === 'endless-image') return pullForever();
  if (shelved().some((each) => each.name === name)) return fail(`the name ${name} is in use`, 125);
  const file = join(shelf, randomUUID());
  const code = await enclose({ file, name, label, options, command: commandOf(image, command) });
  if (options.includes('--rm')) rmSync(file, { force: true });
  else if (existsSync(file)) writeFileSync(file, JSON.stringify({ name, label, pid: null }));
  process.exitCode = code;
}

interface Enclosed {
  readonly file: string;
  readonly name: string;
  readonly label: string;
  readonly options: readonly string[];
  readonly command: readonly string[];
}

/** A container puts itself on the shelf before all else: it is there if its client is not. */
async function enclose({ file, name, label, options, command }: Enclosed): Promise<number> {
  const form = JSON.stringify({ name, label, pid: 'PID' }).replace('"PID"', '%s');
  const begin = 'form=$1 file=$2; shift 2; printf "$form" $$ >"$file"; exec "$@"';
  const env = Object.fromEntries(valuesOf(options, 'env').map(variableOf));
  const input = options.includes('--interactive') ? 'inherit' : 'ignore';
  const child = spawn('sh', ['-c', begin, 'sh', form, file, ...command], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: [input, 'inherit', 'inherit'],
    detached: true,
  });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return code ?? (signal === 'SIGKILL' ? 137 : 143);
}

function commandOf(image: string, command: readonly string[]): readonly string[] {
  return command.length === 0 ? ['echo', `Hello from ${image}`] : command;
}

function pullForever(): Promise<void> {
  writeFileSync(join(home, 'pulling'), '');
  const timer = setInterval(() => {}, 1_000_000);
  return new Promise((resolve) => {
    process.on('SIGTERM', () => {
      clearInterval(timer);
      resolve();
    });
  });
}

function list(): void {
  const filter = words.find((word) => word.startsWith('label=')) ?? '';
  const ids = readdirSync(shelf).filter(
    (id) => filter === '' || `label=${read(id).label}` === filter,
  );
  process.stdout.write(ids.map((id) => `${id}\n`).join(''));
}

function end(id: string): void {
  const { pid } = read(id);
  if (pid !== null) process.kill(-pid, 'SIGKILL');
  if (verb === 'rm') rmSync(join(shelf, id), { force: true });
}

function variableOf(given: string): [string, string | undefined] {
  const at = given.indexOf('=');
  return at < 0 ? [given, process.env[given]] : [given.slice(0, at), given.slice(at + 1)];
}

function valuesOf(options: readonly string[], name: string): readonly string[] {
  const start = `--${name}=`;
  return options.filter((word) => word.startsWith(start)).map((word) => word.slice(start.length));
}

function idsIn(given: readonly string[]): readonly string[] {
  return given.filter((word) => !word.startsWith('-'));
}

function shelved(): readonly Container[] {
  return readdirSync(shelf).map(read);
}

function read(id: string): Container {
  return JSON.parse(readFileSync(join(shelf, id), 'utf8')) as Container;
}

function fail(why: string, code: number): void {
  process.stderr.write(`docker: ${why}.\n`);
  process.exitCode = code;
}
