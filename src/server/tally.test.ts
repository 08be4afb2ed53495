/** What is counted and what is sought by what went wrong, as the network asks for it. */
import { expect, test } from 'vitest';
import { type ApiWorld, type Caller, openApiWorld, type Tenant } from '../testing/api-world.ts';

/** An instance that failed at `work`, as a worker elsewhere says it. */
async function failing(world: ApiWorld, tenant: Tenant, code: string): Promise<string> {
  const { id } = await world.start('job', tenant);
  const [work] = await world.engine.work.fetch({ worker: 'w', handlers: ['job/work'] });
  const error = { code, message: `no answer for ${code}`, fatal: true };
  await world.engine.work.fail(work?.id ?? '', { worker: 'w', error });
  return id;
}

async function ask(world: ApiWorld, who: Caller, path: string, query = ''): Promise<unknown> {
  const response = await world.ask(who, { method: 'get', path, query });
  return response.json();
}

test('a tenant counts what is its own, and who is in charge of all counts it all', async () => {
  const world = await openApiWorld();
  const newest = await failing(world, 'acme', 'bank.down');
  await failing(world, 'bolt', 'bank.down');
  await world.start('waits', 'acme');
  const cause = { flow: 'job', node: 'work', code: 'bank.down', kind: 'failed' };
  const messages = [{ message: 'no answer for bank.down', count: 1 }];
  const acme = world.caller('viewer', 'acme');
  expect(await ask(world, acme, '/instances/tally')).toEqual({
    ...{ counted: 2, isAll: true },
    groups: [
      { flow: 'job', version: 1, status: 'failed', count: 1 },
      { flow: 'waits', version: 1, status: 'waiting', count: 1 },
    ],
    causes: [{ ...cause, count: 1, newest, messages }],
  });
  const own = await ask(world, acme, '/instances/tally', 'tenant=bolt&flow=waits');
  expect(own).toMatchObject({ counted: 1, groups: [{ flow: 'waits' }], causes: [] });
  const all = await ask(world, world.caller('viewer', null), '/instances/tally', 'flow=job');
  expect(all).toMatchObject({ counted: 2, causes: [{ ...cause, count: 2 }] });
});

test('instances are found by where they failed and what that said', async () => {
  const world = await openApiWorld();
  const down = await failing(world, null, 'bank.down');
  const full = await failing(world, null, 'bank.full');
  const who = world.caller('viewer', null);
  const found = async (query: string): Promise<string[]> => {
    const page = await ask(world, who, '/instances', query);
    return (page as { instances: { id: string }[] }).instances.map(({ id }) => id).toSorted();
  };
  const both = [down, full].toSorted();
  expect(await found('errorNode=work')).toEqual(both);
  expect(await found('errorNode=pay')).toEqual([]);
  expect(await found('errorContains=for+bank.full')).toEqual([full]);
  expect(await found('error=bank.*&errorNode=work')).toEqual(both);
  expect(await found('error=bank.down&errorNode=work&errorContains=answer')).toEqual([down]);
});

test('an instance that is called tally is counted, and found by listing', async () => {
  const world = await openApiWorld();
  await world.engine.start('waits', { secret: 'none' }, { id: 'tally', key: 'k' });
  const who = world.caller('viewer', null);
  expect(await ask(world, who, '/instances/tally')).toMatchObject({ counted: 1 });
  expect(await ask(world, who, '/instances', 'key=k')).toMatchObject({
    instances: [{ id: 'tally' }],
  });
  expect(await ask(world, who, '/instances/tally/history')).toHaveProperty('commits');
});
