/** Every task is found, wherever it lies, under the pointer that errors and history name it by. */
import { expect, test } from 'vitest';
import { definition } from '../../../testing/serverless-snippets.ts';
import type { WorkflowDocument } from './document.ts';
import { kindOf } from './document-tasks.ts';
import { readWorkflow } from './reading.ts';
import { tasksOf, type WalkedTask } from './walk.ts';

const TEXT = definition(`
use:
  functions:
    f:
      do:
        - inside: { wait: PT1S }
    g/h: { set: { a: 1 } }
  extensions:
    - log:
        extend: all
        before:
          - s: { wait: PT1S }
        after:
          - t: { wait: PT1S }
do:
  - d: { do: [{ x: { wait: PT1S } }] }
  - f: { for: { in: .a }, do: [{ x: { wait: PT1S } }] }
  - k: { fork: { branches: [{ a: { wait: PT1S } }, { b: { do: [{ c: { wait: PT1S } }] } }] } }
  - t:
      catch: { do: [{ h: { wait: PT1S } }] }
      try: [{ x: { wait: PT1S } }]
  - l:
      listen: { to: { any: [] } }
      foreach: { do: [{ x: { wait: PT1S } }] }
  - s:
      call: asyncapi
      with:
        document: { endpoint: https://example.com }
        channel: c
        subscription: { consume: { amount: 1 }, foreach: { do: [{ x: { wait: PT1S } }] } }
  - a/b~c: { switch: [{ z: { then: end } }] }
  - other:
      call: f
      with: { subscription: { foreach: { do: [{ none: { wait: PT1S } }] } } }
`);

function walkedIn(text: string): readonly WalkedTask[] {
  const { document, errors } = readWorkflow(text);
  expect(errors).toEqual([]);
  return [...tasksOf(document as unknown as WorkflowDocument)];
}

test('tasks come in the order of the text, a task before those inside of it [ER-10]', () => {
  expect(walkedIn(TEXT).map(({ pointer, kind }) => `${pointer} ${kind}`)).toEqual([
    '/use/functions/f do',
    '/use/functions/f/do/0/inside wait',
    '/use/functions/g~1h set',
    '/use/extensions/0/log/before/0/s wait',
    '/use/extensions/0/log/after/0/t wait',
    '/do/0/d do',
    '/do/0/d/do/0/x wait',
    '/do/1/f for',
    '/do/1/f/do/0/x wait',
    '/do/2/k fork',
    '/do/2/k/fork/branches/0/a wait',
    '/do/2/k/fork/branches/1/b do',
    '/do/2/k/fork/branches/1/b/do/0/c wait',
    '/do/3/t try',
    '/do/3/t/try/0/x wait',
    '/do/3/t/catch/do/0/h wait',
    '/do/4/l listen',
    '/do/4/l/foreach/do/0/x wait',
    '/do/5/s call',
    '/do/5/s/with/subscription/foreach/do/0/x wait',
    '/do/6/a~1b~0c switch',
    '/do/7/other call',
  ]);
});

test('a task knows its name, its list and who else is in it', () => {
  const branch = walkedIn(TEXT).find(({ pointer }) => pointer === '/do/2/k/fork/branches/1/b');
  expect(branch).toMatchObject({
    name: 'b',
    list: '/do/2/k/fork/branches',
    siblings: ['a', 'b'],
    isBranch: true,
  });
  const first = walkedIn(TEXT).find(({ pointer }) => pointer === '/use/functions/g~1h');
  expect(first).toMatchObject({ name: 'g/h', list: '/use/functions', siblings: [] });
});

test('every pointer leads to its task in the text', () => {
  const { document, spanOf } = readWorkflow(TEXT);
  for (const { pointer } of tasksOf(document ?? {})) expect(spanOf(pointer)).toBeDefined();
});

test('a task is of the kind of the word that makes it', () => {
  for (const { task, kind } of walkedIn(TEXT)) expect(kindOf(task)).toBe(kind);
  expect(kindOf({ for: { in: '.' }, do: [] })).toBe('for');
});

test('what has no shape is passed over', () => {
  const odd = [
    null,
    5,
    'text',
    { a: null },
    { b: { cal: 1 } },
    { c: { do: 5 } },
    { d: { try: [] } },
  ];
  const document = { use: { functions: [1], extensions: [null, { x: 5 }] }, do: odd };
  expect(Array.from(tasksOf(document), ({ name }) => name)).toEqual(['c', 'd']);
  expect([...tasksOf({ do: null, use: 'text' })]).toEqual([]);
});
