/**
 * The laws of going back in time, on a run that is otherwise undisturbed.
 *
 * What a run comes to does not depend on the order of answers, so it must not depend on how often
 * someone goes back either. Whoever reruns it from a node, in place or as a copy, while it runs or
 * when it is over, comes to the same end; and what was visited up to the point gone back to, and
 * what is visited after it, are together what one run visits: nothing twice, nothing left out.
 * The same holds for a run that fails somewhere, is revived, and does not fail again.
 */
import { EngineError } from '../base/engine-error.ts';
import { fold } from '../kernel/fold.ts';
import { emptyInstance, type Instance, rowsOf } from '../kernel/instance.ts';
import { checkInvariants } from '../kernel/invariants.ts';
import type { Machine } from '../kernel/machine.ts';
import { arrivalAt, failureIn, type Spell } from '../kernel/spells.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant, NodeId } from '../model/ids.ts';
import type { Input, Past } from '../model/input.ts';
import { type Archive, pastToRevive, WayBack } from '../runtime/pasts.ts';
import { type Ending, obey, obeySame, plainEnding } from './laws-ending.ts';
import { endingOf, INPUT, type Quick, quickAnswer, STRIDES_MAX, visitsIn } from './laws-quick.ts';
import { PLANNED_FAILURE } from './random-case.ts';

/** One instance in memory: its state, and how it came to that. */
export class Life {
  readonly machine: Machine;
  readonly #quick: Quick;
  instance: Instance;
  readonly history: HistoryRow[] = [];
  #answers = 0;
  /** Which answer is a failure; null if none is. */
  failAt: number | null = null;

  constructor(machine: Machine, quick: Quick, name: string) {
    this.machine = machine;
    this.#quick = quick;
    this.instance = emptyInstance(name as InstanceId);
  }

  static begun(machine: Machine, quick: Quick, failAt: number | null = null): Life {
    const life = new Life(machine, quick, machine.plan.name);
    life.failAt = failAt;
    life.enter({ type: 'start', at: 0 as Instant, birth: life.birth });
    return life;
  }

  get birth(): Extract<Input, { type: 'start' }>['birth'] {
    const { name: flow, version: flowVersion } = this.machine.plan;
    return { id: this.instance.head.id, flow, flowVersion, input: INPUT, key: 'order-1' };
  }

  /** Another one that has lived the same until now. */
  twin(commits: number = this.history.length): Life {
    const twin = new Life(this.machine, this.#quick, this.instance.head.id);
    twin.history.push(...this.history.slice(0, commits));
    const isAll = commits === this.history.length;
    twin.instance = isAll ? this.instance : fold(this.instance.head.id, twin.history);
    return twin;
  }

  enter(input: Input): void {
    const { after, changes, refused } = this.#quick.advance(this.machine, this.instance, input);
    obey('pasts', refused === undefined, () => `${input.type} is refused: ${refused?.message}`);
    obey('pasts', changes.length > 0, () => `${input.type} leaves no trace`);
    this.instance = after;
    const n = after.head.version;
    this.history.push({ n, at: input.at, commitId: `c${n}`, changes });
    const broken = checkInvariants(after);
    obey('invariants', broken.length === 0, () => JSON.stringify(broken));
  }

  /** Answers until nothing is waited for any more, or so often. */
  play(times: number = STRIDES_MAX): void {
    for (let strides = 0; strides < times; strides += 1) {
      const input = this.#next();
      if (input === undefined) return;
      this.enter(input);
    }
    obey('ends', times < STRIDES_MAX, () => `more than ${STRIDES_MAX} strides`);
  }

  #next(): Input | undefined {
    const input = quickAnswer(this.instance, this.#quick);
    if (input === undefined || !FAILING.has(input.type)) return input;
    this.#answers += 1;
    return this.#answers - 1 === this.failAt ? failed(input, this.machine) : input;
  }

  /** How it stands, with what was visited since a commit; as a whole if none is named. */
  ending(after: number = 0): Ending {
    const changes = this.history.slice(after).flatMap((row) => row.changes);
    return endingOf(this.instance, this.machine, visitsIn(changes));
  }

  get archive(): Archive {
    const { history, instance } = this;
    return {
      history: async ({ after, limit }) => history.slice(after, after + limit),
      snapshot: async () => undefined,
      now: () => instance.head.updatedAt,
    };
  }

  check(): void {
    const broken = checkInvariants(this.instance, this.history);
    obey('invariants', broken.length === 0, () => JSON.stringify(broken));
    const folded = rowsOf(fold(this.instance.head.id, this.history));
    obeySame('fold', 'history folds to another state', folded, rowsOf(this.instance));
  }
}

/** What may be a failure as well as an answer. */
const FAILING: ReadonlySet<Input['type']> = new Set(['result', 'continue', 'child']);

const PLANNED: ReadonlySet<string> = new Set([PLANNED_FAILURE, 'LEASE_EXPIRED']);

/** Where no lease may run out, one that does is what fails. */
function failed(input: Input, { limits }: Machine): Input {
  const fault = { code: PLANNED_FAILURE, message: 'as planned', fatal: true } as const;
  if (input.type === 'child') {
    return { ...input, answer: { status: 'failed', fault: { ...fault, node: null } } };
  }
  if (input.type !== 'result' && input.type !== 'continue') return input;
  const { at, token, claim } = input;
  if (limits.CRASHES_MAX === 0) return { type: 'expire', at, token, claim };
  return input.type === 'result' ? { ...input, outcome: { outcome: 'failed', fault } } : input;
}

/** What was visited up to a place in a history. */
function visitsUpTo(history: readonly HistoryRow[], { n, index }: Spell): Map<string, number> {
  const before = history.slice(0, n - 1).flatMap(({ changes }) => changes);
  return visitsIn([...before, ...(history[n - 1]?.changes.slice(0, index) ?? [])]);
}

/** Every node an instance has come to. */
function nodesOf(life: Life): readonly NodeId[] {
  const births = life.history.flatMap(({ changes }) => changes);
  const nodes = births.flatMap((change) => {
    const isForward = change.did === 'birth-token' && change.token.mode !== 'compensation';
    return isForward ? [change.token.node] : [];
  });
  return [...new Set(nodes)];
}

/** Back to a node, in place; null if it is refused. */
async function rerun(life: Life, node: NodeId): Promise<Life | null> {
  const { archive, machine, instance } = life;
  const past = new WayBack(archive, machine, node).past(instance);
  return restored(life, await orRefused(past));
}

/** The same as a new instance. */
async function copied(life: Life, node: NodeId, quick: Quick): Promise<Life | null> {
  const { archive, machine, instance } = life;
  const past = await orRefused(new WayBack(archive, machine, node).past(instance));
  if (past === null) return null;
  const copy = new Life(life.machine, quick, 'copy');
  const rows = { ...past.rows, undos: [] };
  const { updatedAt: at } = life.instance.head;
  copy.enter({ type: 'copy', at, birth: copy.birth, past: { ...past, rows, doubts: [] } });
  return copy;
}

async function revived(life: Life): Promise<Life | null> {
  const { archive, machine, instance } = life;
  return restored(life, await orRefused(pastToRevive(archive, machine, instance.head)));
}

function restored(life: Life, past: Past | null): Life | null {
  if (past === null) return null;
  const back = life.twin();
  const { version: seen, updatedAt: at } = life.instance.head;
  back.enter({ type: 'restore', at, seen, past });
  return back;
}

async function orRefused(past: Promise<Past>): Promise<Past | null> {
  try {
    return await past;
  } catch (thrown) {
    if (thrown instanceof EngineError && thrown.code === 'operation.refused') return null;
    throw thrown;
  }
}

/** From every node it has come to, as far as it is; how many of them were not refused. */
export async function checkReruns(life: Life, whole: Ending, quick: Quick): Promise<number> {
  let count = 0;
  for (const node of nodesOf(life)) {
    const told = `from ${node}, after ${life.history.length} commits`;
    const spell = arrivalAt(life.machine, life.history, node);
    const back = await rerun(life, node);
    if (back === null || spell === null) continue;
    const from = life.history.length;
    back.play();
    back.check();
    checkSum(told, visitsUpTo(life.history, spell), back.ending(from), whole);
    const copy = await copied(life, node, quick);
    if (copy === null) continue;
    copy.play();
    copy.check();
    checkSum(`as a copy ${told}`, visitsUpTo(life.history, spell), copy.ending(), whole);
    count += 1;
  }
  return count;
}

/** It failed by a plan, and does not fail again. False if it cannot be revived, or did not. */
export async function checkRevival(life: Life, whole: Ending): Promise<boolean> {
  // What was caught on the way has led it elsewhere.
  if (!PLANNED.has(life.instance.head.fault?.code ?? '')) return false;
  const failure = failureIn(life.history);
  const back = await revived(life);
  if (back === null) return false;
  obey('revive', failure !== null, () => 'it is revived and did not fail');
  if (failure === null) return false;
  const from = life.history.length;
  back.play();
  back.check();
  // A region that was a saga of its own is run again as a whole, so its visits do not add up.
  const inner = life.history.some(({ changes }) => changes.some(({ did }) => did === 'end-saga'));
  const before = visitsUpTo(life.history, failure);
  const end = back.ending(from);
  if (!inner) checkSum('when it is revived', before, end, whole);
  else obeySame('revive', 'revived, it comes to another end', saidBy(end), saidBy(whole));
  return true;
}

/** An ending without what was visited. */
function saidBy(end: Ending): unknown {
  return plainEnding({ ...end, visits: new Map() });
}

function checkSum(
  told: string,
  before: ReadonlyMap<string, number>,
  end: Ending,
  whole: Ending,
): void {
  obeySame('pasts', `${told} it comes to another end`, saidBy(end), saidBy(whole));
  const { visits } = end;
  const { visits: all } = whole;
  const sums = Object.fromEntries(
    [...all.keys(), ...visits.keys()].map((node) => {
      return [node, (before.get(node) ?? 0) + (visits.get(node) ?? 0)];
    }),
  );
  obeySame('pasts', `${told} it visits otherwise`, sums, Object.fromEntries(all));
}
