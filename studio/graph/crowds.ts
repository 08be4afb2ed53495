/** Who is where: tokens by the node that is drawn for theirs, and what there is to say of them. */
import type { Drawn } from './drawing.ts';
import type { GraphToken, Mark, NodeTally } from './shapes.ts';

export type TokenState = 'running' | 'queued' | 'waiting' | 'failed' | 'undoing';

export interface Crowd {
  readonly state: TokenState;
  readonly tokens: readonly number[];
}

export function stateOf({ status, wait, mode }: GraphToken): TokenState {
  if (wait?.on === 'incident' || status === 'failed') return 'failed';
  if (mode === 'compensation') return 'undoing';
  if (status === 'executing') return 'running';
  return status === 'ready' ? 'queued' : 'waiting';
}

/** Whoever waits for what is inside its own region is not to be seen beside it. */
function isSeen({ status, wait }: GraphToken): boolean {
  const isOver = ['completed', 'terminated', 'created'].includes(status);
  return !isOver && wait?.on !== 'scope' && Reflect.get(Object(wait), 'block') !== true;
}

const ORDER: readonly TokenState[] = ['failed', 'undoing', 'running', 'queued', 'waiting'];

/** By drawn node; those in the same state together. */
export function crowdsOf(
  drawn: Drawn,
  tokens: readonly GraphToken[],
): ReadonlyMap<string, readonly Crowd[]> {
  const crowds = new Map<string, Map<TokenState, number[]>>();
  for (const token of tokens) {
    const place = drawn.places.get(token.node);
    if (place === undefined || !isSeen(token)) continue;
    const states = crowds.get(place) ?? new Map<TokenState, number[]>();
    const state = stateOf(token);
    crowds.set(place, states.set(state, [...(states.get(state) ?? []), token.id]));
  }
  return new Map(
    [...crowds].map(([place, states]) => [
      place,
      ORDER.flatMap((state) => {
        const ids = states.get(state);
        return ids === undefined ? [] : [{ state, tokens: ids }];
      }),
    ]),
  );
}

/** Regions that somebody is in. What is around everything has no frame, and is none of them. */
export function busyRegions(drawn: Drawn, tokens: readonly GraphToken[]): ReadonlySet<string> {
  const regions = new Set(
    drawn.nodes.flatMap(({ id, shape, isFolded }) => (shape === 'region' || isFolded ? [id] : [])),
  );
  const owners = tokens.filter(({ wait }) => wait?.on === 'scope');
  const places = owners.flatMap(({ node }) => drawn.places.get(node) ?? []);
  return new Set(places.filter((place) => regions.has(place)));
}

/** The first says most, where several nodes of a plan are drawn as one. */
const MARKS: readonly Mark[] = ['problem', 'removed', 'added', 'changed'];

/** By drawn node. */
export function marksOn(drawn: Drawn, marks: ReadonlyMap<string, Mark>): ReadonlyMap<string, Mark> {
  const found = new Map<string, Mark>();
  for (const mark of MARKS.toReversed()) {
    for (const [node, its] of marks) {
      const place = drawn.places.get(node);
      if (its === mark && place !== undefined) found.set(place, mark);
    }
  }
  return found;
}

export function describeNode(
  { kind, lines }: { readonly kind: string; readonly lines: readonly string[] },
  crowds: readonly Crowd[],
  tally: NodeTally | undefined,
  mark: Mark | undefined,
): string {
  const here = crowds.map(({ state, tokens }) => `${tokens.length} ${state}`);
  const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);
  const past = [
    ...(tally === undefined || tally.done === 0 ? [] : [`done ${times(tally.done)}`]),
    ...(tally === undefined || tally.failed === 0 ? [] : [`failed ${times(tally.failed)}`]),
  ];
  // What is seen stands in what is said as it is seen.
  const name = lines.length === 0 ? '…, a branch' : lines.join(' ');
  return [
    `${kind.replace(/^sw-/, '')} ${name}`,
    ...here,
    ...past,
    ...(mark === undefined ? [] : [mark]),
  ].join(', ');
}
