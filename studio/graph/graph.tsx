/**
 * A plan as a graph, and what is going on in it. It is drawn anew only when the plan or what is
 * folded changes; tokens and counts come and go on top of that. Nodes stand in the page in the
 * order of the flow, each is a button, and the arrow keys go along the ways.
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
  type Viewport,
  ViewportPortal,
} from '@xyflow/react';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import '@xyflow/react/dist/base.css';
import './graph.css';
import './tokens.css';
import { busyRegions, type Crowd, crowdsOf, marksOn } from './crowds.ts';
import { baseOf, type Drawn, drawGraph, foldedAtFirst, trailTo } from './drawing.ts';
import { Flights } from './flights.tsx';
import { type GraphActions, GraphNode, type GraphNodeData, NODE_ACTIONS } from './graph-node.tsx';
import type { GraphPlan, GraphToken, Mark, NodeTally } from './shapes.ts';
import { Undrawable } from './undrawable.tsx';
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
/** Regions lie below the ways in them, which lie below what stands there. No plan is so deep. */
const BELOW_WAYS = 1_000;
const NO_CROWDS: readonly Crowd[] = [];

export function Graph(props: GraphProps): ReactNode {
  return (
    <Undrawable key={props.plan.hash}>
      <ReactFlowProvider>
        {/* What is folded, and where one is, belongs to one plan. */}
        <Drawing key={keyOf(props.plan)} {...props} />
      </ReactFlowProvider>
    </Undrawable>
  );
}

/** The same plan may come as another object: what it is, its hash says. */
function keyOf({ hash, name, version }: GraphPlan): string {
  return `${hash} ${name}@${version}`;
}

function useDrawn(plan: GraphPlan): {
  readonly drawn: Drawn;
  readonly trail: ReturnType<typeof trailTo>;
  readonly actions: GraphActions;
} {
  const base = useMemo(() => baseOf(plan), [keyOf(plan)]);
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
  useFit(drawn, box, tokens);
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
          {drawn.nodes.length < MINIMAP_NODES_MIN ? null : (
            <MiniMap pannable ariaLabel="Map of the graph" />
          )}
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
    const marked = marksOn(drawn, marks);
    const chosen = selected === null ? null : (drawn.places.get(selected) ?? null);
    return drawn.nodes.map((node) => ({
      id: node.id,
      type: 'graph',
      position: { x: node.x, y: node.y },
      width: node.width,
      height: node.height,
      measured: { width: node.width, height: node.height },
      zIndex: node.shape === 'region' ? node.depth - BELOW_WAYS : 0,
      data: {
        node,
        drawn,
        crowds: crowds.get(node.id) ?? NO_CROWDS,
        isBusy: busy.has(node.id),
        isSelected: node.id === chosen,
        tally: tallies.get(node.id),
        mark: marked.get(node.id),
        onSelect,
      },
    }));
  }, [drawn, tokens, tallies, marks, selected, onSelect]);
}

/** Smaller than this, names cannot be read. */
const ZOOM_READ_MIN = 0.55;
const ZOOM_MAX = 1.1;
const MARGIN_PX = 24;

/**
 * All of it is seen at first, and again when something else is drawn; but never larger than life.
 * What is too large for that is seen in part: where somebody is, or else where it begins.
 */
function useFit(
  drawn: Drawn,
  box: RefObject<HTMLDivElement | null>,
  tokens: readonly GraphToken[],
): void {
  const { fitView, setViewport } = useReactFlow();
  const latest = useRef(tokens);
  latest.current = tokens;
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
      const [wide, high] = [clientWidth - 2 * MARGIN_PX, clientHeight - 2 * MARGIN_PX];
      const fitting = Math.min(wide / drawn.width, high / drawn.height);
      if (fitting >= ZOOM_READ_MIN) void fitView({ padding: 0.06, maxZoom: ZOOM_MAX });
      else void setViewport(readableView(drawn, latest.current, { wide, high }));
    });
    return () => cancelAnimationFrame(frame);
  }, [drawn, box, fitView, setViewport]);
}

function readableView(
  drawn: Drawn,
  tokens: readonly GraphToken[],
  { wide, high }: { readonly wide: number; readonly high: number },
): Viewport {
  const zoom = Math.min(Math.max(wide / drawn.width, ZOOM_READ_MIN), 0.8);
  const busy = [...crowdsOf(drawn, tokens).keys()][0];
  const at = drawn.nodes.find(({ id }) => id === busy);
  const node = at ?? drawn.nodes[0];
  const middle = node === undefined ? 0 : (node.x + node.width / 2) * zoom;
  const isNarrow = drawn.width * zoom <= wide;
  const x = MARGIN_PX + wide / 2 - (isNarrow ? (drawn.width / 2) * zoom : middle);
  const y = at === undefined ? MARGIN_PX : Math.min(MARGIN_PX, high / 2 - at.y * zoom);
  return { x, y, zoom };
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
