/** Orders that are found again, kept as a file, and removed once they are old. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createEngine, flow, replay } from 'perdure';
import { sqlite } from 'perdure/sqlite';

const order = flow<{ customer: string; total: number }, { stage: string }>('order', {
  search: ['customer', 'total', 'stage'],
  vars: { stage: 'new' },
})
  .step('charge', ({ input, set }) => {
    if (input.total > 1_000) throw new Error('too much at once');
    set('stage', 'paid', { in: 'instance' });
  })
  .end();

const [path = 'archive.db', file = 'order.json'] = process.argv.slice(2);
const engine = await createEngine({ store: sqlite(path), flows: [order] });
for (const total of [20, 150, 5_000]) {
  const run = await engine.start(order, { customer: 'c-1', total });
  await run.result().catch((error: Error) => console.log(error.message));
}

const { instances } = await engine.list({
  flow: 'order',
  status: ['failed', 'canceled'],
  createdAfter: new Date(Date.now() - 86_400_000),
});
for (const { fault, attributes } of instances) console.log(fault?.code, attributes);

const large = await engine.list({ attributes: { customer: 'c-1', total: { from: 100 } } });
console.log(large.instances.length, 'of them are large');

let cursor: string | null | undefined;
for (let count = 0; cursor !== null; ) {
  const page = await engine.list({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
  count += page.instances.length;
  ({ cursor } = page);
  if (cursor === null) console.log(count, 'in all');
}

const run = await engine.get(instances[0]?.id ?? '');
writeFileSync(file, JSON.stringify(await run?.export()));

const film = replay(readFileSync(file, 'utf8'));
for (const { n, view } of film.steps()) console.log(n, view.status, view.tokens.length);
console.log(film.check().ok ? 'the file is sound' : 'the file is damaged');

for await (const { n, changes } of engine.subscribe({ id: instances[0]?.id ?? '', after: 0 })) {
  console.log(`commit ${n} has ${changes.length} changes`);
}

const old = { olderThan: 0, status: ['completed', 'failed'] } as const;
const planned = await engine.prune({ ...old, dryRun: true });
const { pruned, kept } = await engine.prune(old);
console.log(`${planned.pruned} were to go, ${pruned} are gone, ${kept} are still needed`);
await engine.close();
