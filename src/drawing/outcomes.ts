/** Outcomes of activities, as the ids of their connections tell them. */

export { DONE } from '../model/activity.ts';

/** The outcome that a connection of a flowchart is for, by its name: `check:No->mend`. */
export function outcomeIn(edge: string, from: string, to: string): string | undefined {
  const [before, after] = [`${from}:`, `->${to}`];
  const isOne = edge.startsWith(before) && edge.endsWith(after);
  return isOne ? edge.slice(before.length, -after.length) : undefined;
}
