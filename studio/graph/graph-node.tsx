/** A node of a graph: a card, a round place, or the frame of a region. */
import { type Node, type NodeProps, useReactFlow } from '@xyflow/react';
import {
  createContext,
  type FocusEvent,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useContext,
} from 'react';
import { Icon } from '../parts/icon.tsx';
import { type Crowd, describeNode } from './crowds.ts';
import type { Drawn, DrawnNode } from './drawing.ts';
import { focusFrom } from './focus.ts';
import type { Mark, NodeTally } from './shapes.ts';

export interface GraphActions {
  readonly fold: (id: string) => void;
  readonly enter: (id: string | null) => void;
}

export const NODE_ACTIONS = createContext<GraphActions>({ fold: () => {}, enter: () => {} });

export interface GraphNodeData extends Record<string, unknown> {
  readonly node: DrawnNode;
  readonly drawn: Drawn;
  readonly crowds: readonly Crowd[];
  readonly isBusy: boolean;
  readonly isSelected: boolean;
  readonly tally: NodeTally | undefined;
  readonly mark: Mark | undefined;
  readonly onSelect: ((node: string | null) => void) | undefined;
}

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^(start|chain)$/, 'start'],
  [/^(end|terminate|sw-end)$/, 'end'],
  [/^(fail|sw-raise)$/, 'fail'],
  [/^(task|approve)$/, 'people'],
  [/^(sleep|wait|first|sw-wait|sw-listen)/, 'time'],
  [/^(choose|inclusive|sw-switch)/, 'choice'],
  [/^(fork|join|win|sw-fork)/, 'parallel'],
  [/^(repeat|map|sw-for)/, 'loop'],
  [/^(emit|call|sw-emit|sw-call|sw-run|sw-fetch)/, 'outside'],
];

function familyOf(kind: string): string {
  return FAMILIES.find(([pattern]) => pattern.test(kind))?.[1] ?? 'step';
}

export function GraphNode({ data }: NodeProps<Node<GraphNodeData>>): ReactNode {
  const { node, crowds, tally, mark } = data;
  const { id, shape, lines } = node;
  const description = describeNode(node, crowds, tally, mark);
  const state = stateClass(data);
  const classes = [
    ...[`graph-node graph-${shape}`, `graph-family-${familyOf(node.kind)}`, state],
    ...(mark === undefined ? [] : [`graph-mark-${mark}`]),
    ...(data.isSelected ? ['graph-selected'] : []),
  ];
  const size = { width: node.width, height: node.height };
  const bring = useBringing(node);
  return (
    <div className={classes.join(' ')} style={size}>
      <button
        type="button"
        className="graph-face nopan"
        data-node={id}
        aria-label={description}
        aria-pressed={data.isSelected}
        onClick={() => data.onSelect?.(data.isSelected ? null : id)}
        onKeyDown={(event) => walk(event, data)}
        onFocus={bring}
      >
        {lines.length === 0 ? <span className="graph-name">…</span> : null}
        {lines.map((line, index) => (
          // The lines of a node have no names but their places; to who listens, they are words.
          <Fragment key={index}>
            {' '}
            <span className={index === 0 ? 'graph-name' : 'graph-detail'}>{line}</span>
          </Fragment>
        ))}
      </button>
      <Crowds crowds={crowds} />
      <Counts tally={tally} />
      {shape === 'region' || node.isFolded ? <RegionButtons node={node} /> : null}
    </div>
  );
}

function stateClass({ crowds, isBusy, tally }: GraphNodeData): string {
  const [most] = crowds;
  if (most !== undefined) return `graph-now-${most.state}`;
  if (isBusy) return 'graph-now-busy';
  if (tally === undefined) return 'graph-never';
  if (tally.failed > tally.done) return 'graph-was-failed';
  return tally.done > 0 ? 'graph-was-done' : 'graph-never';
}

/** Said in words by the label of the node; here they are to be seen. */
function Counts({ tally }: { readonly tally: NodeTally | undefined }): ReactNode {
  if (tally === undefined || (tally.done <= 1 && tally.failed === 0)) return null;
  return (
    <div className="graph-counts" aria-hidden="true">
      {tally.failed > 0 ? (
        <span className="graph-count graph-count-failed">{tally.failed}✗</span>
      ) : null}
      {tally.done > 0 ? <span className="graph-count graph-count-done">{tally.done}✓</span> : null}
    </div>
  );
}

function Crowds({ crowds }: { readonly crowds: readonly Crowd[] }): ReactNode {
  return (
    <div className="graph-crowds" aria-hidden="true">
      {crowds.map(({ state, tokens }) => (
        <span key={state} className={`graph-token graph-token-${state}`} data-state={state}>
          {tokens.length === 1 ? '' : tokens.length}
        </span>
      ))}
    </div>
  );
}

function RegionButtons({ node }: { readonly node: DrawnNode }): ReactNode {
  const { fold, enter } = useContext(NODE_ACTIONS);
  const name = node.lines[0] ?? 'this branch';
  return (
    <div className="graph-region-buttons nopan">
      <button
        type="button"
        aria-label={`${node.isFolded ? 'Unfold' : 'Fold'} ${name}`}
        onClick={() => fold(node.id)}
      >
        <Icon name={node.isFolded ? 'plus' : 'minus'} />
      </button>
      {node.isFolded ? null : (
        <button type="button" aria-label={`Step into ${name}`} onClick={() => enter(node.id)}>
          <Icon name="search" />
        </button>
      )}
    </div>
  );
}

function walk(event: KeyboardEvent<HTMLElement>, { node, drawn }: GraphNodeData): void {
  const target = focusFrom(drawn, node.id, event.key);
  if (target === undefined) return;
  const graph = event.currentTarget.closest('.graph');
  const faces = [...(graph?.querySelectorAll<HTMLElement>('.graph-face') ?? [])];
  event.preventDefault();
  // What is outside the picture is brought there by moving the picture, not by scrolling.
  faces.find((face) => face.dataset['node'] === target)?.focus({ preventScroll: true });
}

/** Whoever goes by keys sees where they are. */
function useBringing({ x, y, width }: DrawnNode): (event: FocusEvent<HTMLElement>) => void {
  const { getZoom, setCenter } = useReactFlow();
  return ({ currentTarget }) => {
    const frame = currentTarget.closest('.graph')?.getBoundingClientRect();
    if (frame === undefined || !currentTarget.matches(':focus-visible')) return;
    const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
    const isSeen =
      left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
    if (!isSeen) void setCenter(x + width / 2, y, { zoom: getZoom() });
  };
}
