/** Small checks that several kinds make of their drafts, so that all of them complain alike. */
import { no, ok, type Result } from '../base/result.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { NodeId } from '../model/ids.ts';
import type { Compiled, Wires } from '../kernel/kind.ts';

export function problem(draft: DraftNode, code: string, message: string): Diagnostic {
  const place = draft.span === undefined ? {} : { span: draft.span };
  return { code: `${draft.kind}.${code}`, message, node: draft.id, ...place };
}

/** The node at which the region of a node begins: named in its settings, and inside the region. */
export function bodyOf(draft: DraftNode, wires: Wires): Result<NodeId, readonly Diagnostic[]> {
  const { body } = draft.settings;
  const start = wires.body.find((id) => id === body);
  if (start !== undefined) return ok(start);
  const came = typeof body === 'string' ? `"${body}", which is not in it` : 'nothing';
  const message = `"${draft.id}" names the node its region begins with; came ${came}`;
  return no([problem(draft, 'no-body', message)]);
}

/** A node that ends a path: nothing leads out of it, and its output comes from one of these. */
export function compileOutput<Output extends string>(
  draft: DraftNode,
  wires: Wires,
  outputs: readonly Output[],
): Result<Compiled<{ readonly output: Output }>, readonly Diagnostic[]> {
  const { output = 'none' } = draft.settings;
  const problems: Diagnostic[] = [];
  if (wires.out.length > 0) {
    problems.push(problem(draft, 'has-outbound', `nothing leads out of "${draft.id}"`));
  }
  const known = outputs.find((name) => name === output);
  if (known === undefined) {
    const names = outputs.map((name) => `'${name}'`).join(' or ');
    problems.push(problem(draft, 'bad-output', `the output of "${draft.id}" is ${names}`));
  }
  if (known === undefined || problems.length > 0) return no(problems);
  return ok({ config: { output: known }, code: known === 'code' ? ['output'] : [] });
}
