/**
 * Many tenants on one database: customers of yours who share the workers. None of them keeps the
 * others waiting: where room is scarce they take turns, one of each, however much one has sent. And
 * they are kept apart: business keys, and messages with their ids, are each tenant's own; lists,
 * bulks and API keys can be for one of them alone.
 *
 * Prints:
 *
 *     before the one of bolt at most two of acme went out: true
 *     mail-1 of bolt: completed, mail-1 of acme: waiting
 *     canceled, of acme alone: 50
 *     of bolt there is: mail-1, completed
 */
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const sent: string[] = [];
let openPost = (): void => {};
const isPostOpen = new Promise<void>((resolve) => {
  openPost = resolve;
});

// The post takes one mail at a time, of whomever it is: a limit that all tenants share.
const mail = flow<{ tenant: string }>('mail', { limit: { concurrency: 1 } })
  .step('send', async ({ input }) => {
    await isPostOpen;
    sent.push(input.tenant);
  })
  .waitFor('read', { event: 'mail.read', timeout: '7d' })
  .end();

const engine = await createEngine({ store: sqlite('mails.db'), flows: [mail] });
const start = (tenant: string, n: number) =>
  engine.start(mail, { tenant }, { tenant, key: `mail-${n}` }); // a key is a tenant's own
const first = await start('acme', 1);
for (let n = 2; n <= 50; n += 1) await start('acme', n);
const other = await start('bolt', 1);
openPost();
await engine.publish({ type: 'mail.read', key: 'mail-1', id: 'read-1' }, { tenant: 'bolt' });
await other.result();

console.log('before the one of bolt at most two of acme went out:', sent.indexOf('bolt') <= 2);
console.log(`mail-1 of bolt: ${await other.status()}, mail-1 of acme: ${await first.status()}`);
const who = { actor: 'ada', reason: 'acme has left' };
const { done } = await engine.bulk({ tenant: 'acme' }, { do: 'cancel' }, who);
console.log(`canceled, of acme alone: ${done}`);
const { instances } = await engine.list({ tenant: 'bolt' });
console.log(`of bolt there is: ${instances.map(({ key, status }) => `${key}, ${status}`).join()}`);
await engine.close();
