/** A run whose database goes away and comes back. */
import { afterAll, afterEach, expect, inject, test } from 'vitest';
import { CommandLine } from '../testing/command-line.ts';
import { dropSchemas, freshSchema } from '../testing/postgres-schema.ts';
import { TcpProxy } from '../testing/tcp-proxy.ts';

const line = new CommandLine();
const proxies: TcpProxy[] = [];
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
});
afterAll(async () => {
  line.remove();
  await dropSchemas(inject('postgres'));
});

const WAITS = `import { flow } from 'perdure';
export default flow('waits').waitFor('w', { event: 'go', key: 'k' }).end();`;

/** A network that the test can cut, and the same database by way of it and without it. */
async function cuttable(): Promise<{ proxy: TcpProxy; cut: string; sound: string }> {
  const url = new URL(inject('postgres'));
  url.searchParams.set('schema', freshSchema());
  const proxy = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
  proxies.push(proxy);
  return { proxy, cut: proxy.url(url.href), sound: url.href };
}

test('a run waits for its store, says so, and goes on', async () => {
  const { proxy, cut, sound } = await cuttable();
  const waiting = line.says(/w +waits for go of k/);
  const running = line.run('run', line.write('waits.mjs', WAITS), '--store', cut);
  await waiting;
  const away = line.says(/the store does not answer; it is waited for: /);
  proxy.refuse();
  proxy.cut();
  await away;
  await line.run('publish', 'go', '--key', 'k', '--data', '7', '--store', sound);
  proxy.accept();
  const { code, out, talk } = await running;
  expect(code).toBe(0);
  expect(out).toContain('"w": 7');
  expect(talk).toMatch(/^the store does not answer; .*\nthe store answers again\n\d commits in/);
});

test('a run that is told to stop while its store is away says how it goes on', async () => {
  const { proxy, cut } = await cuttable();
  const waiting = line.says(/w +waits for go of k/);
  const running = line.run('run', line.write('waits.mjs', WAITS), '--store', cut, '--id', 'w-2');
  await waiting;
  const away = line.says(/the store does not answer; it is waited for: /);
  proxy.refuse();
  proxy.cut();
  await away;
  line.stop('SIGTERM');
  const { code, talk } = await running;
  expect(code).toBe(143);
  expect(talk).toMatch(/stopped: instance w-2 is waiting; it goes on with: perdure run waits.mjs/);
});
