/**
 * The built studio, as it is handed out: every file is read once, and compressed once for whoever
 * takes that. An address without an ending is a screen of the app, whichever it is. Only what was
 * there when it was read is there: no address leads anywhere else on the disk.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { EngineError } from '../../index.ts';

export interface StudioFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  /** Its name says what is in it, so that it never has to be asked for again. */
  readonly isFixed: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

const HOME = 'index.html';

/** A file that is not there, a path of the API, or a way out. */
const NO_SCREEN = /^\/(assets\/|[^/]*\.\w+$|(api|dev)$)|(\/|%2f)\.\.(\/|%2f|$)/i;

/** As far from the sources as from what is built of them. */
const STUDIO_FOLDER: string = join(import.meta.dirname, '..', '..', '..', 'dist', 'studio');

export class StudioFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #read = new Map<string, StudioFile>();

  constructor(folder: string = STUDIO_FOLDER) {
    this.#folder = folder;
    this.#names = new Set(namesIn(folder));
    if (this.#names.has(HOME)) return;
    const message = 'the studio is not built: "npm run studio" does that';
    throw new EngineError('command.invalid', message, { details: { folder } });
  }

  /** Null if there is no such file. */
  find(path: string): StudioFile | null {
    const name = path.slice(1);
    if (this.#names.has(name)) return this.#file(name);
    // Ids have dots in them; files of the app lie at its root or among its assets.
    return NO_SCREEN.test(path) ? null : this.#file(HOME);
  }

  #file(name: string): StudioFile {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const plain = readFileSync(join(this.#folder, name));
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    const isFixed = name.startsWith('assets/');
    const file = { type, plain, gzipped: gzipSync(plain), isFixed };
    this.#read.set(name, file);
    return file;
  }
}

function namesIn(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.split(sep).join('/'));
}
