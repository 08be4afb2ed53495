import { once } from 'node:events';
import { createServer } from 'node:net';
import grpc from '@grpc/grpc-js';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { json, serve } from '../../testing/called.ts';
import { DESK_CERTIFICATE, DESK_KEY } from '../../testing/desk-certificate.ts';
import { faultOf } from '../../testing/failing-call.ts';
import { type GrpcOffice, openOffice } from '../../testing/grpc-office.ts';
import { listenLocally } from '../../testing/local-port.ts';
import { plainCalling } from '../../testing/plain-calling.ts';
import type { Calling, CallResult } from '../calling.ts';
import { callGrpc } from './call-grpc.ts';
import { MESSAGE_BYTES_MAX, speaksTls, STREAM_BYTES_MAX, STREAM_MESSAGES_MAX } from './exchange.ts';

interface Asked {
  readonly method: string;
  readonly given?: JsonObject;
  readonly service?: JsonObject;
  readonly parts?: Partial<Calling>;
}

function ask(
  { proto, port }: Pick<GrpcOffice, 'proto' | 'port'>,
  { method, given = {}, service, parts }: Asked,
): Promise<CallResult> {
  return callGrpc(plainCalling({ reach, ...parts }), {
    ...{ method, arguments: given, proto: { endpoint: proto } },
    service: { name: 'office.v1.Desk', host: 'localhost', port, ...service },
  });
}

/** Every name leads to this machine. */
const reach: Calling['reach'] = () => Promise.resolve({ address: '127.0.0.1' });

describe('a policy', () => {
  async function shown(authentication: JsonObject): Promise<CallResult & { header: Json }> {
    const office = await openOffice();
    const result = await ask(office, { method: 'WhoAsks', service: { authentication } });
    const { authorization } = result.output as { authorization: string };
    return { ...result, header: authorization };
  }

  test('of a name and a password is shown in the metadata [GR-04]', async () => {
    const parameter = Buffer.from('ada:secret').toString('base64');
    const { header, authorization } = await shown({
      basic: { username: 'ada', password: 'secret' },
    });
    expect(header).toBe(`Basic ${parameter}`);
    expect(authorization).toEqual({ scheme: 'Basic', parameter });
  });

  test('of a token is shown in the metadata [GR-04]', async () => {
    const { header, authorization } = await shown({ bearer: { token: 'abc' } });
    expect(header).toBe('Bearer abc');
    expect(authorization).toEqual({ scheme: 'Bearer', parameter: 'abc' });
  });

  test('of OAuth2 gets its token first, and keeps it for the next call [GR-04]', async () => {
    const { url, requests } = await serve(
      json({ access_token: 'fresh', token_type: 'Bearer', expires_in: 3600 }),
    );
    const client = { id: 'me', secret: 'shh' };
    const oauth2 = { authority: url, grant: 'client_credentials', client };
    expect((await shown({ oauth2 })).header).toBe('Bearer fresh');
    expect((await shown({ oauth2 })).header).toBe('Bearer fresh');
    expect(requests).toHaveLength(1);
  });

  test('of digest has no place here [GR-04]', async () => {
    expect(await faultOf(shown({ digest: { username: 'a', password: 'b' } }))).toEqual([
      ...['configuration', 400],
      'gRPC has no digest authentication: use basic, bearer, oauth2 or oidc',
    ]);
  });

  test('that there is none of leaves the metadata alone', async () => {
    const office = await openOffice();
    const { output, authorization } = await ask(office, { method: 'WhoAsks' });
    expect(output).toMatchObject({ authorization: '' });
    expect(authorization).toBeUndefined();
  });
});

describe('a status', () => {
  test.each([
    ['CANCELLED', 499],
    ['UNKNOWN', 500],
    ['INVALID_ARGUMENT', 400],
    ['DEADLINE_EXCEEDED', 504],
    ['NOT_FOUND', 404],
    ['ALREADY_EXISTS', 409],
    ['PERMISSION_DENIED', 403],
    ['RESOURCE_EXHAUSTED', 429],
    ['FAILED_PRECONDITION', 400],
    ['ABORTED', 409],
    ['OUT_OF_RANGE', 400],
    ['UNIMPLEMENTED', 501],
    ['INTERNAL', 500],
    ['UNAVAILABLE', 503],
    ['DATA_LOSS', 500],
    ['UNAUTHENTICATED', 401],
  ] as const)('of %s is a communication error of %i [GR-05]', async (name, status) => {
    const office = await openOffice();
    const given = { code: grpc.status[name], reason: 'no swordfish' };
    const hide = (text: string): string => text.replaceAll('swordfish', '***');
    expect(await faultOf(ask(office, { method: 'Refuse', given, parts: { hide } }))).toEqual([
      ...['communication', status, `${name}: no ***`],
    ]);
  });

  test('of a server that is not there is a communication error of 503 [GR-05]', async () => {
    const office = await openOffice();
    const nobody = createServer();
    const port = await listenLocally(nobody);
    nobody.close();
    await once(nobody, 'close');
    const [kind, status, detail] = await faultOf(ask({ ...office, port }, { method: 'Greet' }));
    expect([kind, status]).toEqual(['communication', 503]);
    expect(detail).toMatch(/^UNAVAILABLE: .*ECONNREFUSED/);
  });
});

describe('a call that nobody waits for any more', () => {
  test('is cancelled, here and there', async () => {
    const office = await openOffice();
    const giveUp = new AbortController();
    const calling = ask(office, { method: 'Hang', parts: { signal: giveUp.signal } });
    calling.catch(() => {});
    await office.hanging;
    giveUp.abort(new Error('enough'));
    await expect(calling).rejects.toThrow('enough');
    await office.cancelled;
  });

  test('before it began is not made', async () => {
    const office = await openOffice();
    const signal = AbortSignal.abort(new Error('too late'));
    const calling = ask(office, { method: 'Hang', parts: { signal } });
    await expect(calling).rejects.toThrow('too late');
  });
});

describe('sizes', () => {
  /** The text's number, its type and its length come before it. */
  const FRAME = 1 + 4;

  test('a message that comes is as long as may be, and no longer', async () => {
    const office = await openOffice();
    const fill = (value: number): Promise<CallResult> =>
      ask(office, { method: 'Fill', given: { value } });
    const { output } = await fill(MESSAGE_BYTES_MAX - FRAME);
    expect((output as { text: string }).text.length).toBe(MESSAGE_BYTES_MAX - FRAME);
    expect(await faultOf(fill(MESSAGE_BYTES_MAX - FRAME + 1))).toEqual([
      ...['communication', 429],
      expect.stringMatching(/^RESOURCE_EXHAUSTED: Received message larger than max/),
    ]);
  });

  test('a message that goes is as long as may be, and no longer', async () => {
    const office = await openOffice();
    const send = (chars: number): Promise<CallResult> =>
      ask(office, { method: 'Greet', given: { firstName: 'x'.repeat(chars) } });
    // It is taken; the answer, which says a little more, is too long.
    expect((await faultOf(send(MESSAGE_BYTES_MAX - FRAME)))[2]).toMatch(/Received message larger/);
    expect(await faultOf(send(MESSAGE_BYTES_MAX - FRAME + 1))).toEqual([
      ...['communication', 429],
      expect.stringMatching(/^RESOURCE_EXHAUSTED: Attempted to send message/),
    ]);
  });

  test('a stream has as many messages and bytes as may be, and no more', async () => {
    const office = await openOffice();
    const flood = (messages: number, bytes: number): Promise<CallResult> =>
      ask(office, { method: 'Flood', given: { messages, bytes } });
    const most = `${STREAM_MESSAGES_MAX} messages or ${STREAM_BYTES_MAX} bytes`;
    const detail = `the stream has more than ${most}`;
    expect((await flood(STREAM_MESSAGES_MAX, 0)).output).toHaveLength(STREAM_MESSAGES_MAX);
    expect((await faultOf(flood(STREAM_MESSAGES_MAX + 1, 0)))[2]).toBe(detail);
    // Their length is told by one byte less.
    const part = STREAM_BYTES_MAX / 8 - (FRAME - 1);
    expect((await flood(8, part)).output).toHaveLength(8);
    expect((await faultOf(flood(8, part + 1)))[2]).toBe(detail);
  });
});

describe('TLS', () => {
  const pair = { private_key: Buffer.from(DESK_KEY), cert_chain: Buffer.from(DESK_CERTIFICATE) };
  const secure = grpc.ServerCredentials.createSsl(null, [pair]);
  const isSpoken = (): boolean => true;

  test('is spoken where the host says so, and the name is what is certified', async () => {
    const office = await openOffice(secure);
    const tls = { isSpoken, roots: DESK_CERTIFICATE };
    const asked = { method: 'Greet', given: { firstName: 'Ada' }, parts: { tls } };
    const { output } = await ask(office, { ...asked, service: { host: 'desk.example' } });
    expect(output).toEqual({ text: 'Hello Ada, of no age' });

    const other = await faultOf(ask(office, { ...asked, service: { host: 'other.example' } }));
    expect(other.slice(0, 2)).toEqual(['communication', 503]);
  });

  test('is not spoken with whom nobody trusts', async () => {
    const office = await openOffice(secure);
    const asked = { method: 'Greet', service: { host: 'desk.example' } };
    const fault = await faultOf(ask(office, { ...asked, parts: { tls: { isSpoken } } }));
    expect(fault.slice(0, 2)).toEqual(['communication', 503]);
  });

  test('is what port 443 speaks unless the host says otherwise, and no other', () => {
    expect([443, 80, 8443, 50_051].map((port) => speaksTls('desk.example', port))).toEqual([
      ...[true, false, false, false],
    ]);
  });
});
