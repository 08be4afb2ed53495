/**
 * Tells when one of some files has changed. Folders are watched, for editors write another file and
 * give it the name; and what comes in a burst is told once.
 */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Editors write a file in several steps. */
const BURST_MS = 60;

export class FileWatch {
  readonly #tell: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  #files: ReadonlySet<string> = new Set();
  #timer: NodeJS.Timeout | null = null;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** These from now on, and no others. */
  of(files: ReadonlySet<string>): void {
    this.#files = files;
    const folders = new Set(Array.from(files, dirname));
    for (const [folder, watcher] of this.#watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    for (const folder of folders) {
      if (!this.#watchers.has(folder)) this.#watchers.set(folder, this.#watch(folder));
    }
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #watch(folder: string): FSWatcher {
    const watcher = watch(folder, (_, name) => {
      const isOne = [...this.#files].some((file) => {
        return dirname(file) === folder && (name === null || basename(file) === name);
      });
      if (!isOne) return;
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = setTimeout(this.#tell, BURST_MS);
    });
    // A folder that goes away has nothing to tell any more.
    watcher.on('error', () => watcher.close());
    return watcher;
  }
}
