/** A server with something in it that requests are refused by, and what a refusal looks like. */
import { expect } from 'vitest';
import { PROBLEM_TYPE, type Problem, type ProblemCode, STATUSES } from '../server/problem.ts';
import {
  type ApiWorld,
  type ApiWorldOptions,
  type Asking,
  type Caller,
  everythingIn,
  openApiWorld,
} from './api-world.ts';

export interface RefusingWorld {
  readonly world: ApiWorld;
  /** In charge of all. */
  readonly admin: Caller;
  /** An instance that waits for a message. */
  readonly id: string;
  /** Asks as the admin, and expects to be refused with this code. */
  readonly refused: (asking: Asking, code: ProblemCode) => Promise<Problem>;
  /** Nothing has changed since it was opened, and nobody was blamed for anything. */
  readonly unchanged: () => Promise<void>;
}

export async function openRefusing(options: ApiWorldOptions = {}): Promise<RefusingWorld> {
  const world = await openApiWorld(options);
  const admin = world.caller('admin', null);
  const { id } = await world.start('waits', 'acme');
  await world.engine.schedule('nightly', { flow: 'waits', every: '1h', input: { secret: 'x' } });
  const before = await everythingIn(world.engine);
  return {
    ...{ world, admin, id },
    refused: async (asking, code) => {
      const response = await world.ask(admin, asking);
      const text = await response.text();
      const what = `${asking.method} ${asking.path.slice(0, 200)} ${text.slice(0, 300)}`;
      expect(response.headers.get('x-content-type-options'), what).toBe('nosniff');
      return problemIn(
        { status: response.status, type: response.headers.get('content-type'), text, what },
        code,
      );
    },
    unchanged: async () => {
      expect(await everythingIn(world.engine)).toBe(before);
      expect(world.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    },
  };
}

export interface Came {
  readonly status: number;
  readonly type: string | null | undefined;
  readonly text: string;
  readonly what: string;
}

/** What was told, if it is a problem of this code as problems are to be. */
export function problemIn({ status, type, text, what }: Came, code: ProblemCode): Problem {
  expect(status, `${what} ${text.slice(0, 300)}`).toBe(STATUSES[code]);
  expect(type, what).toBe(PROBLEM_TYPE);
  const problem = JSON.parse(text) as Problem;
  expect(problem, what).toMatchObject({ code, status, type: `urn:perdure:problem:${code}` });
  expect(problem.detail.length, what).toBeGreaterThan(10);
  return problem;
}
