/** The config of a node of an application's kind, as its author's own check keeps it: JSON. */
import { admitJson, type Json } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import { silence } from '../kernel/code.ts';
import type { ConfigCheck, CustomKind } from '../model/custom-kind.ts';

type Checked<Value> = Result<Value, readonly string[]>;

export function checkConfig(own: CustomKind, node: string, given: Json): Checked<Json> {
  const what = `the config of "${node}"`;
  const { config: check } = own;
  const checked = check === undefined ? ok(given) : ask(check, given);
  if (!checked.ok) return no(checked.problem.map((problem) => `${what}: ${problem}`));
  const admitted = admitJson(checked.value);
  return admitted.ok ? admitted : no([`${what} is JSON: ${admitted.problem}`]);
}

/** It is a stranger's code: what it throws is what is wrong. */
function ask(check: ConfigCheck, given: Json): Checked<unknown> {
  try {
    if (typeof check !== 'function') return readIssues(check['~standard'].validate(given));
    const kept = check(given);
    return silence(kept) ? no([AT_ONCE]) : ok(kept === undefined ? given : kept);
  } catch (thrown) {
    return no([thrown instanceof Error ? thrown.message : String(thrown)]);
  }
}

const AT_ONCE = 'it is checked at once, and its check answered with a promise';

/** As a Standard Schema answers: with a value, or with issues. */
function readIssues(result: unknown): Checked<unknown> {
  if (silence(result)) return no([AT_ONCE]);
  const { value, issues } = result as { value?: unknown; issues?: readonly Issue[] };
  if (issues === undefined) return ok(value);
  return no(issues.map(({ message, path = [] }) => `${spelled(path)}${message}`));
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}

function spelled(path: NonNullable<Issue['path']>): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length === 0 ? '' : `${keys.join('.')}: `;
}
