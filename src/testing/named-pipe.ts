/**
 * A pipe with a name, by which a process of a test says how it is, and whose end says that all of
 * those are gone that had it open: so a test sees processes end that are not its own children.
 */
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export interface NamedPipe {
  readonly path: string;
  /** The next line; undefined if nobody is left who could write one. */
  heard(): Promise<string | undefined>;
  /** For whoever reads it in our place. */
  say(line: string): Promise<void>;
}

export function namedPipe(): NamedPipe {
  const folder = testFolder();
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  let lines: AsyncIterator<string> | undefined;
  return {
    path,
    heard: async () => {
      lines ??= createInterface({ input: createReadStream(path) })[Symbol.asyncIterator]();
      const { done, value } = await lines.next();
      return done === true ? undefined : value;
    },
    say: (line) => writeFile(path, `${line}\n`),
  };
}

/** A folder that is gone with the test. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-running-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
