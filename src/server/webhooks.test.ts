/** Stories of webhooks that come in: genuine, forged, late, and sent by ourselves. */
import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { webhook } from '../index.ts';
import { closed } from '../testing/closed.ts';
import { startHttpServer } from '../testing/http-server.ts';
import {
  checkWebhook,
  SIGNATURES_MAX,
  verifyWebhook,
  WEBHOOK_ID_CHARS_MAX,
  WEBHOOK_SECRET_CHARS_MIN,
  WEBHOOK_TOLERANCE_MS_DEFAULT,
  WEBHOOK_TOLERANCE_MS_MAX,
  type VerifiedWebhook,
  type WebhookSource,
} from './webhooks.ts';

type Headers = Readonly<Record<string, string | undefined>>;

const NOW = 1_614_265_330_000;
const SECONDS = `${NOW / 1_000}`;

/** The example that the libraries of Standard Webhooks are tested with. */
const STANDARD: WebhookSource = {
  scheme: 'standard',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};
const SENT = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': SECONDS,
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const BODY = '{"test": 2432232314}';

const GITHUB: WebhookSource = { scheme: 'github', secret: "It's a Secret to Everybody" };
const STRIPE: WebhookSource = { scheme: 'stripe', secret: `whsec_${'x'.repeat(32)}` };

function verify(
  source: WebhookSource,
  headers: Headers,
  body: string | Uint8Array = BODY,
  now = NOW,
): VerifiedWebhook {
  return verifyWebhook(source, (name) => headers[name], Buffer.from(body), now);
}

const forged = (reason: RegExp): object =>
  expect.objectContaining({ code: 'webhook.forged', message: expect.stringMatching(reason) });

/** As a sender of Standard Webhooks would. */
function standard(id: string, secret = String(STANDARD.secret), body = BODY): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${SECONDS}.${body}`);
  return `v1,${mac.digest('base64')}`;
}

function stripe(body: string, seconds = SECONDS): string {
  const mac = createHmac('sha256', String(STRIPE.secret)).update(`${seconds}.${body}`);
  return `t=${seconds},v1=${mac.digest('hex')},v0=${'0'.repeat(64)}`;
}

const github = (body: string): string =>
  `sha256=${createHmac('sha256', String(GITHUB.secret)).update(body).digest('hex')}`;

test('the published example of Standard Webhooks is genuine', () => {
  expect(verify(STANDARD, SENT)).toEqual({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    data: { test: 2432232314 },
  });
});

test('one good signature among several is enough, and other versions count for nothing', () => {
  const good = SENT['webhook-signature'];
  const bad = `v1,${randomBytes(32).toString('base64')}`;
  const by = (...signatures: string[]): VerifiedWebhook =>
    verify(STANDARD, { ...SENT, 'webhook-signature': signatures.join(' ') });
  expect(by(bad, good).id).toBe(SENT['webhook-id']);
  expect(by('v1a,xxxx', good).id).toBe(SENT['webhook-id']);
  for (const signatures of [
    [bad],
    [good.replace('v1,', 'v2,')],
    ['v1,'],
    ['v1'],
    [good.slice(3)],
  ]) {
    expect(() => by(...signatures), signatures.join(' ')).toThrow(forged(/none of its signatures/));
  }
  const most = Array.from({ length: SIGNATURES_MAX - 1 }, () => bad);
  expect(by(...most, good).id).toBe(SENT['webhook-id']);
  expect(() => by(...most, bad, good)).toThrow(forged(/over 16 signatures/));
});

test('while a secret is changed, both are good', () => {
  const next = `whsec_${randomBytes(24).toString('base64')}`;
  const both = { ...STANDARD, secret: [next, String(STANDARD.secret)] };
  expect(verify(both, SENT).id).toBe(SENT['webhook-id']);
  const newer = { ...SENT, 'webhook-signature': standard(SENT['webhook-id'], next) };
  expect(verify(both, newer).id).toBe(SENT['webhook-id']);
  expect(() => verify(STANDARD, newer)).toThrow(forged(/none of its signatures/));
});

test('whatever was altered on the way gives a webhook away', () => {
  const bad: readonly (readonly [Headers, string])[] = [
    [SENT, `${BODY} `],
    [SENT, '{"test":2432232314}'],
    [SENT, ''],
    [{ ...SENT, 'webhook-id': 'msg_other' }, BODY],
    [{ ...SENT, 'webhook-timestamp': `${Number(SECONDS) + 1}` }, BODY],
  ];
  for (const [headers, body] of bad) {
    expect(() => verify(STANDARD, headers, body)).toThrow(forged(/none of its signatures/));
  }
  for (const name of Object.keys(SENT)) {
    expect(() => verify(STANDARD, { ...SENT, [name]: undefined })).toThrow(forged(/no header/));
    expect(() => verify(STANDARD, { ...SENT, [name]: '' })).toThrow(forged(/no header/));
  }
  for (const at of ['1e9', '-1', ' 1', '1614265330.5', '0x1', 'NaN']) {
    expect(() => verify(STANDARD, { ...SENT, 'webhook-timestamp': at })).toThrow(forged(/header/));
  }
});

test('an id cannot reach into what was signed after it', () => {
  const id = 'msg.1';
  const headers = { ...SENT, 'webhook-id': id, 'webhook-signature': standard(id) };
  expect(() => verify(STANDARD, headers)).toThrow(forged(/webhook-id/));
});

test('a webhook is taken for so long before and after it was sent', () => {
  const at =
    (now: number, source = STANDARD) =>
    () =>
      verify(source, SENT, BODY, now);
  const away = WEBHOOK_TOLERANCE_MS_DEFAULT;
  expect(at(NOW + away)).not.toThrow();
  expect(at(NOW + away + 1)).toThrow(forged(/too long ago/));
  expect(at(NOW - away)).not.toThrow();
  expect(at(NOW - away - 1)).toThrow(forged(/a clock that is ahead/));
  const strict = { ...STANDARD, tolerance: '10s' };
  expect(at(NOW + 10_000, strict)).not.toThrow();
  expect(at(NOW + 10_001, strict)).toThrow(forged(/too long ago/));
});

test('long ids are known by their hash', () => {
  const by = (id: string): string =>
    verify(STANDARD, { ...SENT, 'webhook-id': id, 'webhook-signature': standard(id) }).id;
  const longest = 'x'.repeat(WEBHOOK_ID_CHARS_MAX);
  expect(by(longest)).toBe(longest);
  expect(by(`${longest}x`)).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(by(`${longest}x`)).not.toBe(by(`${longest}y`));
});

test('the published example of GitHub is signed as it says, though it is no JSON', () => {
  const headers = {
    'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
    'x-hub-signature-256':
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  };
  expect(() => verify(GITHUB, headers, 'Hello, World!')).toThrow(
    expect.objectContaining({ code: 'request.invalid' }),
  );
  expect(() => verify(GITHUB, headers, 'Hello, World?')).toThrow(forged(/none of its signatures/));
});

test('a webhook of GitHub is known by its delivery', () => {
  const body = '{"action":"opened"}';
  const headers = { 'x-github-delivery': 'd-1', 'x-hub-signature-256': github(body) };
  expect(verify(GITHUB, headers, body)).toEqual({ id: 'd-1', data: { action: 'opened' } });
  expect(() => verify(GITHUB, { ...headers, 'x-github-delivery': undefined }, body)).toThrow(
    forged(/x-github-delivery/),
  );
  const sha1 = `sha1=${createHmac('sha1', String(GITHUB.secret)).update(body).digest('hex')}`;
  for (const signature of [undefined, '', sha1, github(body).slice(0, -1), `${github(body)}0`]) {
    const other = { ...headers, 'x-hub-signature-256': signature };
    expect(() => verify(GITHUB, other, body)).toThrow(forged(/x-hub-signature-256/));
  }
});

test('a webhook of Stripe is known by the id of its event', () => {
  const body = '{"id":"evt_1","type":"charge.succeeded"}';
  const by =
    (signature: string, text = body, now = NOW) =>
    (): VerifiedWebhook =>
      verify(STRIPE, { 'stripe-signature': signature }, text, now);
  expect(by(stripe(body))()).toEqual({
    id: 'evt_1',
    data: { id: 'evt_1', type: 'charge.succeeded' },
  });
  const [time = '', good = ''] = stripe(body).split(',');
  expect(by(`${time},v1=${'0'.repeat(64)},${good}`)).not.toThrow();
  expect(by(stripe(body), body, NOW + WEBHOOK_TOLERANCE_MS_DEFAULT + 1)).toThrow(forged(/ago/));
  expect(by(`t=${SECONDS}0,${good}`)).toThrow(forged(/none of its signatures/));
  expect(by(`${time},${good.replace('v1=', 'v0=')}`)).toThrow(forged(/none of its signatures/));
  expect(by(`${time},${good.slice(0, -2)}`)).toThrow(forged(/none of its signatures/));
  for (const signature of [good, `t=x,${good}`, `${time},${time},${good}`, `t=,${good}`]) {
    expect(by(signature), signature).toThrow(forged(/no time, or several/));
  }
  for (const text of ['{}', '{"id":7}', '{"id":""}', '[]', 'null', '7']) {
    expect(by(stripe(text), text), text).toThrow(forged(/no id/));
  }
});

test('a webhook that is genuine and no JSON is the mistake of who set it up', () => {
  const invalid = expect.objectContaining({ code: 'request.invalid' });
  for (const body of ['payload=%7B%7D', '{', '']) {
    const headers = { 'x-github-delivery': 'd-1', 'x-hub-signature-256': github(body) };
    expect(() => verify(GITHUB, headers, body), body).toThrow(invalid);
  }
  const broken = Buffer.from([0x22, 0xff, 0x22]);
  const mac = createHmac('sha256', String(GITHUB.secret)).update(broken).digest('hex');
  const headers = { 'x-github-delivery': 'd-1', 'x-hub-signature-256': `sha256=${mac}` };
  expect(() => verify(GITHUB, headers, broken)).toThrow(invalid);
});

test('what the outbox of an engine sends is genuine', async () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const server = closed(await startHttpServer(() => ({ status: 204 })));
  const target = webhook({ url: server.url, secret });
  const letter = { id: 'i.1/2', type: 'order.paid', key: 'o-1', data: { paid: 12 } };
  const sent = { ...letter, instance: 'i', flow: 'order', at: NOW, attempt: 1 };
  await target.send(sent, { signal: new AbortController().signal });
  const [request] = server.requests;
  const { headers = {}, bytes = Buffer.of() } = request ?? {};
  const at = Number(headers['webhook-timestamp']) * 1_000;
  expect(verify({ scheme: 'perdure', secret }, headers, bytes, at)).toMatchObject({
    id: 'i%2E1/2',
    data: { specversion: '1.0', type: 'order.paid', subject: 'o-1', data: { paid: 12 } },
  });
});

test('a source that makes no sense is found when the server opens', () => {
  const check = (source: object) => () => checkWebhook('pay', source as WebhookSource);
  const wrong = (message: RegExp): object =>
    expect.objectContaining({
      code: 'engine.option-invalid',
      message: expect.stringMatching(message),
    });
  for (const source of [STANDARD, GITHUB, STRIPE]) expect(check(source)).not.toThrow();
  expect(check({ ...STANDARD, scheme: 'toString' })).toThrow(wrong(/^webhooks\.pay\.scheme/));
  expect(check({ scheme: 'github' })).toThrow(wrong(/^webhooks\.pay\.secret/));
  expect(check({ ...GITHUB, secret: [] })).toThrow(wrong(/one or more/));
  const text = 'x'.repeat(WEBHOOK_SECRET_CHARS_MIN);
  expect(check({ ...GITHUB, secret: text })).not.toThrow();
  expect(check({ ...GITHUB, secret: text.slice(1) })).toThrow(wrong(/16 characters or more/));
  expect(check({ ...GITHUB, secret: [text, undefined] })).toThrow(wrong(/16 characters/));
  const bytes = (length: number): string => `whsec_${Buffer.alloc(length).toString('base64')}`;
  for (const length of [24, 64]) {
    expect(check({ ...STANDARD, secret: bytes(length) })).not.toThrow();
  }
  for (const secret of [bytes(23), bytes(65), text, 'whsec_', bytes(24).slice(6)]) {
    expect(check({ ...STANDARD, secret })).toThrow(wrong(/24 to 64 bytes/));
  }
  expect(check({ ...STANDARD, tolerance: WEBHOOK_TOLERANCE_MS_MAX })).not.toThrow();
  expect(check({ ...STANDARD, tolerance: WEBHOOK_TOLERANCE_MS_MAX + 1 })).toThrow(
    wrong(/^webhooks\.pay\.tolerance/),
  );
  expect(check({ ...STANDARD, tenant: '' })).toThrow(wrong(/tenant/));
  expect(check({ ...STANDARD, message: 'all' })).toThrow(wrong(/message/));
});
