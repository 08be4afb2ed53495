import { expect, test } from 'vitest';
import { callingOf, failureOf } from '../../testing/called.ts';
import type { Calling } from '../calling.ts';
import { DOCUMENTS_CHARS_MAX, DOCUMENTS_MAX, loadDocument, nameOf } from './documents.ts';

/** Resources that are what their address says, or what the test says. */
function calling(textOf: (url: string) => string = (url) => JSON.stringify({ url })): Calling {
  const text = (url: string) => ({ text: textOf(url), url, mediaType: null });
  return callingOf({
    resources: { text: async ({ endpoint }) => text(endpoint as string) },
  });
}

const load = (url: string, by = calling()) => loadDocument(by, { endpoint: url });

test('a document is parsed once, as long as its text is the same', async () => {
  const first = await load('test:a');
  expect(await load('test:a')).toBe(first);
  const changed = await load(
    'test:a',
    calling(() => '{"url":"other"}'),
  );
  expect(changed.root).toEqual({ url: 'other' });
  expect(
    await load(
      'test:a',
      calling(() => '{"url":"other"}'),
    ),
  ).toBe(changed);
});

test('so many documents are kept, and the longest unused goes', async () => {
  const first = await load('test:0');
  for (let n = 1; n < DOCUMENTS_MAX; n += 1) await load(`test:${n}`);
  expect(await load('test:0')).toBe(first);
  for (let n = 1; n < DOCUMENTS_MAX; n += 1) await load(`test:again-${n}`);
  expect(await load('test:0')).toBe(first);
  for (let n = 0; n < DOCUMENTS_MAX; n += 1) await load(`test:more-${n}`);
  expect(await load('test:0')).not.toBe(first);
});

test('a document that is longer than all that may be kept is not kept', async () => {
  const most = calling(() => '{}'.padEnd(DOCUMENTS_CHARS_MAX));
  const kept = await load('test:long', most);
  expect(await load('test:long', most)).toBe(kept);
  const more = calling(() => '{}'.padEnd(DOCUMENTS_CHARS_MAX + 1));
  const dropped = await load('test:long', more);
  expect(await load('test:long', more)).not.toBe(dropped);
});

test('YAML that unfolds without end is refused', async () => {
  const level = (n: number): string => `l${n}: &l${n} [${`*l${n - 1}, `.repeat(9)}]\n`;
  const bomb = `l0: &l0 x\n${Array.from({ length: 12 }, (_, n) => level(n + 1)).join('')}`;
  const failure = await failureOf(
    load(
      'test:bomb',
      calling(() => bomb),
    ),
  );
  expect(failure.kind).toBe('configuration');
  expect(failure.detail).toContain('test:bomb is neither JSON nor YAML');
});

test('a document is named without what may be a token', () => {
  expect(nameOf(calling(), 'https://a.example/d.json?token=x#y')).toBe('https://a.example/d.json');
});
