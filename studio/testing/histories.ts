/** Histories for tests: what engines have really written, by a clock that a test can set. */
import {
  createEngine,
  type Engine,
  type Flow,
  type Handlers,
  memory,
  type Run,
} from '../../src/index.ts';
import type { Commit } from '../api/shapes.ts';

export interface Clock {
  /** How far it is from the real one, in milliseconds. */
  skew: number;
}

export interface Place {
  readonly engine: Engine;
  readonly clock: Clock;
}

export async function openPlace(flows: readonly Flow[], handlers: Handlers = {}): Promise<Place> {
  const clock: Clock = { skew: 0 };
  const store = memory({ clock: () => Date.now() + clock.skew });
  return { engine: await createEngine({ store, flows, handlers }), clock };
}

export async function commitsOf(run: Run): Promise<readonly Commit[]> {
  return (await run.history()) as unknown as readonly Commit[];
}

/** Looks again until it is so. */
export async function until<Value>(look: () => Promise<Value | undefined | false>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The instance has come to rest: it waits, or has ended. */
export async function atRest(run: Run): Promise<void> {
  await until(async () => {
    const status = await run.status();
    return status !== 'running' && status !== 'compensating';
  });
}
