/** Work that waits for people: a form to fill in, and a claim that two have to approve. */
import { createEngine, flow, form } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const receipt = form<{ amount: number; day: string }>({
  type: 'object',
  required: ['amount', 'day'],
  properties: {
    amount: { type: 'number', exclusiveMinimum: 0 },
    day: { type: 'string', format: 'date' },
  },
});

const expenses = flow<{ clerk: string; trip: string }>('expenses')
  .task('fill', {
    title: ({ input }) => `Expenses of ${input.trip}`,
    candidates: { users: ['ann'], groups: ['office'] },
    form: receipt,
    due: '3d',
  })
  .approve('release', {
    approvers: ['finance', 'boss'],
    rule: 'unanimous',
    submitter: ({ input }) => input.clerk,
    data: ({ results }) => results.fill,
    timeout: '7d',
    onTimeout: 'reject',
  })
  .step('pay', ({ results }) =>
    results.release.decision === 'approve' ? `paid ${results.fill.amount}` : 'not paid',
  )
  .end(({ results }) => results.pay);

const engine = await createEngine({
  store: sqlite(process.argv[2] ?? 'expenses.db'),
  flows: [expenses],
});
const run = await engine.start(expenses, { clerk: 'cleo', trip: 'Oslo' });
const bob = { actor: 'bob', groups: ['office'] };
const { tasks } = await engine.tasks.list(bob); // what Bob can do
const [fill] = tasks;
if (fill === undefined) throw new Error('there is nothing to do');
console.log(fill.title);
await engine.tasks.claim(fill.id, bob);
await engine.tasks
  .complete(fill.id, { amount: 0, day: '2026-02-30' }, bob)
  .catch((error: Error & { details?: unknown }) => console.log(error.details));
await engine.tasks.complete(fill.id, { amount: 120, day: '2026-02-28' }, bob);

const [release] = (await engine.tasks.list({ kind: 'approval' })).tasks;
if (release?.kind !== 'approval') throw new Error('nothing is to be approved');
console.log('waits for', release.waitsFor.join(' and '));
const eve = { actor: 'eve', groups: ['finance'] };
await engine.tasks.decide(release.id, { ...eve, decision: 'revise', comment: 'which trip?' });
await engine.tasks.resubmit(release.id, { trip: 'Oslo' }, 'cleo');
await engine.tasks.decide(release.id, { ...eve, decision: 'approve' });
await engine.tasks.decide(release.id, { actor: 'boss', decision: 'approve' });
console.log(await run.result());
await engine.close();
