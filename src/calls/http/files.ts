/**
 * Files that definitions may name: regular ones, below directories of the host's choice.
 *
 * A path is judged twice: as it is written, before the disk is touched, so that nobody learns what
 * lies elsewhere; and as it is once all links are followed.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { extname, isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineError } from '../../base/engine-error.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import type { LoadedResource } from '../calling.ts';
import { brokenAs, brokenBy, notAskable } from './failures.ts';
import { textOf, tooLong } from './texts.ts';

export type FileReader = (url: URL, signal: AbortSignal) => Promise<LoadedResource>;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

/** Neither the target of a link nor a pipe that nobody writes to; Windows knows only the first. */
const HOW = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Throws `engine.option-invalid` for a directory that is not a path. */
export function createFileReader(directories: readonly string[], maxBytes: number): FileReader {
  const roots = readDirectories(directories);
  return async (url, signal) => {
    const path = pathOf(url);
    const real = await locate(roots, path);
    signal.throwIfAborted();
    const bytes = await read(real, path, maxBytes);
    const type = MEDIA_TYPES[extname(path).toLowerCase()];
    return { ...textOf(bytes, type, path), url: url.href };
  };
}

async function locate(roots: readonly string[], path: string): Promise<string> {
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  if (![...roots, ...realRoots].some((root) => isBelow(path, root))) throw refusalOf(path);
  const real = await realpath(path).catch((thrown: unknown) => {
    throw brokenBy(thrown, path);
  });
  if (!realRoots.some((root) => isBelow(real, root))) throw refusalOf(path);
  return real;
}

async function read(real: string, path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(real, HOW).catch((thrown: unknown) => {
    throw brokenBy(thrown, path);
  });
  try {
    return await readSome(handle, path, maxBytes);
  } catch (thrown) {
    throw brokenBy(thrown, path);
  } finally {
    await handle.close();
  }
}

async function readSome(handle: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw brokenAs(`the resource ${path} is no file`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // One byte more than may be, which tells whether there is more.
  for await (const chunk of handle.createReadStream({ end: maxBytes, autoClose: false })) {
    chunks.push(chunk as Uint8Array);
    size += (chunk as Uint8Array).length;
  }
  if (size > maxBytes) throw tooLong(path, maxBytes);
  return Buffer.concat(chunks);
}

function pathOf(url: URL): string {
  try {
    return resolve(fileURLToPath(url));
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw notAskable('a file: URI names a file of this machine, as file:///directory/file.yaml');
  }
}

function isBelow(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refusalOf(path: string): WorkflowError {
  const detail =
    `${path} is not below a directory that workflows may read; ` +
    'to permit it, add its directory to serverless.files';
  return new WorkflowError('authorization', { title: 'File refused', detail });
}

function readDirectories(directories: unknown): readonly string[] {
  const isList =
    Array.isArray(directories) &&
    directories.every((path): path is string => typeof path === 'string' && path !== '');
  if (isList) return directories.map((path: string) => resolve(path));
  throw new EngineError('engine.option-invalid', 'serverless.files is a list of directories');
}
