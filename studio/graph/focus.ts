/**
 * Where an arrow key leads: down and up along the ways, to the sides among those of one row. A
 * region is entered to the right, and left to the left or past its first and its last node.
 */
import type { Drawn, DrawnNode } from './drawing.ts';

/** Undefined if there is nothing that way. */
export function focusFrom(drawn: Drawn, id: string, key: string): string | undefined {
  const node = drawn.nodes.find((one) => one.id === id);
  if (node === undefined) return undefined;
  switch (key) {
    case 'ArrowDown':
      return below(drawn, node);
    case 'ArrowUp':
      return along(drawn, 'to', id) ?? node.parent ?? undefined;
    case 'ArrowRight':
      return drawn.nodes.find(({ parent }) => parent === id)?.id ?? rightOf(drawn, node);
    case 'ArrowLeft':
      return besides(drawn, node).findLast(({ x }) => x < node.x)?.id ?? node.parent ?? undefined;
    default:
      return undefined;
  }
}

/** Ways back are left out: who follows the flow would never get past a loop. */
function along({ ways }: Drawn, end: 'from' | 'to', id: string): string | undefined {
  const way = ways.find((one) => !one.isBack && one[end] === id);
  return end === 'from' ? way?.to : way?.from;
}

function below(drawn: Drawn, node: DrawnNode): string | undefined {
  const next = along(drawn, 'from', node.id);
  const around = drawn.nodes.find(({ id }) => id === node.parent);
  return next ?? (around === undefined ? undefined : below(drawn, around));
}

function rightOf(drawn: Drawn, node: DrawnNode): string | undefined {
  const next = besides(drawn, node).find(({ x }) => x > node.x);
  const around = drawn.nodes.find(({ id }) => id === node.parent);
  return next?.id ?? (around === undefined ? undefined : rightOf(drawn, around));
}

/** Those of its row, from the left. */
function besides({ nodes }: Drawn, { parent, y }: DrawnNode): readonly DrawnNode[] {
  return nodes.filter((one) => one.parent === parent && one.y === y);
}
