/** What is told of workflows, in tests: the events of one that is run on a virtual clock. */
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { OutboxEvent } from '../calls/target.ts';
import type { Flow } from '../model/definition.ts';
import type { Run } from '../runtime/run.ts';
import { Receiver } from './receiver.ts';
import { createTestEngine, type TestEngine, type TestEngineOptions } from './test-engine.ts';
import { type Head, workflow } from './workflows.ts';

export interface ToldOptions extends Omit<TestEngineOptions, 'flows' | 'outbox'> {
  readonly head?: Head;
  readonly input?: Json;
  readonly others?: readonly Flow[];
  /** What is done with it once it rests; by default a day passes. */
  readonly meanwhile?: (run: Run<Json>, test: TestEngine) => Promise<unknown>;
}

/** Lifecycle events in the order they came, without what all of them have in common. */
export interface Life {
  readonly id: string;
  /** Each as `workflow.started`, or `task.started /do/0/first`. */
  readonly lines: readonly string[];
  readonly events: readonly { readonly what: string; readonly data: JsonObject }[];
}

const TYPE = /^io\.serverlessworkflow\.(.+)\.v1$/;

export async function lifeOf(body: string, options: ToldOptions = {}): Promise<Life> {
  const { head, input = {}, others = [], meanwhile, ...rest } = options;
  const flow = workflow(body, head);
  const outbox = new Receiver();
  const test = createTestEngine({ flows: [flow, ...others] as never, outbox, ...rest });
  try {
    const run = await test.start(flow, input);
    await test.runUntilIdle();
    if (meanwhile === undefined) await test.advance('1d');
    else await meanwhile(run, test);
    await test.runUntilIdle();
    return { id: run.id, ...lifeIn(outbox.taken.filter(({ instance }) => instance === run.id)) };
  } finally {
    await test.close();
  }
}

export function lifeIn(letters: readonly OutboxEvent[]): Pick<Life, 'lines' | 'events'> {
  const events = letters.flatMap(({ type, data }) => {
    const [, what] = TYPE.exec(type) ?? [];
    return what === undefined || !isJsonObject(data) ? [] : [{ what, data }];
  });
  return { events, lines: events.map(({ what, data }) => lineOf(what, data)) };
}

function lineOf(what: string, { task, status }: JsonObject): string {
  const place = typeof task === 'string' ? ` ${task}` : '';
  return `${what}${place}${typeof status === 'string' ? ` ${status}` : ''}`;
}

/** What is told of each task, by its place. */
export function byTask({ lines }: Pick<Life, 'lines'>): Readonly<Record<string, string[]>> {
  const tasks: Record<string, string[]> = {};
  for (const line of lines) {
    const [what = '', task, status] = line.split(' ');
    if (!what.startsWith('task.') || task === undefined) continue;
    (tasks[task] ??= []).push(status ?? what.slice('task.'.length));
  }
  return tasks;
}
