/**
 * When a workflow starts by itself. Moments of a clock are a schedule of the engine's. What starts
 * it by events, or some time after it has ended, is a workflow as well, of which one instance runs
 * for as long as the definition is deployed: so it survives what every instance survives.
 */
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Mutable } from '../../base/mutable.ts';
import type { Flow, FlowSchedule } from '../../model/definition.ts';
import { durationMs } from './durations.ts';
import { objectIn, textIn } from './shelf.ts';

type Draw = (definition: JsonObject) => Flow;

export function scheduleOf(definition: JsonObject, draw: Draw): FlowSchedule | undefined {
  const { schedule } = definition;
  if (!isJsonObject(schedule)) return undefined;
  const made: Mutable<FlowSchedule> = { keepers: keepersOf(definition, schedule, draw) };
  const { cron } = schedule;
  if (typeof cron === 'string') made.cron = cron;
  const ms = everyMs(schedule);
  if (ms !== undefined) made.everyMs = ms;
  return made;
}

/** Undefined if there is none, or if its steps are not equal: a month is not. */
function everyMs({ every }: JsonObject): number | undefined {
  return every === undefined ? undefined : durationMs(every);
}

function keepersOf(definition: JsonObject, schedule: JsonObject, draw: Draw): readonly Flow[] {
  const { after, every, on } = schedule;
  const isOdd = every !== undefined && everyMs(schedule) === undefined;
  return [
    ...(isOdd ? [draw(keeper(definition, 'every', again(definition, every)))] : []),
    ...(after === undefined
      ? []
      : [draw(keeper(definition, 'after', afterwards(definition, after)))]),
    ...(isJsonObject(on)
      ? [draw(keeper(definition, 'on', whenever(definition, schedule, on)))]
      : []),
  ];
}

/** Its name has a dot in it, as no workflow's has. */
function keeper(definition: JsonObject, what: string, tasks: readonly Json[]): JsonObject {
  const document = objectIn(definition, 'document');
  const name = `${textIn(document, 'name') ?? ''}.${what}`;
  return { document: { ...document, name }, do: tasks };
}

/** `keeps` in any of them is no word of the language: nobody else can have it. */
function runs(definition: JsonObject, more: JsonObject): JsonObject {
  const { namespace = null, name = null, version = null } = objectIn(definition, 'document');
  return { workflow: { namespace, name, version, ...more } };
}

/** Cancelled by people, it is not started again; whatever else became of it, it is. */
const CANCELLED_TITLE = 'Workflow cancelled';

function afterwards(definition: JsonObject, after: Json): readonly Json[] {
  const run = { run: { ...runs(definition, { input: {} }), keeps: true } };
  const unless = `.title == ${JSON.stringify(CANCELLED_TITLE)}`;
  return [
    { once: { try: [{ run }], catch: { exceptWhen: unless } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the language, and no promise
    { pause: { wait: after, then: 'once' } },
  ];
}

/** In steps of the calendar. */
function again(definition: JsonObject, every: Json): readonly Json[] {
  const run = { ...runs(definition, { input: {} }), await: false };
  return [
    { pause: { wait: every } },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the language, and no promise
    { start: { run, then: 'pause' } },
  ];
}

function whenever(definition: JsonObject, schedule: JsonObject, on: JsonObject): readonly Json[] {
  const run = { ...runs(definition, { input: '${ $events }' }), await: false };
  const listen = { to: on, read: readOf(definition, schedule), keeps: true };
  return [{ listen: { listen, foreach: { item: 'events', do: [{ start: { run } }] } } }];
}

/** Up to 1.0.3 whole events were meant, and later their data. */
function readOf(definition: JsonObject, schedule: JsonObject): string {
  const said = textIn(schedule, 'read');
  if (said !== undefined) return said;
  const dsl = textIn(objectIn(definition, 'document'), 'dsl') ?? '';
  const [major = 1, minor = 0, patch = 0] = (dsl.split(/[-+]/)[0] ?? '').split('.').map(Number);
  return major > 1 || minor > 0 || patch > 3 ? 'data' : 'envelope';
}
