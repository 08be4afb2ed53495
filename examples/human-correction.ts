/**
 * Bad data that a person puts right. A wrong account number is no reason to give up a payout: the
 * step fails for good and waits as an incident, for as long as it takes. Somebody corrects the
 * number and has it tried again, or pays by hand and skips the step. What was done before stays
 * done. An incident is in the database: a crash does not lose it, and it can be mended from any
 * process, by the command line or in the studio; the history says who did it, and why.
 *
 * Prints:
 *
 *     transfer failed: there is no account DE00
 *     sent to DE44, and told them
 *     transfer failed: there is no account DE01
 *     paid in cash, and told them
 *     set by ada: they called
 *     retry by ada: it is right now
 */
import { createEngine, Fatal, flow, type Run } from 'perdure';
import { sqlite } from 'perdure/sqlite';

// Stands for a bank, to which the same key twice is one transfer.
function transfer(iban: string, _key: string): string {
  if (iban === 'DE44') return `sent to ${iban}`;
  throw new Fatal(`there is no account ${iban}`, { code: 'account.unknown' });
}

type Account = { iban: string };
const payout = flow<Account, Account>('payout', { vars: { iban: '' }, onFailure: 'incident' })
  .set('account', ({ input }) => ({ iban: input.iban }), { in: 'instance' })
  .step('transfer', ({ vars, idempotencyKey }) => transfer(vars.iban, idempotencyKey))
  .step('tell', ({ results }) => `${results.transfer}, and told them`)
  .end(({ results }) => results.tell);
const engine = await createEngine({ store: sqlite('payouts.db'), flows: [payout] });
const start = (iban: string, id: string) =>
  engine.start(payout, { iban }, { id, onConflict: 'existing' });

/** Follows an instance to its end and mends what fails. engine.list({ error }) finds them all. */
async function watch(run: Run, mend: (token: number) => Promise<void>): Promise<void> {
  for await (const _ of engine.subscribe({ id: run.id, after: 0 })) {
    for (const { token, node, fault } of (await run.inspect()).incidents) {
      console.log(`${node} failed: ${fault?.message}`);
      await mend(token);
    }
  }
  console.log(await run.result());
}

const first = await start('DE00', 'payout-1');
await watch(first, async (token) => {
  await first.set('iban', 'DE44', { actor: 'ada', reason: 'they called' });
  await first.retry(token, { actor: 'ada', reason: 'it is right now' });
});
const second = await start('DE01', 'payout-2');
await watch(second, (token) => second.skip(token, 'paid in cash', { actor: 'ada' }));

for (const change of (await first.history()).flatMap((commit) => commit.changes)) {
  if (change.did === 'act')
    console.log(`${change.act.verb} by ${change.act.by}: ${change.act.why}`);
}
await engine.close();
