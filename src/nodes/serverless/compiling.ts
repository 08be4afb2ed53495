/** What the kinds of a Serverless Workflow make of their drafts: the frontend has checked them. */
import type { Json, JsonObject } from '../../base/json.ts';
import { no, ok, type Result } from '../../base/result.ts';
import type { Compiled, Wires } from '../../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../../model/draft.ts';
import { bodyOf, problem } from '../settings.ts';

/**
 * The settings as they are, once what the plan itself must rely on is sure: the region begins in
 * itself, and every edge that is named leads out of the node.
 */
export function compileAs<Config>(
  draft: DraftNode,
  wires: Wires,
): Result<Compiled<Config & JsonObject>, readonly Diagnostic[]> {
  const { settings } = draft;
  if (typeof settings['body'] === 'string') {
    const body = bodyOf(draft, wires);
    if (!body.ok) return body;
  }
  const out = new Set<unknown>(wires.out);
  const stray = edgesIn(settings).find((edge) => !out.has(edge));
  if (stray !== undefined) {
    const message = `"${draft.id}" names the edge "${stray}", which does not leave it`;
    return no([problem(draft, 'unknown-edge', message)]);
  }
  return ok({ config: settings as Config & JsonObject });
}

/** Everything in the settings that says where a token goes on. */
function edgesIn(settings: Json): readonly string[] {
  const { task, next, cases, otherwise, caught, again, feeds, back } = settings as Record<
    string,
    Json
  >;
  const named = [
    next,
    again,
    feeds,
    back,
    ...nextsIn(task),
    ...nextsIn(otherwise),
    ...nextsIn(caught),
  ];
  const more = Array.isArray(cases) ? (cases as readonly Json[]).flatMap(nextsIn) : [];
  return [...named, ...more].filter((edge) => typeof edge === 'string');
}

function nextsIn(part: Json | undefined): readonly (Json | undefined)[] {
  if (typeof part !== 'object' || part === null) return [];
  const { next, skip } = part as Record<string, Json>;
  return [next, skip];
}
