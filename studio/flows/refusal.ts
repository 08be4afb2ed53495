/** Where in the form of a start a refusal belongs. */
import type { Problem } from '../api/asking.ts';
import type { FieldProblem } from '../parts/schema-rules.ts';

export interface Refusal {
  readonly fields: readonly FieldProblem[];
  readonly key: string | null;
  /** What belongs to no field. */
  readonly whole: Problem | null;
}

export const NO_REFUSAL: Refusal = { fields: [], key: null, whole: null };

export function refusalOf(problem: Problem): Refusal {
  const { code, message, details } = problem;
  if (code === 'instance.exists') return { ...NO_REFUSAL, key: message };
  const listed = details['problems'] ?? details['issues'];
  const fields = Array.isArray(listed) ? listed.flatMap(fieldIn) : [];
  if (fields.length > 0) return { ...NO_REFUSAL, fields };
  return { ...NO_REFUSAL, whole: problem };
}

function fieldIn(one: unknown): readonly FieldProblem[] {
  const { path, message } = Object(one) as Record<string, unknown>;
  return typeof message === 'string'
    ? [{ path: typeof path === 'string' ? path : '', message }]
    : [];
}
