/**
 * The laws, as one question: does this case keep them?
 *
 * A case is played once with everything it has (see `laws-player.ts`). A structured one that must
 * not depend on order is played again, quickly, in every order, and worked out by the oracle: all
 * of them must come to the same.
 */
import { advance } from '../kernel/advance.ts';
import type { Kinds } from '../kernel/kind.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { NodeId } from '../model/ids.ts';
import { kinds } from '../nodes/index.ts';
import { memory } from '../stores/memory/memory.ts';
import type { Shelf } from './laws-desk.ts';
import { type Ending, LawBroken, obey, obeySame, plainEnding } from './laws-ending.ts';
import { expectedOf } from './laws-oracle.ts';
import { Player } from './laws-player.ts';
import { INPUT, lawMachine, playQuickly } from './laws-quick.ts';
import type { Advance } from './laws-stride.ts';
import {
  type Case,
  drawingOf,
  isOrderly,
  isOrderlyAsPlayed,
  ORDERS,
  plannedFaults,
} from './random-case.ts';

/** What a case is tried against; a test may hand in something broken. */
export interface Trial {
  readonly advance: Advance;
  readonly kinds: Kinds;
  readonly openShelf: () => Shelf;
}

export const TRIAL: Trial = { advance, kinds, openShelf: () => memoryShelf() };

export function memoryShelf(): Shelf {
  const clock = { now: 0 };
  return { store: memory({ clock: () => clock.now }), clock, touchedBy };
}

/** A broken law, and the story up to where it broke. */
export interface Breach {
  readonly law: string;
  readonly message: string;
  readonly story: readonly string[];
}

/** What a case came to, or how it broke a law. */
export type Verdict =
  | { readonly kept: true; readonly ending: Ending; readonly player: Player }
  | { readonly kept: false; readonly breach: Breach };

let runs = 0;

export async function tryCase(one: Case, trial: Trial = TRIAL): Promise<Verdict> {
  // Runs may share a store, and no two may share a flow or an instance.
  runs += 1;
  const name = `law-${one.seed}-${runs}`;
  let player: Player | undefined;
  try {
    player = new Player(one, { ...trial, shelf: trial.openShelf() }, name);
    const ending = await player.play();
    checkEnding(one, player, ending);
    if (isOrderly(one)) checkOrders(one, trial, name, ending);
    return { kept: true, ending, player };
  } catch (thrown) {
    return { kept: false, breach: breachOf(thrown, player?.story ?? []) };
  }
}

/** Whatever is thrown breaks a law: the kernel's own assertions are laws too. */
function breachOf(thrown: unknown, story: readonly string[]): Breach {
  if (thrown instanceof LawBroken) return { law: thrown.law, message: thrown.message, story };
  const { name, message, stack } =
    thrown instanceof Error ? thrown : { name: 'thrown', message: String(thrown), stack: '' };
  const place = stack?.split('\n').find((line) => line.includes('/src/')) ?? '';
  return { law: name, message: `${message} ${place.trim()}`, story };
}

/** A run completes, fails as planned or, if its graph allows it, stalls. */
function checkEnding(one: Case, player: Player, { status, fault }: Ending): void {
  switch (status) {
    case 'completed':
      return;
    case 'failed':
      obey('planned', plannedFaults(one).has(fault ?? ''), () => `it fails with ${fault}`);
      return checkUncaught(player);
    case 'canceled':
      obey('ends', player.wasCanceled, () => 'nobody canceled it');
      return;
    case 'stalled':
      obey('stalls', one.shape.family === 'unstructured', () => 'a structured flow stalls');
      return checkStall(player);
    default:
      obey('ends', false, () => `it ends ${status}`);
  }
}

/** A fault that some try around it surely catches never fails the instance. */
function checkUncaught({ machine, instance }: Player): void {
  const { nodes } = machine.plan;
  const { code, node } = instance.head.fault ?? { code: '', node: null };
  for (let at = node === null ? null : nodes.get(node)?.parent; at; at = nodes.get(at)?.parent) {
    const around = nodes.get(at);
    if (around?.kind === 'item') {
      const { settles } = around.config as { readonly settles?: true };
      obey('caught', settles !== true, () => `it fails with ${code} of ${node}, which ${at} keeps`);
    }
    if (around?.kind !== 'try') continue;
    const { caught, errors, asks } = around.config as TryConfig;
    const sure = caught !== undefined && asks === undefined && (errors?.includes(code) ?? true);
    // A closure that is asked whether to try again may go wrong, and that is another fault.
    obey('caught', !sure, () => `it fails with ${code} of ${node}, which ${at} catches`);
  }
}

interface TryConfig {
  readonly caught?: string;
  readonly errors?: readonly string[];
  readonly asks?: true;
}

/**
 * Stalled, by the plainest reading of the second book: everyone who lives waits at a join or for a
 * scope, and each of these joins lacks somebody who will never come. It must name exactly those.
 */
function checkStall({ ledger, instance, machine }: Player): void {
  const living = [...ledger.living.values()];
  const idle = living.every(({ on }) => on !== null && IDLE.has(on));
  obey('stalls', idle, () => 'it is stalled and somebody can still move');
  const waiting = living.filter(({ on, isBlock }) => on !== 'scope' && !isBlock);
  obey('stalls', waiting.length > 0, () => 'it is stalled and no join waits');
  const joins = waiting.map(({ scope, node, groups, on }) => {
    const isStrict = machine.plan.nodes.get(node as NodeId)?.merge === 'convergeStrict';
    const isGrouped = on === 'join' || (on === 'merge' && !isStrict);
    return `${scope} ${node} ${isGrouped ? (groups.at(-1) ?? null) : null}`;
  });
  const named = instance.head.stalled?.joins.map(
    (join) => `${join.scope} ${join.node} ${join.group}`,
  );
  const found = [...new Set(joins)].sort().join('; ');
  obeySame('stalls', 'the stalled joins', (named ?? []).sort().join('; '), found);
}

/** Waits that nothing but others of the same instance can end. */
const IDLE: ReadonlySet<string> = new Set(['join', 'inclusive', 'merge', 'scope']);

/** Neither the order of answers nor a crash nor a rest may change what a structured flow does. */
function checkOrders(one: Case, trial: Trial, name: string, ending: Ending): void {
  if (one.shape.family !== 'structured') return;
  const drawing = drawingOf(one, name);
  const { seed, habits } = one;
  const { failures } = habits;
  const expected = plainEnding(expectedOf(one.shape.row, drawing, { seed, failures }, INPUT));
  if (isOrderlyAsPlayed(one)) {
    const what = 'it came to something else than the oracle says';
    obeySame('oracle', what, plainEnding(ending), expected);
  }
  const machine = lawMachine(drawing, trial.kinds);
  for (const order of ORDERS) {
    const quick = { seed, order, failures, advance: trial.advance };
    const found = plainEnding(playQuickly(machine, quick));
    obeySame('order', `in ${order} order it came to something else`, found, expected);
  }
}
