/** Every retry policy of a definition: the named ones, and those written where they are used. */
import type { Checked } from './finding.ts';
import { entriesOf, findPart, pointerTo } from './pointer.ts';

export interface WalkedRetry {
  readonly pointer: string;
  readonly policy: object;
}

export function* retriesOf({ document, tasks }: Checked): Generator<WalkedRetry> {
  for (const [name, policy] of entriesOf(findPart(document, 'use', 'retries'))) {
    if (isObject(policy)) yield { pointer: pointerTo('/use/retries', name), policy };
  }
  for (const { pointer, task } of tasks) {
    const policy = findPart(task, 'catch', 'retry');
    if (isObject(policy)) yield { pointer: pointerTo(pointer, 'catch', 'retry'), policy };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
