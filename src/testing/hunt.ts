/**
 * Hunting a planted bug: seeds are tried until one breaks a law, and what is left of it must be
 * small enough to read.
 */
import { expect } from 'vitest';
import { advance, type Outcome } from '../kernel/advance.ts';
import { apply, seal } from '../kernel/apply.ts';
import { type Instance, scratchOf } from '../kernel/instance.ts';
import type { Kinds, NodeKind } from '../kernel/kind.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Change } from '../model/change.ts';
import type { Input } from '../model/input.ts';
import { kinds } from '../nodes/index.ts';
import { TRIAL, type Trial } from './laws.ts';
import { type Finding, findBreach, tellFinding } from './laws-report.ts';
import { type Case, caseOf, drawingOf } from './random-case.ts';

/** Within so many seeds a planted bug is found. */
const SEEDS_MAX = 5_000;
/** What a person reads at a glance; the hidden nodes of a builder region included. */
const NODES_SMALL = 15;

/** Tries seeds until one breaks a law; only such cases, if it is said which. */
export async function hunt(
  trial: Trial,
  among: (one: Case) => boolean = () => true,
): Promise<Finding> {
  for (let seed = 1; seed <= SEEDS_MAX; seed += 1) {
    if (!among(caseOf(seed))) continue;
    const finding = await findBreach(seed, trial);
    if (finding === undefined) continue;
    const { nodes } = drawingOf(finding.least, 'least').draft;
    expect(nodes.length, tellFinding(finding)).toBeLessThanOrEqual(NODES_SMALL);
    return finding;
  }
  return expect.fail(`${SEEDS_MAX} seeds keep the laws, bug and all`);
}

export function kindNamed(name: string): NodeKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`there is no kind "${name}"`);
  return kind;
}

export function withKind(kind: NodeKind): Kinds {
  return new Map([...kinds, [kind.kind, kind]]);
}

/** A stride as a bug would have it: other changes, and the state those lead to. */
export interface Stridden extends Outcome {
  readonly before: Instance;
  readonly machine: Machine;
}

type Altered = Pick<Outcome, 'changes'> & Partial<Pick<Outcome, 'hints'>>;

/** A kernel that does something else now and then; undefined leaves a stride as it is. */
export function bugged(alter: (stride: Stridden) => Altered | undefined): Trial {
  const broken = (machine: Machine, before: Instance, input: Input): Outcome => {
    const stride = advance(machine, before, input);
    if (stride.changes.length === 0) return stride;
    const altered = alter({ ...stride, before, machine });
    if (altered === undefined) return stride;
    const scratch = scratchOf(before);
    for (const change of altered.changes) apply(scratch, change, input.at);
    seal(scratch, stride.after.head.version, input.at);
    return { hints: stride.hints, ...altered, after: scratch };
  };
  return { ...TRIAL, advance: broken };
}

export type Did<What extends Change['did']> = Extract<Change, { did: What }>;

/** The first change of a kind, if there is one that fits. */
export function firstOf<What extends Change['did']>(
  changes: readonly Change[],
  did: What,
  fits: (change: Did<What>) => boolean = () => true,
): Did<What> | undefined {
  return changes.find((change): change is Did<What> => {
    return change.did === did && fits(change as Did<What>);
  });
}

/** The changes with others in the place of one. */
export function replaced(
  changes: readonly Change[],
  one: Change,
  others: readonly Change[],
): readonly Change[] {
  return changes.flatMap((change) => (change === one ? others : [change]));
}
