/** Chains under test: handlers that answer as they are told, and rows as others see them. */
import { expect } from 'vitest';
import type { Json } from '../base/json.ts';
import type { StepResult } from '../model/chain.ts';
import type { ChainHandler, ChainStep } from '../runtime/links.ts';
import type { Lab } from './lab.ts';

/** What a handler was told of one execution. */
export interface Told extends Pick<ChainStep, 'attempt' | 'taskType' | 'stepType' | 'stepSeq'> {
  readonly reason: string;
  readonly event: Json;
  readonly idempotencyKey: string;
}

/** Answers one after the other, and the last one for ever; what is an error it throws. */
export class Script {
  readonly told: Told[] = [];
  readonly #answers: (StepResult | Error | Promise<StepResult>)[];

  constructor(...answers: (StepResult | Error | Promise<StepResult>)[]) {
    this.#answers = answers;
  }

  readonly handler: ChainHandler = (step) => {
    const { attempt, taskType, stepType, stepSeq, event, idempotencyKey } = step;
    const { reason } = step.wake;
    this.told.push({ attempt, taskType, stepType, stepSeq, reason, event, idempotencyKey });
    const [answer] = this.#answers.length > 1 ? this.#answers.splice(0, 1) : this.#answers;
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('no answer');
    return answer;
  };
}

/** The worker dies in executions for which this is so, and with it whatever they would answer. */
export function deadly(
  script: Script,
  isDeadly: (execution: number) => boolean,
  crash: () => void,
): ChainHandler {
  return (step) => {
    const answer = script.handler(step);
    if (!isDeadly(script.told.length)) return answer;
    crash();
    return new Promise(() => {});
  };
}

type Row = Readonly<Record<string, unknown>>;

/** One chain in the two views. */
interface Shown {
  readonly instance: Row;
  readonly steps: readonly Row[];
}

/** The rows of one chain; null in memory, where there are none. */
export async function rowsOf(lab: Lab, { id }: { readonly id: string }): Promise<Shown | null> {
  const instances = (await lab.peek('workflow_instance')) as readonly Row[] | null;
  const steps = (await lab.peek('workflow_step')) as readonly Row[] | null;
  if (instances === null || steps === null) return null;
  const own = instances.filter((row) => row['instance_id'] === id);
  expect(own).toHaveLength(1);
  const mine = steps.filter((row) => row['instance_id'] === id);
  const bySeq = (a: Row, b: Row): number => Number(a['step_seq']) - Number(b['step_seq']);
  return { instance: own[0] ?? {}, steps: mine.toSorted(bySeq) };
}

/** What the views show of a chain, where there are any: as much of it as is said here. */
export async function expectRows(
  lab: Lab,
  run: { readonly id: string },
  expected: Partial<Shown>,
): Promise<void> {
  expectShown(await rowsOf(lab, run), expected);
}

/** The same of rows that were read before. */
export function expectShown(rows: Shown | null, expected: Partial<Shown>): void {
  if (rows !== null) expect(rows).toMatchObject(expected);
}
