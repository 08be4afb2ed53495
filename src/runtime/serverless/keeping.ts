/**
 * Workflows that start by themselves, from the moment they are deployed: by the engine's schedules,
 * and by keepers, of each of which one instance is at work. Another version takes the place of
 * both; one without a schedule ends them (SD-07).
 */
import { sha256 } from '../../base/hash.ts';
import { canonicalJson, EMPTY, type Json } from '../../base/json.ts';
import type { Flow, FlowSchedule } from '../../model/definition.ts';
import type { ListOptions, InstancePage } from '../listing.ts';
import type { StartOptions } from '../options.ts';
import type { Run } from '../run.ts';
import type { Schedules } from '../schedules.ts';
import { configOf } from './linking.ts';

/** What of the engine it takes. */
export interface KeepingHouse {
  readonly schedules: Schedules;
  start(flow: Flow<Json>, input: Json, options: StartOptions): Promise<Run>;
  get(id: string): Promise<Run | undefined>;
  list(options: ListOptions): Promise<InstancePage>;
}

const KEY = 'schedule';
const OPEN = ['running', 'waiting', 'suspended'] as const;

/** Of all that are workflows; other flows have schedules that their programs make. */
export async function keepSchedules(house: KeepingHouse, flows: readonly Flow[]): Promise<void> {
  const workflows = flows.filter((flow) => configOf(flow) !== undefined);
  for (const flow of workflows) {
    const isNewest = !workflows.some(({ name, version }) => {
      return name === flow.name && version > flow.version;
    });
    if (isNewest) await keepSchedule(house, flow);
  }
}

/** Has the workflow start when it says, and no longer when it said before. */
async function keepSchedule(
  house: KeepingHouse,
  { name, definition }: Pick<Flow, 'name' | 'definition'>,
): Promise<void> {
  const { schedule } = definition;
  await keepMoments(house, `serverless/${name}/cron`, name, schedule?.cron, 'cron');
  await keepMoments(house, `serverless/${name}/every`, name, schedule?.everyMs, 'every');
  await keepKeepers(house, name, schedule);
}

async function keepMoments(
  { schedules }: KeepingHouse,
  id: string,
  flow: string,
  times: string | number | undefined,
  how: 'cron' | 'every',
): Promise<void> {
  if (times === undefined) {
    const old = await schedules.get(id);
    return old === undefined ? undefined : old.remove();
  }
  const spec = how === 'cron' ? { cron: String(times) } : { every: Number(times) };
  await schedules.put(id, { ...spec, flow, input: EMPTY as never, catchUp: 'once' });
}

/** Keepers of other versions end; the one of this version begins, unless it is at work. */
async function keepKeepers(
  house: KeepingHouse,
  name: string,
  schedule: FlowSchedule | undefined,
): Promise<void> {
  for (const what of ['every', 'after', 'on']) {
    const flow = `${name}.${what}`;
    const keeper = schedule?.keepers.find((each) => each.name === flow);
    const key = keeper === undefined ? '' : `${KEY} ${hashOf(keeper)}`;
    const { instances } = await house.list({ flow, status: [...OPEN], limit: 100 });
    const old = instances.filter(
      ({ version, key: own }) => version !== keeper?.version || own !== key,
    );
    for (const { id } of old) await (await house.get(id))?.cancel();
    if (keeper === undefined || (await wasStopped(house, flow, key))) continue;
    const options = { key, onConflict: 'existing' } as const;
    await house.start(keeper as unknown as Flow<Json>, {}, options);
  }
}

/** Somebody has cancelled what it ran: that is not started again. */
async function wasStopped(house: KeepingHouse, flow: string, key: string): Promise<boolean> {
  const { instances } = await house.list({ flow, key, status: 'failed', limit: 1 });
  return instances.length > 0;
}

/** The same version may be deployed with another schedule, while it is being written. */
function hashOf({ definition }: Flow): string {
  return sha256(canonicalJson(definition.draft as unknown as Json)).slice(0, 16);
}
