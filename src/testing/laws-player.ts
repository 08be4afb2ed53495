/**
 * Plays one case from start to end and holds every stride to the laws.
 *
 * Two twins run in step. The smooth one stays in memory from stride to stride; the crashing one is
 * read back from the store before each. Both get the same answers, so after every commit and at the
 * end they must be the same. Around the answers come those that nobody waits for.
 */
import { emptyInstance, type Instance, rowsOf, tokenOf } from '../kernel/instance.ts';
import { fold } from '../kernel/fold.ts';
import { checkInvariants } from '../kernel/invariants.ts';
import type { Kinds } from '../kernel/kind.ts';
import type { Machine } from '../kernel/machine.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input, Outcome } from '../model/input.ts';
import type { Claim } from '../stores/store.ts';
import { type Answer, answersOf, nextOf, setsFor, valueFor } from './laws-answers.ts';
import { Desk, type Errand, type Shelf } from './laws-desk.ts';
import { type Ending, obey, obeySame } from './laws-ending.ts';
import { Ledger } from './laws-ledger.ts';
import { endingOf, INPUT, lawMachine, STRIDES_MAX } from './laws-quick.ts';
import { straysFor } from './laws-strays.ts';
import { checkedStride, checkStray } from './laws-stride.ts';
import { type Case, drawingOf, PLANNED_FAILURE } from './random-case.ts';
import { luck } from './random-luck.ts';
import { show } from './show.ts';

/** Up to here a run folds its whole history after every commit; longer ones now and then. */
const FOLD_ALWAYS = 32;
/** The whole audit, history included, costs most: it is made this often, and at the end. */
const AUDIT_EVERY = 8;

/** The kinds a run goes by, and what its crashing twin is kept in. */
export interface World {
  readonly kinds: Kinds;
  readonly shelf: Shelf;
}

export class Player {
  readonly #case: Case;
  readonly #world: World;
  readonly machine: Machine;
  readonly #desk: Desk;
  readonly ledger: Ledger;
  readonly history: HistoryRow[] = [];
  readonly #told: (() => string)[] = [];
  instance: Instance;
  #results = 0;
  #strides = 0;

  constructor(one: Case, world: World, name: string) {
    this.#case = one;
    this.#world = world;
    const drawing = drawingOf(one, name);
    this.machine = lawMachine(drawing, world.kinds, one.habits.movesPerCommit);
    const id = name as InstanceId;
    this.#desk = new Desk(world.shelf, this.machine, id);
    this.ledger = new Ledger(this.machine.plan);
    this.instance = emptyInstance(id);
  }

  async play(): Promise<Ending> {
    const { name: flow, version: flowVersion } = this.machine.plan;
    const birth = { id: this.instance.head.id, flow, flowVersion, input: INPUT, key: 'order-1' };
    await this.#commit({ ...this.#errand(), input: { type: 'start', at: this.#now, birth } });
    while (this.#isOpen) {
      await this.#playStrays();
      await this.#answer();
    }
    await this.#playStrays();
    await this.#desk.checkAtRest();
    await this.#checkHistory();
    return endingOf(this.instance, this.machine, this.ledger.visits);
  }

  /** Each input and what came of it, as text. */
  get story(): readonly string[] {
    return this.#told.map((tell) => tell());
  }

  get #isOpen(): boolean {
    const { status, stalled } = this.instance.head;
    return status === 'running' && stalled === null;
  }

  get #now(): Instant {
    return this.#world.shelf.clock.now as Instant;
  }

  async #answer(): Promise<void> {
    const { seed, habits } = this.#case;
    const answers = answersOf(this.instance, seed);
    const answer = nextOf(answers, habits.order, seed);
    obey('stuck', answer !== undefined, () => 'the instance is open and nothing can be answered');
    if (answer === undefined) return;
    this.#world.shelf.clock.now += 1;
    switch (answer.type) {
      case 'result':
      case 'continue':
        return this.#isLeaseOver(answer) ? this.#expire(answer) : this.#giveClaimed(answer);
      case 'time':
        return this.#giveTime(answer);
      case 'message':
        return this.#giveMessage(answer);
    }
  }

  #isLeaseOver({ token, node, path }: Answer): boolean {
    const { crashes } = tokenOf(this.instance, token);
    const { seed, habits } = this.#case;
    return habits.leases && crashes < 2 && luck(3, seed, 'lease', node, path, crashes) === 0;
  }

  async #expire({ token }: Answer): Promise<void> {
    const claim = await this.#desk.expire(token);
    const input: Input = { type: 'expire', at: this.#now, token, claim: factOf(claim) };
    await this.#commit({ ...this.#errand(), input, claim });
  }

  async #giveClaimed({ type, token, node, path }: Answer): Promise<void> {
    const claim = this.#desk.claimOf(token);
    const told = { at: this.#now, token, claim: factOf(claim) };
    const { handOver } = this.#case.habits;
    const input: Input =
      type === 'continue'
        ? { type, ...told }
        : { type: 'result', ...told, outcome: this.#outcomeOf(node, path) };
    await this.#commit({ ...this.#errand(), input, claim, handOver });
  }

  #outcomeOf(node: string, path: string): Outcome {
    const { seed, habits } = this.#case;
    this.#results += 1;
    if (this.#results - 1 === habits.failAt) {
      return { outcome: 'failed', fault: { code: PLANNED_FAILURE, message: 'as planned' } };
    }
    const sets = setsFor(node, path, seed);
    return {
      outcome: 'done',
      value: valueFor(node, path, seed),
      ...(sets.length > 0 ? { sets } : {}),
    };
  }

  async #giveTime({ token, node, path }: Answer): Promise<void> {
    const { clock } = this.#world.shelf;
    clock.now = Math.max(clock.now, tokenOf(this.instance, token).wakeAt ?? 0);
    await this.#desk.checkDue(token);
    const { wait } = tokenOf(this.instance, token);
    const input: Input = { type: 'time', at: this.#now, token };
    await this.#commit({ ...this.#errand(), machine: this.#waker(node, path), input });
    // Who gave up waiting is not sent the message that comes after all.
    if (wait?.on !== 'message') return;
    await this.#desk.checkDelivery(`${this.instance.head.id} late${this.#strides}`, wait);
  }

  async #giveMessage({ token, node, path }: Answer): Promise<void> {
    const { wait } = tokenOf(this.instance, token);
    if (wait?.on !== 'message') return;
    const { type, key } = wait;
    const data = valueFor(node, path, this.#case.seed);
    const message = { id: `${this.instance.head.id} m${this.#strides}`, type, key, data };
    await this.#world.shelf.store.publish({ ...message, ttlMs: 1_000 });
    await this.#desk.checkDelivery(`${message.id} before`, wait);
    const input: Input = { type: 'message', at: this.#now, token, message };
    const machine = this.#waker(node, path);
    await this.#commit({ ...this.#errand(), machine, input, message: message.id });
    await this.#desk.checkDelivered(message.id);
    await this.#desk.checkDelivery(`${message.id} after`, wait);
  }

  /** Some wakes happen where the closures are not: the token becomes ready and no more. */
  #waker(node: string, path: string): Machine {
    const { seed, habits } = this.#case;
    const lacks = habits.wakeOnly && luck(2, seed, 'wakes', node, path) === 0;
    return lacks ? { ...this.machine, code: null } : this.machine;
  }

  #errand(): Omit<Errand, 'input'> {
    return { machine: this.machine, claim: null, message: null, handOver: false };
  }

  async #commit(errand: Errand): Promise<void> {
    const { machine, input } = errand;
    this.#strides += 1;
    obey('ends', this.#strides <= STRIDES_MAX, () => `more than ${STRIDES_MAX} strides`);
    this.#told.push(() => `-- ${tellInput(input)}`);
    const stride = checkedStride(machine, this.instance, input, this.#desk.copy);
    this.#told.push(() => show(stride));
    obey('answered', stride.changes.length > 0, () => `${tellInput(input)} leaves no trace`);
    await this.#desk.commit(errand, stride);

    this.instance = stride.after;
    const n = this.instance.head.version;
    const row = {
      n,
      at: input.at,
      commitId: `${this.instance.head.id}-${n}`,
      changes: stride.changes,
    };
    this.history.push(row);
    this.ledger.enter(stride.changes);
    this.#checkState(n);
  }

  #checkState(n: number): void {
    const audit = n % AUDIT_EVERY === 0;
    const broken = checkInvariants(this.instance, audit ? this.history : null);
    obey('invariants', broken.length === 0, () => JSON.stringify(broken));
    if (n <= FOLD_ALWAYS) {
      const folded = rowsOf(fold(this.instance.head.id, this.history));
      obeySame('fold', 'history folds to another state', folded, rowsOf(this.instance));
    }
    const living = [...this.ledger.living.keys()].sort((a, b) => a - b).join();
    const tokens = rowsOf(this.instance).tokens.map((token) => token.id);
    obey(
      'living',
      living === tokens.join(),
      () => `tokens ${tokens.join()}, history says ${living}`,
    );
  }

  /** Answers nobody waits for: twice, late, too early, to the wrong token. */
  async #playStrays(): Promise<void> {
    const { seed, habits } = this.#case;
    if (!habits.strays) return;
    for (const input of straysFor(this.instance, this.history, this.#now, seed)) {
      checkStray(this.machine, this.instance, input);
    }
    const what = 'a stray altered the instance';
    obeySame('stray', what, rowsOf(this.instance), this.#desk.copy);
    await this.#desk.checkLate();
  }

  /** What the store kept is what was committed, and folds to the state from either end (P9). */
  async #checkHistory(): Promise<void> {
    const rows = await this.#desk.history();
    obeySame('history', 'the store kept another history', rows, this.history);
    const broken = checkInvariants(this.instance, rows);
    obey('invariants', broken.length === 0, () => JSON.stringify(broken));
    await this.#desk.checkSnapshot(rows);
  }
}

function factOf({ worker, version, at }: Claim): Pick<Claim, 'worker' | 'version' | 'at'> {
  return { worker, version, at };
}

function tellInput(input: Input): string {
  if (input.type === 'start') return 'start';
  const failed = input.type === 'result' && input.outcome.outcome === 'failed' ? ' failed' : '';
  return `${input.type} token ${input.token}${failed}`;
}
