/** A node of a graph: a card, a round place, or the frame of a region. */
import type { NodeProps, Node } from '@xyflow/react';
import { createContext, type KeyboardEvent, type ReactNode, useContext } from 'react';
import { Icon } from '../parts/icon.tsx';
import { type Crowd, describeNode } from './crowds.ts';
import type { DrawnNode, DrawnWay } from './drawing.ts';
import type { Mark, NodeTally } from './shapes.ts';

export interface GraphActions {
  readonly fold: (id: string) => void;
  readonly enter: (id: string | null) => void;
}

export const NODE_ACTIONS = createContext<GraphActions>({ fold: () => {}, enter: () => {} });

export interface GraphNodeData extends Record<string, unknown> {
  readonly node: DrawnNode;
  readonly ways: readonly DrawnWay[];
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
      >
        {lines.map((line, index) => (
          // The lines of a node have no names but their places.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={index === 0 ? 'graph-name' : 'graph-detail'}>
            {line}
          </span>
        ))}
      </button>
      <Counts crowds={crowds} tally={tally} />
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

interface CountsProps {
  readonly crowds: readonly Crowd[];
  readonly tally: NodeTally | undefined;
}

/** Said in words by the label of the node; here they are to be seen. */
function Counts({ crowds, tally }: CountsProps): ReactNode {
  const isRepeated = tally !== undefined && (tally.done > 1 || tally.failed > 0);
  return (
    <div className="graph-counts" aria-hidden="true">
      {isRepeated && tally.failed > 0 ? (
        <span className="graph-count graph-count-failed">{tally.failed}✗</span>
      ) : null}
      {isRepeated && tally.done > 0 ? (
        <span className="graph-count graph-count-done">{tally.done}✓</span>
      ) : null}
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

/** Along the ways: down to what follows, up to what comes before, sideways to what is beside. */
function walk(event: KeyboardEvent<HTMLElement>, { node, ways }: GraphNodeData): void {
  const graph = event.currentTarget.closest('.graph');
  const faces = [...(graph?.querySelectorAll<HTMLElement>('.graph-face') ?? [])];
  const at = faces.indexOf(event.currentTarget);
  const linked = (name: string | undefined): HTMLElement | undefined =>
    faces.find((face) => face.dataset['node'] === name);
  const targets: Readonly<Record<string, () => HTMLElement | undefined>> = {
    ArrowDown: () => linked(ways.find((way) => way.from === node.id)?.to) ?? faces[at + 1],
    ArrowUp: () => linked(ways.find((way) => way.to === node.id)?.from) ?? faces[at - 1],
    ArrowRight: () => faces[at + 1],
    ArrowLeft: () => faces[at - 1],
  };
  const target = targets[event.key]?.();
  if (target === undefined) return;
  event.preventDefault();
  target.focus();
}
