/** A diary: what the steps of a flow and their undos did, in order. */
import { expect } from 'vitest';
import type { Flow } from '../model/definition.ts';
import { Fatal } from '../runtime/fatal.ts';
import type { InstanceView, Run } from '../runtime/run.ts';
import { begin, type Begun, type LabOptions, type OpenLab } from './lab.ts';

export type Diary = string[];

/** A step that notes that it ran, and its undo that it ran. */
export function noted(
  diary: Diary,
  name: string,
): {
  run: () => { of: string };
  undo: (step: { result: { of: string }; inDoubt: boolean }) => void;
} {
  return {
    run: () => {
      diary.push(name);
      return { of: name };
    },
    undo: ({ result, inDoubt }) => {
      diary.push(inDoubt ? `undo ${name} in doubt` : `undo ${result.of}`);
    },
  };
}

/** A step that fails for good. */
export function broken(): never {
  throw new Fatal('broken', { code: 'broken' });
}

export function undone(diary: Diary): string[] {
  return diary.filter((line) => line.startsWith('undo'));
}

/** An instance a day later, with every promise checked. */
export async function ended(
  open: OpenLab,
  job: Flow,
  options: LabOptions = {},
): Promise<Begun & { readonly view: InstanceView }> {
  const { lab, run } = await begin(open, job, { ...options, for: '1d' });
  expect(await lab.engine.check()).toMatchObject({ ok: true, violations: [] });
  return { lab, run, view: await run.inspect() };
}

/** How often something is in an instance's history. */
export async function did(run: Run, what: string): Promise<number> {
  const changes = (await run.history()).flatMap((entry) => entry.changes);
  return changes.filter((change) => change.did === what).length;
}
