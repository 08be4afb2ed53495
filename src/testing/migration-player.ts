/**
 * Plays a case up to a point, moves it to another version of its definition, and plays that to its
 * end; somebody may suspend it, skip or retry a token of it just before that or just after. Every
 * stride is committed to a store and read back before the next, as after a crash; what is read must
 * be what the kernel had, and history must fold to it.
 */
import { mappingFor, diffPlans } from '../compile/diff.ts';
import type { Outcome } from '../kernel/advance.ts';
import {
  assemble,
  emptyInstance,
  type Instance,
  isLive,
  rowsOf,
  tokenOf,
} from '../kernel/instance.ts';
import { checkInvariants } from '../kernel/invariants.ts';
import type { Machine } from '../kernel/machine.ts';
import { migrate } from '../kernel/migrate.ts';
import type { Reason } from '../kernel/standing.ts';
import { touchedBy } from '../kernel/touched.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import { kinds } from '../nodes/index.ts';
import { memoryShelf, TRIAL } from './laws.ts';
import { type Answer, answersOf, calledBy, messageTo, nextOf, valueFor } from './laws-answers.ts';
import { nextAsk } from './laws-asks.ts';
import type { Shelf } from './laws-desk.ts';
import { obey, obeySame } from './laws-ending.ts';
import { childAnswer, outcomeOf, remedyFor } from './laws-failures.ts';
import { MapBook } from './laws-maps.ts';
import { PeopleBook } from './laws-people.ts';
import { Projection } from './laws-projection.ts';
import { INPUT, lawMachine, STRIDES_MAX } from './laws-quick.ts';
import { type Case, drawingOf } from './random-case.ts';
import { misfits } from './plan-fit.ts';
import { luck, lucky } from './random-luck.ts';
import { show } from './show.ts';

/** The whole audit, history included, costs most. */
const AUDIT_EVERY = 16;

export interface Crossed {
  readonly came: 'migrated' | 'refused' | 'over';
  readonly reasons: readonly Reason[];
  readonly status: string;
}

export class MigrationPlayer {
  readonly #case: Case;
  readonly #shelf: Shelf = memoryShelf();
  readonly #versions: readonly [Machine, Machine];
  readonly #history: HistoryRow[] = [];
  readonly #mended = new Map<number, number>();
  readonly #tasks = new Projection();
  readonly #people = new PeopleBook();
  readonly #maps: MapBook;
  #machine: Machine;
  #instance: Instance;
  #isDry = false;
  readonly story: string[] = [];

  /** `next` is the same case with another definition. */
  constructor(one: Case, next: Case) {
    this.#case = one;
    const { draft, code } = drawingOf(next, 'flow');
    const drawing = { draft: { ...draft, version: 2 }, ...(code && { code }) };
    const first = lawMachine(drawingOf(one, 'flow'), kinds, one.habits);
    this.#versions = [first, lawMachine(drawing, kinds, one.habits)];
    this.#machine = first;
    this.#maps = new MapBook(first, one.trapped);
    this.#instance = emptyInstance('i1' as InstanceId);
  }

  /** How many strides it takes without any of this, straight through the kernel. */
  async length(): Promise<number> {
    this.#isDry = true;
    return this.#begin(STRIDES_MAX);
  }

  async #begin(most: number): Promise<number> {
    const { name: flow, version: flowVersion } = this.#machine.plan;
    const { id } = this.#instance.head;
    const birth = { id, flow, flowVersion, input: INPUT, key: 'order-1' };
    await this.#stride({ type: 'start', at: this.#now, birth });
    let strides = 1;
    for (; strides < most && this.#isOpen; strides += 1) await this.#answer();
    return strides;
  }

  /** Migrates after so many strides, by the mapping that the difference of the two suggests. */
  async play(after: number): Promise<Crossed> {
    await this.#begin(after);
    await this.#meddle('before');
    const crossed = await this.#migrate();
    await this.#meddle('after');
    if (this.#instance.head.status === 'suspended') {
      await this.#stride({ type: 'resume', at: this.#now });
    }
    for (let strides = 0; this.#isOpen && crossed.came === 'migrated'; strides += 1) {
      obey('ends', strides <= STRIDES_MAX, () => `more than ${STRIDES_MAX} strides`);
      await this.#answer();
    }
    this.#audit();
    const { status, stalled } = this.#instance.head;
    return { ...crossed, status: stalled === null ? status : 'stalled' };
  }

  get #isOpen(): boolean {
    const { endedAt, stalled } = this.#instance.head;
    return endedAt === null && stalled === null;
  }

  get #now(): Instant {
    return this.#shelf.clock.now as Instant;
  }

  /** Somebody does something to it, or tries to: what is refused leaves no trace. */
  async #meddle(when: 'before' | 'after'): Promise<void> {
    const { seed } = this.#case;
    const live = this.#instance.tokens.values().filter(isLive);
    if (this.#instance.head.endedAt !== null || live.length === 0) return;
    this.#shelf.clock.now += 1;
    const told = { at: this.#now, token: lucky(live, seed, 'meddled', when).id };
    const inputs: readonly (Input | null)[] = [
      ...[null, null, { type: 'suspend', at: this.#now } as const],
      ...[{ type: 'skip', value: null, ...told } as const, { type: 'retry', ...told } as const],
    ];
    const input = lucky(inputs, seed, 'meddle', when);
    if (input === null) return;
    const outcome = TRIAL.advance(this.#machine, this.#instance, input);
    this.story.push(`-- ${input.type}`, show(outcome));
    if (outcome.changes.length > 0) await this.#commit(outcome);
  }

  async #migrate(): Promise<Omit<Crossed, 'status'>> {
    const [from, to] = this.#versions;
    if (this.#instance.head.endedAt !== null) return { came: 'over', reasons: [] };
    const { mapping } = diffPlans(from.plan, to.plan);
    const nodes = mappingFor(from.plan, to.plan, mapping);
    const before = rowsOf(this.#instance);
    const copy = structuredClone(before);
    this.#shelf.clock.now += 1;
    const input = { at: this.#now, from: from.plan.hash, nodes };
    const outcome = migrate(from, to, this.#instance, input);
    this.story.push(`-- migrate ${JSON.stringify(nodes)}`, show(outcome));
    obeySame('untouched', 'the given instance was altered', rowsOf(this.#instance), copy);
    const again = migrate(from, to, this.#instance, input);
    obeySame('pure', 'the same arguments gave another stride', again.changes, outcome.changes);
    const { refused } = outcome;
    if (refused !== undefined) {
      const reasons = refused.details['reasons'] as readonly Reason[];
      obey('refused', reasons.length > 0, () => 'it is refused for no reason');
      const isSame = outcome.after === this.#instance && outcome.changes.length === 0;
      obey('refused', isSame, () => 'what was refused left a trace');
      return { came: 'refused', reasons };
    }
    this.#maps.cross(to);
    if (from.plan.hash !== to.plan.hash) await this.#commit(outcome);
    this.#machine = to;
    this.#audit();
    return { came: 'migrated', reasons: [] };
  }

  async #stride(input: Input, machine: Machine = this.#machine): Promise<void> {
    const outcome = TRIAL.advance(machine, this.#instance, input);
    if (!this.#isDry) this.story.push(`-- ${input.type}`, show(outcome));
    obey('answered', outcome.changes.length > 0, () => `${input.type} leaves no trace`);
    await this.#commit(outcome);
  }

  /** Then the crash: the next stride begins with what the store gives back. */
  async #commit(outcome: Outcome): Promise<void> {
    if (this.#isDry) {
      this.#instance = outcome.after;
      return;
    }
    const { store } = this.#shelf;
    const touched = touchedBy(this.#instance, outcome);
    this.#tasks.enter(touched, outcome.after);
    this.#people.enter(outcome.changes, outcome.after);
    this.#maps.enter(outcome.changes, outcome.after);
    const n = touched.head.version;
    const whole = { commitId: `c${n}`, expected: n - 1, touched };
    const commit = { ...whole, fence: null, message: null, snapshot: null, take: null };
    const [committed] = await store.commit([commit]);
    obey('commit', committed?.outcome === 'committed', () => `it is ${committed?.outcome}`);
    const { id } = this.#instance.head;
    const [rows] = await store.load([id]);
    if (rows === undefined) return obey('durable', false, () => 'the instance is gone');
    this.#instance = assemble(rows);
    const [kept, expected] = [rowsOf(this.#instance), rowsOf(outcome.after)];
    obeySame('durable', 'the store gave back another state', kept, expected);
    this.#history.push({ n, at: this.#now, commitId: `c${n}`, changes: outcome.changes });
    const [, to] = this.#versions;
    const isOther = this.#instance.head.plan === to.plan.hash;
    const found = misfits(isOther ? to : this.#versions[0], this.#instance);
    obey('fits', found.length === 0, () => found.join('; '));
    if (n % AUDIT_EVERY === 0) this.#audit();
  }

  #audit(): void {
    const broken = checkInvariants(this.#instance, this.#history);
    obey('invariants', broken.length === 0, () => JSON.stringify(broken));
  }

  async #answer(): Promise<void> {
    const { seed, habits } = this.#case;
    const answer = nextOf(answersOf(this.#instance, seed), habits.order, seed);
    if (answer === undefined) return obey('stuck', false, () => 'nothing can be answered');
    const { clock } = this.#shelf;
    const { availableAt, wakeAt } = tokenOf(this.#instance, answer.token);
    clock.now = Math.max(clock.now + 1, availableAt, answer.type === 'time' ? (wakeAt ?? 0) : 0);
    await this.#stride(this.#inputFor(answer), this.#waker(answer));
  }

  /** Some wakes happen where the closures are not. */
  #waker({ type, node, path }: Answer): Machine {
    const { seed, habits } = this.#case;
    const wakes = type !== 'result' && type !== 'continue' && habits.wakeOnly;
    const lacks = wakes && luck(2, seed, 'wakes', node, path) === 0;
    return lacks ? { ...this.#machine, code: null } : this.#machine;
  }

  #inputFor(answer: Answer): Input {
    const { type, token: id, node, path } = answer;
    const { seed, habits } = this.#case;
    const token = tokenOf(this.#instance, id);
    const told = { at: this.#now, token: id };
    const claim = { worker: 'w1', version: 1, at: this.#now };
    switch (type) {
      case 'continue':
        return { type, ...told, claim };
      case 'result': {
        const outcome = outcomeOf(this.#instance, token, path, { seed, failures: habits.failures });
        return { type, ...told, claim, outcome };
      }
      case 'time':
        return { type, ...told };
      case 'child': {
        const answered = childAnswer({ node, path, seed }, habits.failures);
        return { type, ...told, from: calledBy(token), answer: answered };
      }
      case 'message': {
        const wanted = messageTo(token.wait, answer, seed) ?? { type: '', key: '' };
        const data = valueFor(node, path, seed);
        return { type, ...told, message: { id: 'm', type: wanted.type, key: wanted.key, data } };
      }
      case 'task': {
        const ask = nextAsk(token, { node, path, seed });
        if (ask === null) throw new Error('time is let run out');
        return { type, ...told, ask };
      }
      case 'incident':
        return this.#remedy(answer);
    }
  }

  #remedy({ token: id, node, path }: Answer): Input {
    const { seed } = this.#case;
    const times = this.#mended.get(id) ?? 0;
    this.#mended.set(id, times + 1);
    const remedy = remedyFor(tokenOf(this.#instance, id), times, seed);
    const at = this.#now;
    if (remedy === 'cancel') {
      // What is being undone already is not undone again, only stopped.
      const isRunning = this.#instance.head.status === 'running';
      return { type: 'cancel', at, saga: isRunning && luck(2, seed, 'mend', node) === 0 };
    }
    if (remedy === 'retry') return { type: 'retry', at, token: id };
    return { type: 'skip', at, token: id, value: valueFor(node, path, seed) };
  }
}
