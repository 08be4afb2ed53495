import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { WorkflowError } from '../../model/workflow-error.ts';
import { serve } from '../../testing/called.ts';
import { faultOf } from '../../testing/failing-call.ts';
import {
  type GrpcOffice,
  keepFiles,
  NUMBER_PROTO,
  OFFICE_PROTO,
  openOffice,
} from '../../testing/grpc-office.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import type { Calling, CallResult } from '../calling.ts';
import { callGrpc } from './call-grpc.ts';

interface Asked {
  readonly method: string;
  readonly given?: Json;
  readonly service?: JsonObject;
  readonly proto?: Json;
  readonly parts?: Partial<Calling>;
}

function ask(
  office: GrpcOffice,
  { method, given, service, proto, parts }: Asked,
): Promise<CallResult> {
  return callGrpc(plainCalling(parts), {
    method,
    proto: { endpoint: proto ?? office.proto },
    service: { name: 'office.v1.Desk', host: 'localhost', port: office.port, ...service },
    ...(given === undefined ? {} : { arguments: given }),
  });
}

async function answer(office: GrpcOffice, asked: Asked): Promise<Json> {
  return (await ask(office, asked)).output;
}

describe('a method', () => {
  test('is found by its service, with its package, at its host and port [GR-02]', async () => {
    const office = await openOffice();
    const given = { firstName: 'Ada', age: 36 };
    expect(await answer(office, { method: 'Greet', given })).toEqual({ text: 'Hello Ada, of 36' });
  });

  test('is also found by the name of its service alone, if there is one of that name', async () => {
    const office = await openOffice();
    const asked = { method: 'Greet', service: { name: 'Desk' }, given: { firstName: 'Ada' } };
    expect(await answer(office, asked)).toEqual({ text: 'Hello Ada, of no age' });
  });

  test('is given what its arguments have come to, by either name of a field [GR-03]', async () => {
    const office = await openOffice();
    const made = JSON.parse('{ "first_name": "Grace", "age": "85" }') as JsonObject;
    expect(await answer(office, { method: 'Greet', given: made })).toEqual({
      text: 'Hello Grace, of 85',
    });
  });

  test('may be called without arguments [GR-03]', async () => {
    const office = await openOffice();
    expect(await answer(office, { method: 'Greet' })).toEqual({ text: 'Hello , of no age' });
  });

  test('that answers by a stream gives a list [GR-06]', async () => {
    const office = await openOffice();
    expect(await answer(office, { method: 'Count', given: { value: 3 } })).toEqual([
      ...[{ value: 1 }, { value: 2 }, { value: 3 }],
    ]);
    expect(await answer(office, { method: 'Count', given: { value: 0 } })).toEqual([]);
  });

  test('that takes a stream is given a list, named or not, or one message [GR-06]', async () => {
    const office = await openOffice();
    const numbers = [{ value: 1 }, { value: '2' }, { value: 3 }];
    const sum = (given: Json): Promise<Json> => answer(office, { method: 'Sum', given });
    expect(await sum(numbers)).toEqual({ value: 6 });
    expect(await sum({ numbers })).toEqual({ value: 6 });
    expect(await sum({ value: 7 })).toEqual({ value: 7 });
    expect(await sum([])).toEqual({ value: 0 });
  });

  test('with streams both ways takes a list and gives one [GR-06]', async () => {
    const office = await openOffice();
    const given = { people: [{ firstName: 'Ada' }, { firstName: 'Bob' }] };
    expect(await answer(office, { method: 'Chat', given })).toEqual([
      ...[{ text: 'Hi Ada' }, { text: 'Hi Bob' }],
    ]);
  });
});

describe('a proto file', () => {
  test('is read from a file, with what it imports from beside and above it [GR-01]', async () => {
    const office = await openOffice();
    expect(office.proto).toMatch(/^file:.*\/protos\/office\/v1\/desk\.proto$/);
    expect(await answer(office, { method: 'Count', given: { value: 1 } })).toEqual([{ value: 1 }]);
  });

  test('is fetched by HTTP with its imports, by the policy of its endpoint [GR-01]', async () => {
    const office = await openOffice();
    const { url, requests } = await serve(({ path }) => {
      if (path === '/a/b/x.proto') return { body: OFFICE_PROTO };
      if (path === '/office/parts/number.proto') return { body: NUMBER_PROTO };
      return { status: 404 };
    });
    const proto = { uri: `${url}/a/b/{file}`, authentication: { bearer: { token: 't' } } };
    const parts = { input: { file: 'x.proto' } };
    const asked = { method: 'Count', given: { value: 1 }, proto, parts };
    expect(await answer(office, asked)).toEqual([{ value: 1 }]);
    expect(requests.map(({ path, headers }) => `${headers['authorization']} ${path}`)).toEqual([
      'Bearer t /a/b/x.proto',
      'Bearer t /a/b/office/parts/number.proto',
      'Bearer t /a/office/parts/number.proto',
      'Bearer t /office/parts/number.proto',
    ]);
  });

  test('that lacks an import, or is none, is refused with the reason', async () => {
    const office = await openOffice();
    const directory = await keepFiles({
      'alone.proto': 'syntax = "proto3"; import "gone.proto";',
      'bad.proto': 'syntax = "proto3"; message {',
    });
    const refused = (file: string): Promise<readonly unknown[]> =>
      faultOf(ask(office, { method: 'Greet', proto: pathToFileURL(`${directory}/${file}`).href }));
    expect(await refused('alone.proto')).toEqual([
      ...['configuration', 400],
      expect.stringMatching(/^"gone.proto", which .*alone.proto imports, is neither beside it/),
    ]);
    expect(await refused('bad.proto')).toEqual([
      ...['configuration', 400],
      expect.stringMatching(/bad.proto cannot be read as a proto file: .*line 1/),
    ]);
  });

  test('without the service or the method is refused with what there is', async () => {
    const office = await openOffice();
    const service = { name: 'office.v1.Desks' };
    expect(await faultOf(ask(office, { method: 'Greet', service }))).toEqual([
      ...['configuration', 400],
      'the proto has no service "office.v1.Desks"; did you mean "office.v1.Desk"?',
    ]);
    expect(await faultOf(ask(office, { method: 'Great' }))).toEqual([
      ...['configuration', 400],
      'the service office.v1.Desk has no method "Great"; did you mean "Greet"?',
    ]);
  });
});

describe('the target', () => {
  test.each([
    [{ host: 'http://localhost' }, '"service.host" is the name of a host alone'],
    [{ host: '-a' }, '"service.host" is the name of a host alone'],
    [{ host: 'a/b' }, '"service.host" is the name of a host alone'],
    [{ host: `a${'b'.repeat(253)}` }, '"service.host" is the name of a host alone'],
    [{ port: -1 }, '"service.port" is a whole number from 0 to 65535; came -1'],
    [{ port: 65_536 }, '"service.port" is a whole number from 0 to 65535; came 65536'],
    [{ port: 1.5 }, '"service.port" is a whole number from 0 to 65535; came 1.5'],
    [{ port: '80' }, '"service.port" is a whole number from 0 to 65535; came "80"'],
  ])('%j is refused before anything is sent [GR-07]', async (service, detail) => {
    const office = { port: 1, proto: 'file:///nowhere' } as GrpcOffice;
    const fault = await faultOf(ask(office, { method: 'Greet', service }));
    expect(fault).toEqual(['configuration', 400, expect.stringContaining(detail)]);
  });

  test('is the address that was found fit, asked by the name it was given', async () => {
    const office = await openOffice();
    const asked: unknown[] = [];
    const reach: Calling['reach'] = (...target) => {
      asked.push(target);
      return Promise.resolve({ address: '127.0.0.1' });
    };
    const service = { host: 'desk.example' };
    const output = await answer(office, { method: 'WhoAsks', service, parts: { reach } });
    expect(asked).toEqual([['desk.example', office.port]]);
    expect(output).toMatchObject({ authority: `desk.example:${office.port}` });
    expect(output).toMatchObject({ userAgent: expect.stringMatching(/^perdure\/\d/) as string });
  });

  test('that is not for workflows is not connected to', async () => {
    const office = await openOffice();
    const detail = 'localhost is a private address';
    const reach = (): Promise<never> =>
      Promise.reject(new WorkflowError('authorization', { detail }));
    const asked = { method: 'Greet', parts: { reach } };
    expect(await faultOf(ask(office, asked))).toEqual(['authorization', 403, detail]);
  });
});
