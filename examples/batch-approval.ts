/**
 * Many approvals, decided in one go. Sixty refunds wait for a team lead, each in an instance of its
 * own. The lead approves all that are small at once; the large ones stay open, to be looked at one
 * by one. A decision and what follows from it are one commit: kill the program in the middle of
 * the batch and run it again, and it goes on with those that are still open.
 *
 * Prints:
 *
 *     approved 40 of 60, 1900 in all
 *     20 stay open, such as: Refund 500 to customer …
 */
import { createEngine, type EngineError, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';

// Stands for a bank, to which the same key twice is one transfer.
const transfer = async (amount: number, _key: string): Promise<number> => amount;

const refund = flow<{ customer: number; amount: number }>('refund')
  .approve('release', {
    title: ({ input }) => `Refund ${input.amount} to customer ${input.customer}?`,
    data: ({ input }) => input.amount, // whatever people, or a batch, decide by
    approvers: ['leads'],
    onReject: 'fail',
  })
  .step('pay', ({ input, idempotencyKey }) => transfer(input.amount, idempotencyKey))
  .end(({ results }) => results.pay);

const engine = await createEngine({ store: sqlite('refunds.db'), flows: [refund] });
const asked = Array.from({ length: 60 }, (_, n) => {
  const input = { customer: n + 1, amount: [20, 75, 500][n % 3] ?? 0 };
  return engine.start(refund, input, { id: `refund-${n + 1}`, onConflict: 'existing' });
});
const runs = await Promise.all(asked);
/** What Lea can decide, page by page. What is decided meanwhile makes no page skip anything. */
const lea = { actor: 'lea', groups: ['leads'] };
async function* open() {
  const filter = { ...lea, flow: 'refund', limit: 25 };
  for (let page = await engine.tasks.list(filter); ; ) {
    yield* page.tasks;
    if (page.cursor === null) return;
    page = await engine.tasks.list({ ...filter, cursor: page.cursor });
  }
}

for await (const { id, data } of open()) {
  if (typeof data !== 'number' || data > 100) continue;
  await engine.tasks
    .decide(id, { ...lea, decision: 'approve', comment: 'small' })
    .catch((error: EngineError) => {
      if (error.code !== 'task.not-found') throw error; // else somebody was faster
    });
}

const left = (await engine.tasks.list({ flow: 'refund' })).tasks;
const approved = runs.filter(({ id }) => left.every(({ instance }) => instance !== id));
const paid = await Promise.all(approved.map((run) => run.result()));
console.log(`approved ${paid.length} of ${runs.length}, ${paid.reduce((a, b) => a + b)} in all`);
console.log(`${left.length} stay open, such as: ${left[0]?.title}`);
await engine.close();
