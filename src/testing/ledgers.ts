/** What handlers of worker processes wrote down, each process in a file of its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every line of every ledger in the folder. */
export function readLedgers<Line>(folder: string): readonly Line[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ledger'));
  const texts = files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return texts.flatMap((text) => (text === '' ? [] : [JSON.parse(text) as Line]));
}

/** The same lines by the instance that each of them is about. */
export function byInstance<Line extends { readonly idempotencyKey: string }>(
  lines: readonly Line[],
): ReadonlyMap<string, readonly Line[]> {
  const lists = new Map<string, Line[]>();
  for (const line of lines) {
    const instance = line.idempotencyKey.split('/')[0] ?? '';
    const list = lists.get(instance);
    if (list === undefined) lists.set(instance, [line]);
    else list.push(line);
  }
  return lists;
}
