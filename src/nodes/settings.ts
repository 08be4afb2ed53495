/** Small checks that several kinds make of their drafts, so that all of them complain alike. */
import type { Json } from '../base/json.ts';
import { no, ok, type Result } from '../base/result.ts';
import { ANY } from '../model/awaited.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { NodeId } from '../model/ids.ts';
import type { Fault } from '../model/instance.ts';
import { type Limit, limitProblem } from '../model/lane.ts';
import type { Compiled, Move, Place, View, Wires } from '../kernel/kind.ts';
import type { PlanNode } from '../model/plan.ts';

export function problem(draft: DraftNode, code: string, message: string): Diagnostic {
  const place = draft.span === undefined ? {} : { span: draft.span };
  return { code: `${draft.kind}.${code}`, message, node: draft.id, ...place };
}

/** How many of a node's tokens at a time, and per time. */
export function readLimit(
  draft: DraftNode,
  limit: Json,
  problems: Diagnostic[],
): { readonly limit?: Limit } {
  const badly = limitProblem(limit);
  if (badly === undefined) return { limit: limit as Limit };
  problems.push(problem(draft, 'bad-limit', `the limit of "${draft.id}" ${badly}`));
  return {};
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

/** A node where ways meet: two or more lead in, and at most one leads out. */
export function compileMeeting(
  draft: DraftNode,
  wires: Wires,
): Result<Compiled<null>, readonly Diagnostic[]> {
  const problems: Diagnostic[] = [];
  if (wires.in.length < 2) {
    const message = `"${draft.id}" joins two ways or more; came ${wires.in.length}`;
    problems.push(problem(draft, 'too-few-ways', message));
  }
  if (wires.out.length > 1) {
    const rule = `"${draft.id}" goes on by one way`;
    const message = `${rule}; came ${wires.out.length}: add a fork after it`;
    problems.push(problem(draft, 'forks-too', message));
  }
  return problems.length > 0 ? no(problems) : ok({ config: null });
}

/** Leaves by the only way, with a value as the node's result. */
export function takeWith(node: PlanNode<unknown>, value: Json): Move {
  const writes = [{ in: 'scope', space: 'results', name: localName(node), value }] as const;
  return { move: 'take', edges: node.out, writes };
}

/** What its result is kept under. */
export function localName({ id, local = id }: PlanNode<unknown>): string {
  return local;
}

/** A key in a draft: a text, or none if a closure or the instance says it. */
export function keyProblems(draft: DraftNode, key: Json): Diagnostic[] {
  if (key === null || typeof key === 'string') return [];
  return [problem(draft, 'bad-key', `the key of "${draft.id}" is a text or a closure`)];
}

/** By what a message is matched: said by the node, by its closure, or the business key. */
export function keyFor(
  place: Place,
  view: View,
  node: { readonly key: string | null; readonly keyCode: boolean } & {
    readonly what: string;
    readonly slot: string;
  },
): Result<string, Omit<Fault, 'node'>> {
  const { key, keyCode, what, slot } = node;
  const asked = keyCode ? view.call(place, slot) : ok(key ?? view.key);
  if (!asked.ok) return asked;
  const { id, kind } = place.node;
  // Whoever chose the key must not have the messages of everyone.
  const isAny = asked.value === ANY;
  if (typeof asked.value === 'string' && asked.value !== '' && !isAny) {
    const { KEY_CHARS_MAX } = view.limits;
    if (asked.value.length <= KEY_CHARS_MAX) return ok(asked.value);
    const rule = `a key has at most KEY_CHARS_MAX ${KEY_CHARS_MAX} characters`;
    const problem = `${rule}; "${id}" came with ${asked.value.length}`;
    return no({ code: `${kind}.key-too-long`, message: problem });
  }
  const message =
    `"${id}" needs a key for "${what}", and ${isAny ? `"${ANY}" is none` : 'there is none'}: ` +
    'start the instance with a business key, or give the node a key of its own';
  return no({ code: `${kind}.no-key`, message });
}
