/** Workflows that listen, in tests: told one event after the other, on a virtual clock. */
import type { Json, JsonObject } from '../base/json.ts';
import type { CloudEvent } from '../model/cloud-event.ts';
import type { Publication } from '../runtime/messages.ts';
import type { Run } from '../runtime/run.ts';
import { createTestEngine, type TestEngine, type TestEngineOptions } from './test-engine.ts';
import { endOf, type Head, workflow } from './workflows.ts';

export type Event = Publication | CloudEvent;

let count = 0;

/** An event like no other, unless its id is given. */
export function eventOf(type: string, data: Json = null, more: JsonObject = {}): CloudEvent {
  count += 1;
  return { specversion: '1.0', id: `event-${count}`, source: '/test', type, data, ...more };
}

export interface HearingOptions extends Omit<TestEngineOptions, 'flows'> {
  readonly head?: Head;
  readonly input?: Json;
}

/** A workflow that has come to where it waits. */
export interface Hearing {
  readonly test: TestEngine;
  readonly run: Run<Json>;
  /** Publishes them one after the other, and lets happen what follows. */
  readonly tell: (...events: readonly Event[]) => Promise<void>;
  /** Its output, or how it stands if it has none. */
  readonly outcome: () => Promise<Json>;
}

export async function hearing(body: string, options: HearingOptions = {}): Promise<Hearing> {
  const { head, input = {}, ...rest } = options;
  const flow = workflow(body, head);
  const test = createTestEngine({ flows: [flow], ...rest });
  const run = await test.start(flow, input);
  await test.runUntilIdle();
  return {
    ...{ test, run },
    tell: async (...events) => {
      for (const event of events) await test.engine.publish(event);
      await test.runUntilIdle();
    },
    outcome: async () => {
      const { status } = await run.inspect();
      if (!['completed', 'failed', 'canceled'].includes(status)) return status;
      const ended = await endOf(run);
      return ended.status === 'completed' ? ended.output : ended.error;
    },
  };
}

/** What a workflow comes to that is told these events: its output, its error, or its status. */
export async function heard(
  body: string,
  events: readonly Event[],
  options: HearingOptions = {},
): Promise<Json> {
  const { test, tell, outcome } = await hearing(body, options);
  try {
    await tell(...events);
    return await outcome();
  } finally {
    await test.close();
  }
}
