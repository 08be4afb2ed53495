/** What tests of repair need: a step that can be mended, a token by its node, a sound store. */
import { expect } from 'vitest';
import type { Run } from '../runtime/run.ts';
import { broken } from './diary.ts';
import type { Lab } from './lab.ts';

export interface Fragile {
  readonly state: { mended: boolean };
  readonly keys: string[];
  readonly work: (step: { idempotencyKey: string }) => string;
}

/** A step that fails until it is mended, and says under which names it ran. */
export function fragile(): Fragile {
  const keys: string[] = [];
  const state = { mended: false };
  const work = ({ idempotencyKey }: { idempotencyKey: string }): string => {
    keys.push(idempotencyKey);
    return state.mended ? 'worked' : broken();
  };
  return { state, keys, work };
}

export interface Mendable {
  readonly state: { mended: boolean; runs: number };
  readonly work: () => string;
}

/** The same, and each failure is one that a retry may get over. */
export function mendable(): Mendable {
  const state = { mended: false, runs: 0 };
  const work = (): string => {
    state.runs += 1;
    if (!state.mended) throw Object.assign(new Error('out of order'), { code: 'machine.broken' });
    return 'worked';
  };
  return { state, work };
}

export async function tokenAt(run: Run, node: string): Promise<number> {
  const token = (await run.tokens()).find((one) => one.node === node);
  if (token === undefined) throw new Error(`nobody stands at ${node}`);
  return token.id;
}

export async function isSound(lab: Lab): Promise<void> {
  expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
}
