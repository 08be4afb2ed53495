import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { callingWith, DOCUMENT_URL } from '../../testing/asyncapi-calls.ts';
import { errorOf } from '../../testing/failing-call.ts';
import type { Resource } from '../calling.ts';
import { type AsyncApiDocument, FILES_MAX, HOPS_MAX, openDocument } from './document.ts';

const HERE: Resource = { endpoint: DOCUMENT_URL };

function open(files: Json | Record<string, Json>): Promise<AsyncApiDocument> {
  return openDocument(callingWith(files), HERE);
}

async function valueAt(document: AsyncApiDocument, ...path: string[]): Promise<Json | undefined> {
  return (await document.at(document.root, ...path))?.value;
}

const yaml = `
asyncapi: 2.6.0
channels:
  /pets/{id}:
    publish:
      message:
        $ref: '#/components/messages/pet'
components:
  messages:
    pet: { contentType: application/json }
`;

describe('a document', () => {
  test('is read as YAML [AS-01]', async () => {
    const document = await open(yaml);
    expect(document.major).toBe(2);
    const type = await valueAt(
      document,
      'channels',
      '/pets/{id}',
      'publish',
      'message',
      'contentType',
    );
    expect(type).toBe('application/json');
  });

  test('is read as JSON [AS-01]', async () => {
    const document = await open({ asyncapi: '3.0.0', servers: { a: { host: 'b' } } });
    expect(document.major).toBe(3);
    expect(await valueAt(document, 'servers', 'a')).toEqual({ host: 'b' });
  });

  test('that begins with a brace may be YAML all the same', async () => {
    expect(await valueAt(await open('{ asyncapi: 3.0.0, a: b }'), 'a')).toBe('b');
  });

  test.each<[string, Json]>([
    ['has no "asyncapi"', { openapi: '3.1.0' }],
    ['has no "asyncapi"', '- just\n- a list'],
    ['is 2.x or 3.x, and it is "1.2.0"', { asyncapi: '1.2.0' }],
    ['is 2.x or 3.x, and it is 3', { asyncapi: 3 }],
    ['is neither JSON nor YAML', 'a: [b'],
    [
      'is neither JSON nor YAML',
      `a: &a [x]\nb: &b [${'*a,'.repeat(100)}]\nc: [${'*b,'.repeat(100)}]`,
    ],
  ])('is refused if it %s', async (reason, text) => {
    const error = await errorOf(open(text));
    expect(error.kind).toBe('configuration');
    expect(error.detail).toContain(reason);
  });

  test('that cannot be had is an error of whoever has it', async () => {
    const error = await errorOf(openDocument(callingWith('x'), { endpoint: 'https://b.example/' }));
    expect(error.kind).toBe('communication');
  });

  test('has nothing where nothing is, not even what objects have by birth', async () => {
    const document = await open({ asyncapi: '3.0.0', list: ['a'] });
    expect(await valueAt(document, 'constructor')).toBeUndefined();
    expect(await valueAt(document, 'list', 'length')).toBeUndefined();
    expect(await valueAt(document, 'list', '0')).toBe('a');
    expect(await valueAt(document, 'asyncapi', 'x')).toBeUndefined();
  });
});

describe('a reference', () => {
  const MORE = 'https://docs.example/more.yaml';

  test('is followed with its escapes, through others', async () => {
    const document = await open({
      asyncapi: '3.0.0',
      a: { $ref: '#/b~1c~0d/x%20y' },
      'b/c~d': { 'x y': { $ref: '#/e' } },
      e: 7,
    });
    expect(await valueAt(document, 'a')).toBe(7);
  });

  test('leads into other files, and from there on', async () => {
    const document = await open({
      [DOCUMENT_URL]: { asyncapi: '3.0.0', a: { $ref: './more.yaml#/x' } },
      [MORE]: 'x: { y: { $ref: "deep/est.json#/z" } }',
      'https://docs.example/deep/est.json': { z: { $ref: '#/w' }, w: 'here' },
    });
    expect(await valueAt(document, 'a', 'y')).toBe('here');
  });

  test('to another file is asked for once, with the document’s policy if it is near', async () => {
    const authentication = { bearer: { token: 't' } };
    const far = 'https://other.example/far.json';
    const calling = callingWith({
      [DOCUMENT_URL]: { asyncapi: '3.0.0', a: { $ref: 'more.yaml#/x' }, b: { $ref: `${far}#/x` } },
      [MORE]: { x: 1 },
      [far]: { x: 2 },
    });
    const resource = { endpoint: { uri: DOCUMENT_URL, authentication } };
    const document = await openDocument(calling, resource);
    for (const path of ['a', 'a', 'b']) await valueAt(document, path);
    expect(calling.asked).toEqual([
      JSON.stringify({ uri: DOCUMENT_URL, authentication }),
      JSON.stringify({ uri: MORE, authentication }),
      JSON.stringify(far),
    ]);
  });

  test.each<[string, JsonObject]>([
    ['"#/nowhere" leads nowhere', { $ref: '#/nowhere' }],
    ['from the web cannot refer to one from file:', { $ref: 'file:///etc/hosts#/x' }],
    ['"#nowhere" leads nowhere', { $ref: '#nowhere' }],
    ['is neither a pointer nor an address', { $ref: 'http://[' }],
  ])('%s: that is said', async (reason, a) => {
    const document = await open({ asyncapi: '3.0.0', a });
    expect((await errorOf(valueAt(document, 'a'))).detail).toContain(reason);
  });

  test('leads on so often, and no further', async () => {
    const chain = (length: number): Json =>
      Object.fromEntries([
        ['asyncapi', '3.0.0'],
        ...Array.from({ length }, (_, at) => [`r${at}`, { $ref: `#/r${at + 1}` }]),
        [`r${length}`, 'end'],
      ]) as Json;
    expect(await valueAt(await open(chain(HOPS_MAX)), 'r0')).toBe('end');
    const error = await errorOf(valueAt(await open(chain(HOPS_MAX + 1)), 'r0'));
    expect(error.detail).toContain('or round in a circle');
    const circle = await open({ asyncapi: '3.0.0', a: { $ref: '#/a' } });
    expect((await errorOf(valueAt(circle, 'a'))).kind).toBe('configuration');
  });

  test('leads into so many files, and no more', async () => {
    const url = (at: number): string => `https://docs.example/${at}.json`;
    const files = (count: number): Record<string, Json> =>
      Object.fromEntries([
        [DOCUMENT_URL, { asyncapi: '3.0.0', a: { $ref: `${url(1)}#/x` } }],
        ...Array.from({ length: count - 1 }, (_, at): [string, Json] => {
          const isLast = at === count - 2;
          return [url(at + 1), { x: isLast ? 'end' : { $ref: `${url(at + 2)}#/x` } }];
        }),
      ]);
    expect(await valueAt(await open(files(FILES_MAX)), 'a')).toBe('end');
    const error = await errorOf(valueAt(await open(files(FILES_MAX + 1)), 'a'));
    expect(error.detail).toContain(`more than ${FILES_MAX} files`);
  });
});
