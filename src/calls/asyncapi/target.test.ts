import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { callingWith, DOCUMENT_URL, documentOf } from '../../testing/asyncapi-calls.ts';
import { errorOf } from '../../testing/failing-call.ts';
import { readArguments } from './arguments.ts';
import { PROTOCOLS } from './protocols.ts';
import { findTarget, type Target } from './target.ts';

async function find(document: Json, args: JsonObject = {}, input: Json = {}): Promise<Target> {
  const calling = callingWith(document, { input });
  const what = 'channel' in args ? {} : { operation: 'talk' };
  const does = 'subscription' in args ? {} : { message: { payload: {} } };
  const given = { document: { endpoint: DOCUMENT_URL }, ...what, ...does, ...args };
  return findTarget(calling, readArguments(given));
}

/** Where it leads, or what is wrong. */
async function place(document: Json, args: JsonObject = {}, input: Json = {}): Promise<string> {
  const { server, address } = await find(document, args, input);
  return `${server.url.href} ${address}`;
}

async function wrong(document: Json, args: JsonObject = {}, input: Json = {}): Promise<string> {
  const error = await errorOf(find(document, args, input));
  expect([error.kind, error.status]).toEqual(['configuration', 400]);
  return error.detail ?? '';
}

const SERVERS = {
  queue: { host: 'kafka.example', protocol: 'kafka' },
  web: { host: 'web.example', pathname: '/v1', protocol: 'https' },
  broker: { host: 'broker.example:1884', protocol: 'mqtt' },
  safe: { host: 'safe.example', protocol: 'secure-mqtt' },
  talk: { host: 'talk.example', protocol: 'wss' },
};
const three = (more: JsonObject = {}): JsonObject =>
  documentOf({ host: 'x.example', protocol: 'http' }, 'pets', { servers: SERVERS, ...more });
const two = (more: JsonObject = {}): JsonObject => ({
  asyncapi: '2.6.0',
  servers: { web: { url: 'web.example/v1/', protocol: 'http' } },
  channels: { 'pets/new': { publish: {} } },
  ...more,
});

describe('what is called', () => {
  test('is a channel of AsyncAPI 2 [AS-01]', async () => {
    expect(await place(two(), { channel: 'pets/new' })).toBe('http://web.example/v1 pets/new');
    expect(await wrong(two(), { operation: 'talk' })).toContain('give "channel" instead');
    expect(await wrong(two(), { channel: 'pets/now' })).toContain('did you mean "pets/new"?');
  });

  test('is an operation of AsyncAPI 3 [AS-01]', async () => {
    expect(await place(three())).toBe('https://web.example/v1 pets');
    expect(await wrong(three(), { channel: 'talk' })).toContain('give "operation" instead');
    expect(await wrong(three(), { operation: 'tlak' })).toContain('did you mean "talk"?');
    const channels = { talk: { address: null } };
    expect(await wrong(three({ channels }))).toContain('no channel with an "address"');
  });

  test('is exactly one of the two [AS-01]', async () => {
    const both = { channel: 'a', operation: 'b' };
    expect(await wrongArguments(both)).toContain('"channel" or "operation", and was given both');
    expect(await wrongArguments({})).toContain('"channel" or "operation", and was given neither');
  });

  test('is either told something or listened to [AS-02]', async () => {
    const both = { operation: 'a', message: {}, subscription: {} };
    expect(await wrongArguments(both)).toContain('"message" or "subscription", and was given both');
    const neither = { operation: 'a' };
    expect(await wrongArguments(neither)).toContain('"subscription", and was given neither');
  });

  const wrongArguments = async (args: JsonObject): Promise<string> => {
    const given = { document: { endpoint: DOCUMENT_URL }, ...args };
    const error = await errorOf(Promise.resolve().then(() => readArguments(given)));
    return error.detail ?? '';
  };
});

describe('the server', () => {
  test('is the first that anybody here can talk to [AS-03]', async () => {
    expect((await find(three())).server.transport).toBe('http');
  });

  test('is the one of that name [AS-03]', async () => {
    const named = await place(three(), { server: { name: 'broker' } });
    expect(named).toBe('mqtt://broker.example:1884 pets');
    expect(await wrong(three(), { server: { name: 'brokr' } })).toContain('did you mean "broker"?');
  });

  test.each([
    ['mqtt', 'mqtt://broker.example:1884'],
    ['mqtt5', 'mqtt://broker.example:1884'],
    ['http', 'https://web.example/v1'],
    ['ws', 'wss://talk.example/'],
  ])('is the first of the protocol %s [AS-03]', async (protocol, url) => {
    const { server } = await find(three(), { protocol });
    expect(server.url.href).toBe(url);
    expect(server.version).toBe(protocol === 'mqtt5' ? '5' : undefined);
  });

  test('has both the name and the protocol, if both are given [AS-03]', async () => {
    const safe = await place(three(), { server: { name: 'safe' }, protocol: 'mqtt' });
    expect(safe).toBe('mqtts://safe.example pets');
    const detail = await wrong(three(), { server: { name: 'web' }, protocol: 'mqtt' });
    expect(detail).toBe('the server "web" speaks "https", and the call asks for "mqtt"');
  });

  test('is one of those that the channel lists [AS-03]', async () => {
    const servers = [{ $ref: '#/servers/safe' }, { $ref: '#/servers/broker' }];
    const document = three({ channels: { talk: { address: 'pets', servers } } });
    expect(await place(document)).toBe('mqtt://broker.example:1884 pets');
    expect(await wrong(document, { protocol: 'http' })).toContain('there are "broker" (mqtt)');
    const channels = { 'pets/new': { servers: ['b'] } };
    const b = { url: 'mqtt://b.example', protocol: 'mqtt' };
    const older = two({ servers: { a: { url: 'a.example', protocol: 'http' }, b }, channels });
    expect(await place(older, { channel: 'pets/new' })).toBe('mqtt://b.example pets/new');
  });

  test('has variables, each given, by default, or refused [AS-03]', async () => {
    const variables = {
      stage: { default: 'staging', enum: ['staging', 'live'] },
      port: { default: 8080 },
      region: {},
    };
    const main = { host: '{stage}.{region}.example:{port}', protocol: 'http', variables };
    const document = documentOf(main, 'pets');
    const at = (given: JsonObject): JsonObject => ({ server: { name: 'main', variables: given } });
    expect(await place(document, at({ region: 'eu' }))).toBe(
      'http://staging.eu.example:8080/ pets',
    );
    const chosen = await place(document, at({ region: 'eu', stage: 'live', port: 1 }));
    expect(chosen).toBe('http://live.eu.example:1/ pets');
    expect(await wrong(document, at({ region: 'eu', stage: 'lives' }))).toBe(
      '"stage" is one of staging, live, and not "lives"',
    );
    expect(await wrong(document, at({}))).toContain('"region" of the server "main" has no value');
    expect(await wrong(document, at({ regoin: 'eu' }))).toContain('did you mean "region"?');
    expect(await wrong(document, at({ region: {} }))).toContain('was given an object');
  });

  test('lies where the document is served, if its address is a path', async () => {
    const document = two({ servers: { web: { url: '/v2', protocol: 'http' } } });
    const at = await place(document, { channel: 'pets/new' });
    expect(at).toBe('https://docs.example/v2 pets/new');
  });

  test('is refused if its address is none, or holds a password', async () => {
    const at = (host: string): JsonObject => documentOf({ host, protocol: 'mqtt' }, 'pets');
    expect(await wrong(at('a b'))).toContain('address of the server "main" is none');
    expect(await wrong(at('ann:secret@b.example'))).toContain('give them in "authentication"');
    expect(await wrong(at('ann:secret@b.example'))).not.toContain('secret');
    expect(await wrong(at('wss://b.example/mqtt'))).toContain('MQTT over WebSockets');
  });

  test('is needed', async () => {
    expect(await wrong(three({ servers: null }))).toContain('names no servers');
    expect(await wrong(three({ servers: { a: {} } }))).toContain(
      '"a" of the AsyncAPI document has no',
    );
    expect(await wrong(documentOf({ protocol: 'http' }, 'x'))).toContain('has no "host"');
  });
});

describe('the protocol', () => {
  const spoken = new Set(['http', 'mqtt', 'mqtt5', 'ws']);

  test('is one of nineteen [AS-14]', async () => {
    expect(PROTOCOLS).toHaveLength(19);
    const detail = await wrong(three(), { protocol: 'mqt' });
    expect(detail).toContain('"protocol" is not "mqt"; did you mean "mqtt"?');
  });

  test.each(PROTOCOLS.filter((one) => !spoken.has(one)))(
    '%s is not spoken, which is said with those that are [AS-14]',
    async (protocol) => {
      expect(await wrong(three(), { protocol })).toBe(
        `the protocol "${protocol}" is not supported; supported are http, https, mqtt, mqtts, ` +
          'secure-mqtt, mqtt5, ws, wss',
      );
    },
  );

  test('of a server that is not spoken is named [AS-14]', async () => {
    const kafka = { host: 'k.example', protocol: 'kafka' };
    expect(await wrong(documentOf(kafka, 'x'))).toContain('the protocol "kafka" is not supported');
    const servers = { a: kafka, b: { host: 'n.example', protocol: 'nats' } };
    const neither = await wrong(three({ servers }));
    expect(neither).toContain('none of the protocols "kafka", "nats" is supported');
    const named = await wrong(three({ servers }), { server: { name: 'b' } });
    expect(named).toContain('the protocol "nats" is not supported');
  });
});

describe('the address', () => {
  const at = (address: string, parameters: JsonObject = {}, protocol = 'http'): JsonObject =>
    documentOf({ host: 'x.example', protocol }, address, {
      channels: { talk: { address, parameters } },
    });

  test('takes the values of its parameters from the input', async () => {
    const target = await find(at('pets/{id}/a{b}'), {}, { id: 'x/y z', b: 7 });
    expect(target.address).toBe('pets/x%2Fy%20z/a7');
  });

  test('takes them from the message, where the document says they are', async () => {
    const parameters = {
      id: { location: '$message.payload#/pet/id' },
      who: { location: '$message.header#/who' },
    };
    const message = { payload: { pet: { id: 4 } }, headers: { who: 'ann' } };
    const target = await find(at('pets/{id}/{who}', parameters), { message }, { id: 5 });
    expect(target.address).toBe('pets/4/ann');
  });

  test('has defaults, of either version, and values that are allowed', async () => {
    const parameters = { id: { default: 'all', enum: ['all', 'some'] } };
    expect((await find(at('pets/{id}', parameters))).address).toBe('pets/all');
    const detail = await wrong(at('pets/{id}', parameters), {}, { id: 'none' });
    expect(detail).toBe('"id" is one of all, some, and not "none"');
    const older = two({
      channels: { 'pets/{id}': { parameters: { id: { schema: { default: 'any' } } } } },
    });
    expect((await find(older, { channel: 'pets/{id}' })).address).toBe('pets/any');
  });

  test('is nobody’s without a value, unless a topic is subscribed to', async () => {
    expect(await wrong(at('pets/{id}'))).toContain(
      'the parameter "id" of the channel has no value',
    );
    expect(await wrong(at('pets/{id}', {}, 'mqtt'))).toContain('has no value');
    const listening = await find(at('pets/{id}/+', {}, 'mqtt'), { subscription: {} });
    expect(listening.address).toBe('pets/+/+');
  });

  test.each(['a/b', '+', '#', ''])('of a topic has no part like "%s"', async (id) => {
    expect(await wrong(at('pets/{id}', {}, 'mqtt'), {}, { id })).toContain('is a part of a topic');
  });

  test('does not lead elsewhere than it was written to', async () => {
    expect(await wrong(at('pets/{id}'), {}, { id: '..' })).toContain('lead elsewhere');
  });
});

describe('what the document says of messages', () => {
  test('is what a message, one of its traits or the document itself says', async () => {
    const message = { traits: [{}, { contentType: 'text/csv' }] };
    const channels = { talk: { address: 'pets', messages: { a: {}, b: message } } };
    expect((await find(three({ channels }))).contentType).toBe('text/csv');
    const common = { defaultContentType: 'text/html' };
    expect((await find(three(common))).contentType).toBe('text/html');
    expect((await find(three())).contentType).toBeUndefined();
  });

  test('is found in both versions, one or several', async () => {
    const correlationId = { $ref: '#/components/correlationIds/main' };
    const components = { correlationIds: { main: { location: '$message.header#/c' } } };
    const publish = { message: { oneOf: [{ contentType: 'a/b' }, { correlationId }] } };
    const document = two({ components, channels: { 'pets/new': { publish } } });
    const target = await find(document, { channel: 'pets/new' });
    expect(target).toMatchObject({ contentType: 'a/b', correlations: ['$message.header#/c'] });
    const alone = two({
      channels: { 'pets/new': { subscribe: { message: { contentType: 'c/d' } } } },
    });
    expect((await find(alone, { channel: 'pets/new' })).contentType).toBe('c/d');
  });

  test('has a binding for the protocol, its own or that of a trait', async () => {
    const operations = {
      talk: {
        channel: { $ref: '#/channels/talk' },
        traits: [{ bindings: { mqtt: { qos: 2 }, kafka: { x: 1 } } }],
      },
    };
    const { binding } = await find(three({ operations }), { protocol: 'mqtt' });
    expect(binding).toEqual({ qos: 2 });
    expect((await find(three({ operations }), { protocol: 'http' })).binding).toEqual({});
  });
});
