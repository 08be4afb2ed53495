/** What differs between two versions, as marks on the graphs of both. */
import type { Mark } from '../graph/graph.tsx';
import type { Json } from '../api/shapes.ts';

export interface PlanDiff {
  readonly differences: readonly Difference[];
  readonly renames: readonly { readonly from: string; readonly to: string; readonly why: string }[];
  readonly mapping: Readonly<Record<string, string>>;
}

export type Impact = 'safe' | 'later' | 'mapping';

export interface Difference {
  readonly code: string;
  readonly node: string | null;
  readonly message: string;
  readonly impact: Impact;
  readonly path?: string;
  readonly was?: Json;
  readonly is?: Json;
}

export interface DiffMarks {
  readonly from: ReadonlyMap<string, Mark>;
  readonly to: ReadonlyMap<string, Mark>;
}

/** Differences go by the names of the newer plan; the older one has its own. */
export function diffMarks({ differences, renames }: PlanDiff): DiffMarks {
  const from = new Map<string, Mark>();
  const to = new Map<string, Mark>();
  const older = new Map(renames.map((rename) => [rename.to, rename.from]));
  for (const { code, node } of differences) {
    if (node === null) continue;
    if (code === 'node.added') to.set(node, 'added');
    else if (code === 'node.removed') from.set(node, 'removed');
    else {
      to.set(node, 'changed');
      from.set(older.get(node) ?? node, 'changed');
    }
  }
  return { from, to };
}

interface Meaning {
  readonly title: string;
  readonly words: string;
  readonly tone: string;
}

export const IMPACTS: Readonly<Record<Impact, Meaning>> = {
  mapping: {
    title: 'Breaks what stands there',
    words: 'An instance that stands at such a place cannot go over unless it is mapped to another.',
    tone: 'bad',
  },
  later: {
    title: 'Changes what comes after',
    words: 'An instance that goes over goes on otherwise from there; where it stands stays.',
    tone: 'warn',
  },
  safe: {
    title: 'Changes nothing that runs',
    words: 'Instances that go over do not notice.',
    tone: 'ok',
  },
};

export const IMPACT_ORDER: readonly Impact[] = ['mapping', 'later', 'safe'];
