/**
 * Choose: takes the first arm whose condition holds, else the arm named otherwise. With `many` it
 * takes every arm whose condition holds, each with a token of its own.
 *
 * A condition that throws, or answers anything but true or false, is a fault: it is never read as
 * false. There is always an otherwise, so a token cannot be left standing here.
 *
 * BPMN exclusiveGateway, inclusiveGateway (diverging) · Serverless Workflow switch · builder
 * .choose()
 */
import type { Json } from '../base/json.ts';
import { no, ok } from '../base/result.ts';
import type { Move, NodeKind, Wires } from '../kernel/kind.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { EdgeId } from '../model/ids.ts';
import { problem } from './settings.ts';

type Arm = { readonly edge: EdgeId; readonly slot: string };
type Choose = {
  readonly arms: readonly Arm[];
  readonly otherwise: EdgeId;
  readonly many?: true;
};

export const choose: NodeKind<Choose> = {
  kind: 'choose',

  compile(draft, wires) {
    const { arms, otherwise } = draft.settings;
    const problems: Diagnostic[] = [];
    const known = Array.isArray(arms) ? (arms as readonly Json[]).map(readArm) : [];
    if (known.length === 0 || known.includes(undefined)) {
      problems.push(problem(draft, 'bad-arms', `"${draft.id}" lists its arms as { edge, slot }`));
    }
    const edges = [...known.flatMap((arm) => (arm === undefined ? [] : [arm.edge])), otherwise];
    for (const edge of edges) problems.push(...checkEdge(draft, wires, edge));
    for (const edge of wires.out) {
      if (edges.includes(edge)) continue;
      problems.push(problem(draft, 'stray-edge', `"${draft.id}" never takes its edge "${edge}"`));
    }
    if (problems.length > 0) return no(problems);
    const many = draft.settings['many'] === true ? { many: true as const } : {};
    const config = { arms: known as Arm[], otherwise: otherwise as EdgeId, ...many };
    return ok({ config, code: config.arms.map((arm) => arm.slot) });
  },

  enter(place, view): Move {
    const { arms, otherwise, many = false } = place.node.config;
    const taken: EdgeId[] = [];
    for (const { edge, slot } of arms) {
      const holds = view.call(place, slot);
      if (!holds.ok) return { move: 'fault', fault: holds.problem };
      if (holds.value === true) {
        taken.push(edge);
        if (!many) break;
      } else if (holds.value !== false) {
        const rule = `"${slot}" of "${place.node.id}" answers true or false`;
        const message = `${rule}; came ${brief(holds.value)}`;
        return { move: 'fault', fault: { code: 'choose.not-boolean', message } };
      }
    }
    return { move: 'take', edges: taken.length > 0 ? taken : [otherwise] };
  },
};

function readArm(arm: Json): Arm | undefined {
  if (typeof arm !== 'object' || arm === null || !('edge' in arm) || !('slot' in arm))
    return undefined;
  const { edge, slot } = arm;
  if (typeof edge !== 'string' || typeof slot !== 'string') return undefined;
  return { edge: edge as EdgeId, slot };
}

function checkEdge(draft: DraftNode, wires: Wires, edge: Json | undefined): Diagnostic[] {
  if (typeof edge === 'string' && wires.out.includes(edge as EdgeId)) return [];
  if (edge === undefined) {
    return [
      problem(draft, 'no-otherwise', `"${draft.id}" says which edge to take when no arm holds`),
    ];
  }
  const message = `"${draft.id}" names the edge ${JSON.stringify(edge)}, which does not leave it`;
  return [problem(draft, 'unknown-edge', message)];
}

function brief(value: Json): string {
  return JSON.stringify(value).slice(0, 80);
}
