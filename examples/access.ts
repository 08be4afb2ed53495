/**
 * Who may come in: an HTTP API with two keys, people who sign in elsewhere, and a webhook. The
 * program asks it a few things and prints what it was answered.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createEngine, flow, memory } from 'perdure';
import { type AccessOptions, api, createApiKey, type WebhookSource } from 'perdure/server';

const order = flow<{ sku: string }>('order')
  .step('ship', ({ input }) => `${input.sku} sent`)
  .end();
const engine = await createEngine({ store: memory(), flows: [order] });

const ci = createApiKey({ id: 'ci', role: 'starter', tenant: 'acme', expires: Date.now() + 864e5 });
const board = createApiKey({ id: 'board', scopes: ['read'], tenant: 'acme' });
console.log(ci.key.slice(0, 'pdr_ci_'.length)); // the rest is for who uses it, and shown only now
console.log(Object.keys(ci.record).join(' ')); // what is kept: no secret is in it

const access: AccessOptions = {
  keys: [ci.record, board.record],
  jwt: {
    issuer: 'https://id.example.com',
    audience: 'https://api.example.com',
    algorithms: ['RS256'],
    claims: { tenant: 'org', role: 'roles', groups: 'groups', id: 'email' },
  },
};

const github: WebhookSource = {
  scheme: 'github',
  secret: process.env['GITHUB_SECRET'] ?? randomUUID(), // without it nobody knows the secret
  tenant: 'acme',
  message: ({ header, data }) => ({ type: `github.${header('x-github-event')}`, data }),
};

const server = api(engine, { access, hosts: ['api.example.com'], webhooks: { github } });
const { url } = await server.listen();
async function ask(what: string, headers: Record<string, string>, body?: string): Promise<void> {
  const method = body === undefined ? 'GET' : 'POST';
  const sent = { 'content-type': 'application/json', ...headers };
  const answer = await fetch(url + what, { method, headers: sent, ...(body && { body }) });
  const { code = 'fine' } = (await answer.json()) as { code?: string };
  console.log(method, what, answer.status, code);
}

const start = JSON.stringify({ flow: 'order', input: { sku: 'A1' } });
await ask('/instances', {});
await ask('/instances', { authorization: `Bearer ${board.key}` });
await ask('/instances', { authorization: `Bearer ${board.key}` }, start);
await ask('/instances', { authorization: `Bearer ${ci.key}` }, start);
await ask('/instances', { 'x-api-key': ci.key, origin: 'https://evil.example.com' });
const pushed = '{"ref":"main"}';
const mac = createHmac('sha256', String(github.secret)).update(pushed).digest('hex');
const delivery = { 'x-github-delivery': 'd-1', 'x-github-event': 'push' };
await ask('/hooks/github', { ...delivery, 'x-hub-signature-256': `sha256=${mac}` }, pushed);
await ask('/hooks/github', { ...delivery, 'x-hub-signature-256': `sha256=${mac}` }, pushed);
await ask('/hooks/github', { ...delivery, 'x-hub-signature-256': 'sha256=0' }, pushed);
await server.close();
await engine.close();
