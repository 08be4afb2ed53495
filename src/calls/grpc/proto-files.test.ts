import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { assert } from '../../base/assert.ts';
import type { JsonObject } from '../../base/json.ts';
import { serve } from '../../testing/called.ts';
import { faultOf } from '../../testing/failing-call.ts';
import { keepFiles } from '../../testing/grpc-office.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import { loadPackages, type Protobuf } from './packages.ts';
import { loadProtoFiles, PROTO_FILES_MAX } from './proto-files.ts';
import { namedType, readSchema, type Schema, serviceOf, typeOf } from './schema.ts';

let protobuf: Protobuf;

beforeAll(async () => {
  ({ protobuf } = await loadPackages());
});

/** Reads the first of some files, and whatever it imports. */
async function read(files: Readonly<Record<string, string>>): Promise<readonly JsonObject[]> {
  const directory = await keepFiles(files);
  const [first = ''] = Object.keys(files);
  const uri = pathToFileURL(`${directory}/${first}`).href;
  return loadProtoFiles(plainCalling(), protobuf, { uri });
}

async function schemaOf(text: string): Promise<Schema> {
  return readSchema(await read({ 'only.proto': `syntax = "proto3"; ${text}` }));
}

/** A file that imports others and has a message of its own. */
function file(name: string, ...imports: readonly string[]): string {
  const lines = imports.map((path) => `import "${path}";`).join(' ');
  return `syntax = "proto3"; ${lines} message ${name} {}`;
}

describe('imports', () => {
  test('are read once each, also if they import each other', async () => {
    const files = await read({
      'a.proto': file('A', 'b.proto', 'c/c.proto', 'google/protobuf/any.proto'),
      'b.proto': file('B', 'a.proto', 'google/protobuf/any.proto'),
      'c/c.proto': file('C', 'b.proto', 'd.proto'),
      'c/d.proto': file('D'),
    });
    expect([...readSchema(files).types.keys()].sort()).toEqual([
      ...['A', 'B', 'C', 'D', 'google.protobuf.Any'],
    ]);
    expect(files).toHaveLength(5);
  });

  test('that say nothing about messages may be missing, and weak ones, too', async () => {
    const text = file('A', 'google/api/annotations.proto', 'validate/validate.proto');
    const weak = 'syntax = "proto3"; import weak "gone.proto"; message B {}';
    expect(await read({ 'a.proto': text })).toHaveLength(1);
    expect(await read({ 'b.proto': weak })).toHaveLength(1);
  });

  test('are as many as may be, and no more', async () => {
    const names = Array.from({ length: PROTO_FILES_MAX }, (_, n) => `m${n}.proto`);
    const files = Object.fromEntries(
      names.map((name, n) => [name, file(`M${n}`, ...(n === 0 ? names.slice(1) : []))]),
    );
    expect(await read(files)).toHaveLength(PROTO_FILES_MAX);
    const more = { ...files, 'm1.proto': file('M1', 'x.proto'), 'x.proto': file('X') };
    expect(await faultOf(read(more))).toEqual([
      ...['configuration', 400, expect.stringContaining('imports more than 99 files')],
    ]);
  });

  test('that are kept from us are not looked for elsewhere', async () => {
    const { url, requests } = await serve({ body: file('A', 'b.proto') });
    const { resources } = plainCalling();
    const refusing = plainCalling({
      resources: {
        text: (resource, signal) => {
          if (requests.length > 0) throw new RangeError('refused');
          return resources.text(resource, signal);
        },
      },
    });
    await expect(loadProtoFiles(refusing, protobuf, { uri: url })).rejects.toThrow('refused');
  });

  test('of a file that has no place cannot be found', async () => {
    const text = file('A', 'b.proto');
    const url = `data:text/plain,${encodeURIComponent(text)}`;
    const calling = plainCalling({
      resources: { text: () => Promise.resolve({ text, url, mediaType: null }) },
    });
    const [kind, , detail] = await faultOf(loadProtoFiles(calling, protobuf, { uri: url }));
    expect(kind).toBe('configuration');
    expect(detail).toMatch('a file without a place has nothing beside it');
  });
});

describe('names', () => {
  test('mean what is nearest to where they stand', async () => {
    const schema = await schemaOf(`
      package a.b;
      message T { message T { } message U { T near = 1; .a.b.T far = 2; b.T by = 3; V gone = 4; } }
    `);
    const type = schema.types.get('a.b.T.U');
    assert(type?.is === 'message', 'U is a message');
    const nameOf = (field: string): string => {
      const found = type.byName.get(field);
      assert(found !== undefined, `U has ${field}`);
      return typeOf(schema, found).name;
    };
    expect(['near', 'far', 'by'].map(nameOf)).toEqual(['a.b.T.T', 'a.b.T', 'a.b.T']);
    expect(() => nameOf('gone')).toThrow('a.b.T.U needs the type "V", which no file has');
    expect(() => namedType(schema, '.T', 'a.b')).toThrow('a.b needs the type ".T"');
  });

  test('of services are whole, unless the last part is enough', async () => {
    const schema = await schemaOf(`
      package a;
      message M { }
      service S { rpc Do (M) returns (M); }
      service Other { rpc Do (M) returns (M) { option (x).y = "z"; } }
    `);
    expect(serviceOf(schema, 'a.S').methods.get('Do')?.path).toBe('/a.S/Do');
    expect(serviceOf(schema, 'Other').name).toBe('a.Other');
    expect(() => serviceOf(schema, 'b.S')).toThrow('has no service "b.S"; did you mean "a.S"?');
    expect(() => serviceOf({ ...schema, services: new Map() }, 'S')).toThrow('it has none at all');
  });
});
