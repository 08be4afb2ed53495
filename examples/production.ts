/**
 * A process for production on Postgres: it says whether it is alive and ready, and when it is told
 * to end it takes on nothing more, finishes what is at work and gives back the rest. Whatever it
 * was waiting for goes on in another process; here the same program plays both.
 *
 * Prints:
 *
 *     GET /health/live 200
 *     GET /health/ready 200
 *     packing begins
 *     SIGTERM: finishing what is at work
 *     packing ends
 *     the next process: packed, and sent
 */
import { once } from 'node:events';
import { createEngine, type Engine, flow } from 'perdure';
import { postgres } from 'perdure/postgres';
import { api } from 'perdure/server';

const orders = flow('order')
  .step('pack', async () => {
    console.log('packing begins');
    process.kill(process.pid, 'SIGTERM'); // as Kubernetes does, in the middle of something
    await once(process, 'SIGTERM');
    console.log('packing ends');
    return 'packed';
  })
  .step('send', ({ results }) => `${results.pack}, and sent`)
  .end(({ results }) => results.send);

function open(): Promise<Engine> {
  const store = postgres(process.env['DATABASE_URL'] ?? 'postgres://localhost/app', {
    poolSize: 10, // and two more connections, for bells and for heartbeats
    listen: process.env['POOLER'] !== 'transaction',
  });
  return createEngine({ store, flows: [orders], worker: { concurrency: 64, lease: '10s' } });
}

const engine = await open();
const server = api(engine);
const { url } = await server.listen({ port: 0 });
for (const path of ['/health/live', '/health/ready']) {
  console.log('GET', path, (await fetch(url + path)).status);
}

const stopped = once(process, 'SIGTERM').then(async () => {
  console.log('SIGTERM: finishing what is at work');
  await server.close(); // no more requests, and those under way are answered
  await engine.close({ timeout: '25s' }); // less than the grace period of whoever kills next
});
const { id } = await engine.start(orders, null);
await stopped;

const next = await open();
console.log('the next process:', await (await next.get(id))?.result());
await next.close();
