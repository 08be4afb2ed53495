/**
 * Modules that are imported anew. Node keeps what it has imported for ever; so from the second time
 * on, what is not a package gets another address at every turn, and what that imports as well.
 * Which files those are is remembered: they are what is to be watched.
 */
import { registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This program itself: there is one of it, whoever imports it. */
const OWN = ['src', 'dist'].map((name) => join(import.meta.dirname, '..', '..', '..', name) + sep);

export class FreshImports {
  readonly #files = new Set<string>();
  readonly #hooks: ReturnType<typeof registerHooks>;
  #turn = 0;

  constructor() {
    this.#hooks = registerHooks({
      resolve: (specifier, context, next) => {
        this.#wanted(specifier, context.parentURL);
        const resolved = next(specifier, context);
        const path = pathOf(resolved.url);
        if (path === null) return resolved;
        this.#files.add(path);
        return this.#turn === 0 ? resolved : { ...resolved, url: this.#anew(resolved.url) };
      },
    });
  }

  /** What was imported and is not a package. */
  get files(): ReadonlySet<string> {
    return this.#files;
  }

  /** From now on everything is imported once more. */
  turn(): void {
    this.#turn += 1;
  }

  close(): void {
    this.#hooks.deregister();
  }

  /** What is not there yet may come: it is looked for where it should be. */
  #wanted(specifier: string, parent: string | undefined): void {
    if (!/^\.\.?\//.test(specifier) || parent === undefined || pathOf(parent) === null) return;
    this.#files.add(fileURLToPath(new URL(specifier, parent)));
  }

  #anew(url: string): string {
    const fresh = new URL(url);
    fresh.searchParams.set('turn', String(this.#turn));
    return fresh.href;
  }
}

/** Null if it is a package, or ours. */
function pathOf(url: string): string | null {
  if (!url.startsWith('file:')) return null;
  const path = fileURLToPath(url);
  const isPackage = path.includes(`${sep}node_modules${sep}`);
  const isPlay = path.includes(`${sep}playground${sep}`);
  return isPackage || (!isPlay && OWN.some((folder) => path.startsWith(folder))) ? null : path;
}
