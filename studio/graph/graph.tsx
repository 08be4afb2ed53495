/**
 * A plan as a graph, and what is going on in it. It is drawn anew only when the plan or what is
 * folded changes; tokens and counts come and go on top of that. Nodes stand in the page in the order
 * of the flow, each is a button, and the arrow keys go along the ways.
 */
import {
  Background,
  BackgroundVariant,
  Controls,
  MiniMap,
  type Node,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  ViewportPortal,
} from '@xyflow/react';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import '@xyflow/react/dist/base.css';
import './graph.css';
import { type Crowd, busyRegions, crowdsOf } from './crowds.ts';
import { baseOf, type Drawn, drawGraph, foldedAtFirst, trailTo } from './drawing.ts';
import { Flights } from './flights.tsx';
import { type GraphActions, GraphNode, type GraphNodeData, NODE_ACTIONS } from './graph-node.tsx';
import type { GraphPlan, GraphToken, Mark, NodeTally } from './shapes.ts';
import { Ways } from './ways-layer.tsx';

export type { GraphPlan, GraphToken, Mark, NodeTally } from './shapes.ts';

export interface GraphProps {
  readonly plan: GraphPlan;
  readonly tokens?: readonly GraphToken[];
  /** By node of the plan: how often it was done, and failed. */
  readonly tallies?: ReadonlyMap<string, NodeTally>;
  /** Edges of the plan that somebody has taken. */
  readonly edgesTaken?: ReadonlySet<string>;
  readonly marks?: ReadonlyMap<string, Mark>;
  /** A node of the plan. */
  readonly selected?: string | null;
  readonly onSelect?: (node: string | null) => void;
  /** What the whole is called, for those who do not see it. */
  readonly label: string;
}

const NONE: readonly never[] = [];
const NOTHING: ReadonlyMap<string, never> = new Map<string, never>();
const TYPES = { graph: GraphNode };
/** Smaller ones are seen whole. */
const MINIMAP_NODES_MIN = 40;
/** Regions lie in regions; ways lie below all of them. */
const ABOVE_REGIONS = 100;
const NO_CROWDS: readonly Crowd[] = [];

export function Graph(props: GraphProps): ReactNode {
  return (
    <ReactFlowProvider>
      <Drawing {...props} />
    </ReactFlowProvider>
  );
}

function useDrawn(plan: GraphPlan): {
  readonly drawn: Drawn;
  readonly trail: ReturnType<typeof trailTo>;
  readonly actions: GraphActions;
} {
  // The same plan may come as another object: what it is, its hash says.
  const base = useMemo(() => baseOf(plan), [plan.hash, plan.name, plan.version]);
  const [inside, setInside] = useState<string | null>(null);
  const [folded, setFolded] = useState(() => foldedAtFirst(base));
  const drawn = useMemo(() => drawGraph(base, { inside, folded }), [base, inside, folded]);
  const trail = useMemo(() => trailTo(base, inside), [base, inside]);
  const actions = useMemo<GraphActions>(
    () => ({
      fold: (id) =>
        setFolded((old) => {
          const next = new Set(old);
          if (!next.delete(id)) next.add(id);
          return next;
        }),
      enter: setInside,
    }),
    [],
  );
  return { drawn, trail, actions };
}

function Drawing(props: GraphProps): ReactNode {
  const { plan, tokens = NONE, selected = null, label } = props;
  const { drawn, trail, actions } = useDrawn(plan);
  const nodes = useNodes(props, drawn);
  const box = useRef<HTMLDivElement>(null);
  useFit(drawn);
  return (
    <div className="graph" ref={box} data-selected={selected ?? undefined}>
      {trail.length === 0 ? null : <Trail trail={trail} onGo={actions.enter} />}
      <NODE_ACTIONS.Provider value={actions}>
        <ReactFlow
          aria-label={label}
          role="group"
          nodes={nodes}
          nodeTypes={TYPES}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          elementsSelectable={false}
          panOnScroll={false}
          preventScrolling={false}
          zoomOnScroll={false}
          zoomActivationKeyCode="Control"
          minZoom={0.1}
          maxZoom={2}
          disableKeyboardA11y
          proOptions={HIDDEN}
          onPaneClick={() => props.onSelect?.(null)}
        >
          <Background variant={BackgroundVariant.Dots} gap={23} size={1} />
          <ViewportPortal>
            <Ways drawn={drawn} plan={plan} taken={props.edgesTaken} />
            <Flights drawn={drawn} plan={plan} tokens={tokens} />
          </ViewportPortal>
          <Controls showInteractive={false} />
          {drawn.nodes.length < MINIMAP_NODES_MIN ? null : <MiniMap pannable aria-label="Map" />}
        </ReactFlow>
      </NODE_ACTIONS.Provider>
    </div>
  );
}

const HIDDEN = { hideAttribution: true };

function useNodes(props: GraphProps, drawn: Drawn): Node<GraphNodeData>[] {
  const { tokens = NONE, tallies = NOTHING, marks = NOTHING, selected = null, onSelect } = props;
  return useMemo(() => {
    const crowds = crowdsOf(drawn, tokens);
    const busy = busyRegions(drawn, tokens);
    const chosen = selected === null ? null : (drawn.places.get(selected) ?? null);
    return drawn.nodes.map((node) => ({
      id: node.id,
      type: 'graph',
      position: { x: node.x, y: node.y },
      width: node.width,
      height: node.height,
      measured: { width: node.width, height: node.height },
      zIndex: node.shape === 'region' ? node.depth : ABOVE_REGIONS,
      data: {
        node,
        ways: drawn.ways,
        crowds: crowds.get(node.id) ?? NO_CROWDS,
        isBusy: busy.has(node.id),
        isSelected: node.id === chosen,
        tally: tallies.get(node.id),
        mark: marks.get(node.id),
        onSelect,
      },
    }));
  }, [drawn, tokens, tallies, marks, selected, onSelect]);
}

/** All of it is seen at first, and again when something else is drawn; but never larger than life. */
function useFit(drawn: Drawn): void {
  const { fitView } = useReactFlow();
  useEffect(() => {
    const frame = requestAnimationFrame(() => void fitView({ padding: 0.06, maxZoom: 1.1 }));
    return () => cancelAnimationFrame(frame);
  }, [drawn, fitView]);
}

interface TrailProps {
  readonly trail: ReturnType<typeof trailTo>;
  readonly onGo: (inside: string | null) => void;
}

function Trail({ trail, onGo }: TrailProps): ReactNode {
  return (
    <nav className="graph-trail" aria-label="Where in the graph">
      <button type="button" className="link" onClick={() => onGo(null)}>
        All of it
      </button>
      {trail.map(({ id, lines }, index) => (
        <span key={id}>
          {' › '}
          {index === trail.length - 1 ? (
            <strong>{lines.join(' ') || id}</strong>
          ) : (
            <button type="button" className="link" onClick={() => onGo(id)}>
              {lines.join(' ') || id}
            </button>
          )}
        </span>
      ))}
    </nav>
  );
}
