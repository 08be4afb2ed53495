/**
 * What is wrong with definitions that come to an engine, each by itself and all together; and the
 * plan of one with which nothing is.
 */
import { EngineError } from '../base/engine-error.ts';
import { no, type Result } from '../base/result.ts';
import { compile } from '../compile/compile.ts';
import type { Kinds } from '../kernel/kind.ts';
import { UNDO } from '../kernel/sagas.ts';
import type { Definition } from '../model/definition.ts';
import type { Diagnostic } from '../model/draft.ts';
import type { Plan } from '../model/plan.ts';
import { formProblems } from './form-problems.ts';
import { clashesIn } from './kinds.ts';

/** What a frontend found is said alone: compiling its draft would only say it again. */
export function planOf(definition: Definition, kinds: Kinds): Result<Plan, readonly Diagnostic[]> {
  if (definition.diagnostics.length > 0) return no(definition.diagnostics);
  const plan = compile(definition.draft, kinds);
  if (!plan.ok) return plan;
  const missing = missingCode(plan.value, definition, kinds).map(sayMissing);
  const problems = [...missing, ...formProblems(plan.value)];
  return problems.length > 0 ? no(problems) : plan;
}

export type Problem = Diagnostic & { readonly flow: string };

export function clashesAmong(definitions: readonly Definition[]): readonly Problem[] {
  return [...duplicates(definitions), ...kindClashes(definitions)];
}

/** Which of the two an instance ran would depend on their order. The same one twice is one. */
function duplicates(definitions: readonly Definition[]): Problem[] {
  const seen = new Map<string, Definition>();
  return definitions.flatMap((definition) => {
    const { name: flow, version } = definition.draft;
    const first = seen.get(`${flow}@${version}`) ?? definition;
    seen.set(`${flow}@${version}`, first);
    if (first === definition) return [];
    const message = `two flows are named "${flow}" and have version ${version}; raise one of them`;
    return [{ flow, code: 'flow.duplicate', message }];
  });
}

/** Which of the two a node was of would depend on their order. */
function kindClashes(definitions: readonly Definition[]): Problem[] {
  const twice = clashesIn(definitions.flatMap(({ kinds = [] }) => kinds));
  return twice.map((kind) => {
    const flow = definitions.find(({ kinds = [] }) => kinds.some((one) => one.kind === kind));
    const message = `two different kinds are named "${kind}": define it once, and import it`;
    return { flow: flow?.draft.name ?? '', code: 'kind.duplicate', message };
  });
}

interface Missing {
  readonly node: string;
  readonly slot: string | null;
}

export function missingCode(plan: Plan, { code, handlers }: Definition, kinds: Kinds): Missing[] {
  return [...plan.nodes.values()].flatMap((node) => {
    const slots: (string | null)[] = node.code.filter(
      (slot) => typeof code.get(node.id)?.[slot] !== 'function',
    );
    const offer = kinds.get(node.kind)?.offer?.({ node });
    if (offer === undefined) return slots.map((slot) => ({ node: node.id, slot }));
    const isShared = kinds.get(node.kind)?.handler !== undefined;
    if (!isShared && typeof handlers.get(node.id) !== 'function') slots.push(null);
    const undoes = offer.undoAttempts !== undefined;
    if (undoes && typeof handlers.get(node.id + UNDO) !== 'function') slots.push('undo');
    return slots.map((slot) => ({ node: node.id, slot }));
  });
}

/** As one word: a step, or a closure of a node. */
export function nameMissing({ node, slot }: Missing): string {
  return slot === null ? node : `${node}/${slot}`;
}

function sayMissing({ node, slot }: Missing): Diagnostic {
  const what = slot === null ? 'a handler' : `a function for "${slot}"`;
  return { code: 'node.no-code', message: `"${node}" needs ${what} and has none`, node };
}

export function invalid(diagnostics: readonly Problem[]): EngineError {
  const lines = diagnostics.map(({ flow, code, message }) => `  ${flow}: ${message} (${code})`);
  const count = `${diagnostics.length} ${diagnostics.length === 1 ? 'problem' : 'problems'}`;
  return new EngineError('definition.invalid', `${count} in the definition:\n${lines.join('\n')}`, {
    details: { diagnostics },
  });
}
