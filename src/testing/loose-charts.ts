/** Flowcharts as somebody without types may write them, and what is said of them. */
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import type { Flow } from '../model/definition.ts';

export const loose = flowchart as unknown as (definition: unknown) => Flow;

export function codesIn(flow: Flow): readonly string[] {
  return flow.definition.diagnostics.map(({ code }) => code);
}

export const A = { id: 'A', type: 'work' } as const;
export const B = { id: 'B', type: 'work' } as const;
export const AB: readonly { readonly from: string; readonly to: string }[] = [
  { from: 'A', to: 'B' },
];

/** From A to B, but for what is said here. */
export function chart(over: object = {}): object {
  return { id: 'chart', version: 1, activities: [A, B], connections: AB, ...over };
}

/** The activity A as it is said here, before B. */
export function withA(over: object): object {
  return chart({ activities: [{ ...A, ...over }, B] });
}
