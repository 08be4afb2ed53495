/** Names of tasks: each has one, and within a list it is its own. */
import { type Check, type Finding, wrong } from './finding.ts';
import { findPart, itemsOf, entriesOf } from './pointer.ts';
import type { WalkedTask } from './walk.ts';

export const checkNames: Check = function* ({ document, tasks }) {
  const first = new Map<string, WalkedTask>();
  for (const task of tasks) {
    const { pointer, name, list } = task;
    if (name === '') {
      yield atKey(wrong('serverless.bad-name', pointer, 'a task has a name; give it one'));
    }
    const key = `${list} ${name}`;
    const earlier = first.get(key);
    if (earlier === undefined) {
      first.set(key, task);
      continue;
    }
    const message = `two tasks of one list are called "${name}"; the first is ${earlier.pointer}`;
    yield atKey(wrong('serverless.duplicate-name', pointer, `${message}; rename one of them`));
  }
  for (const [index, item] of itemsOf(findPart(document, 'use', 'extensions')).entries()) {
    if (!entriesOf(item).some(([name]) => name === '')) continue;
    const message = 'an extension has a name; give it one';
    yield wrong('serverless.bad-name', `/use/extensions/${index}`, message);
  }
};

function atKey(finding: Finding): Finding {
  return { ...finding, atKey: true };
}
