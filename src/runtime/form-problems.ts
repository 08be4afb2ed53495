/** What is wrong with the forms of a plan's tasks: said when the flow comes. */
import type { Json, JsonObject } from '../base/json.ts';
import { schemaProblems, toldIn } from '../expressions/schema/schema.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { Plan } from '../model/plan.ts';

export function formProblems({ nodes }: Plan): readonly Diagnostic[] {
  return [...nodes.values()].flatMap(({ id, kind, config }) => {
    const form = kind === 'task' ? fixedForm(config) : undefined;
    const problems = form === undefined ? [] : schemaProblems(form);
    if (problems.length === 0) return [];
    const message = `"form" of "${id}" is no JSON Schema: ${problems.map(toldIn).join('; ')}`;
    return [{ code: 'task.bad-form', message, node: id }];
  });
}

function fixedForm(config: Json): JsonObject | undefined {
  const { fixed } = config as { readonly fixed: { readonly form?: JsonObject } };
  return fixed.form ?? undefined;
}
