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
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Input, Outcome } from '../model/input.ts';
import type { TaskAsk } from '../model/task.ts';
import type { Claim } from '../stores/store.ts';
import { calledBy, type Answer, answersOf, messageTo, nextOf, valueFor } from './laws-answers.ts';
import { anyAsk, nextAsk } from './laws-asks.ts';
import { AttemptBook } from './laws-attempts.ts';
import { Desk, type Errand, type Shelf } from './laws-desk.ts';
import { type Ending, obey, obeySame } from './laws-ending.ts';
import { childAnswer, isLeftOver, outcomeOf, remedyFor } from './laws-failures.ts';
import { MapBook } from './laws-maps.ts';
import { PeopleBook } from './laws-people.ts';
import { Ledger } from './laws-ledger.ts';
import { PostBook } from './laws-posts.ts';
import { endingOf, INPUT, lawMachine, STRIDES_MAX } from './laws-quick.ts';
import { straysFor } from './laws-strays.ts';
import { type Advance, checkedStride, checkStray } from './laws-stride.ts';
import { type Case, drawingOf, isOrderly, PLANNED_FAILURE } from './random-case.ts';
import { luck, lucky } from './random-luck.ts';
import { show } from './show.ts';

/** Up to here a run folds its whole history after every commit; longer ones now and then. */
const FOLD_ALWAYS = 32;
/** The whole audit, history included, costs most: it is made this often, and at the end. */
const AUDIT_EVERY = 8;
/** Who waits for the end of an instance that was called. */
const PARENT = { instance: 'parent' as InstanceId, token: 7 as TokenId };

/** People do not talk for ever. */
const ENTRIES_MOST = 8;
/** What may bring a task to its end. */
const DECIDES: ReadonlySet<TaskAsk['do']> = new Set(['complete', 'decide', 'recall']);

/** The kernel and the kinds a run goes by, and what its crashing twin is kept in. */
export interface World {
  readonly advance: Advance;
  readonly kinds: Kinds;
  readonly shelf: Shelf;
}

export class Player {
  readonly #case: Case;
  readonly #world: World;
  readonly machine: Machine;
  readonly #desk: Desk;
  readonly ledger: Ledger;
  readonly #attempts: AttemptBook;
  readonly #posts: PostBook;
  readonly #people = new PeopleBook();
  readonly #maps: MapBook;
  readonly #isCalm: boolean;
  readonly history: HistoryRow[] = [];
  readonly #told: (() => string)[] = [];
  instance: Instance;
  wasCanceled = false;
  /** How often someone did something about a token. */
  readonly #mended = new Map<TokenId, number>();
  #results = 0;
  #strides = 0;

  constructor(one: Case, world: World, name: string) {
    this.#case = one;
    this.#world = world;
    const drawing = drawingOf(one, name);
    this.machine = lawMachine(drawing, world.kinds, one.habits);
    const id = name as InstanceId;
    this.#desk = new Desk(world.shelf, world.advance, this.machine, id);
    this.ledger = new Ledger(this.machine.plan);
    this.#attempts = new AttemptBook(this.machine.plan);
    this.#posts = new PostBook(this.machine.plan);
    this.#maps = new MapBook(this.machine, one.trapped);
    this.#isCalm = isOrderly(one);
    this.instance = emptyInstance(id);
  }

  async play(): Promise<Ending> {
    const { name: flow, version: flowVersion } = this.machine.plan;
    const called = this.#case.habits.called ? { parent: PARENT } : {};
    const { id } = this.instance.head;
    const birth = { id, flow, flowVersion, input: INPUT, key: 'order-1', ...called };
    await this.#commit({ ...this.#errand(), input: { type: 'start', at: this.#now, birth } });
    while (this.#isOpen) {
      await this.#playStrays();
      await this.#playPeople();
      if (!this.#isOpen) break;
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
    return (status === 'running' || status === 'compensating') && stalled === null;
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
    const { clock } = this.#world.shelf;
    // What is to be tried again later can be claimed only then.
    clock.now = Math.max(clock.now + 1, tokenOf(this.instance, answer.token).availableAt);
    await this.#desk.claimAll();
    if (this.#isCancelDue) return this.#cancel(habits.cancel?.saga ?? false);
    switch (answer.type) {
      case 'result':
      case 'continue':
        return this.#isLeaseOver(answer) ? this.#expire(answer) : this.#giveClaimed(answer);
      case 'time':
        return this.#giveTime(answer);
      case 'message':
        return this.#giveMessage(answer);
      case 'child':
        return this.#giveChild(answer);
      case 'task':
        return this.#giveTask(answer);
      case 'incident':
        return this.#mend(answer);
    }
  }

  get #isCancelDue(): boolean {
    const { cancel } = this.#case.habits;
    return cancel !== null && !this.wasCanceled && this.#strides >= cancel.after;
  }

  /** What is being undone already is not undone again, only stopped. */
  async #cancel(saga: boolean): Promise<void> {
    this.wasCanceled = true;
    const undoes = saga && this.instance.head.status === 'running';
    await this.#commit({
      ...this.#errand(),
      input: { type: 'cancel', at: this.#now, saga: undoes },
    });
  }

  async #giveChild({ token, node, path }: Answer): Promise<void> {
    const { seed, habits } = this.#case;
    const answer = childAnswer({ node, path, seed }, habits.failures);
    const from = calledBy(tokenOf(this.instance, token));
    const input: Input = { type: 'child', at: this.#now, token, from, answer };
    await this.#commit({ ...this.#errand(), machine: this.#waker(node, path), input });
  }

  async #giveTask({ token, node, path }: Answer): Promise<void> {
    const { seed } = this.#case;
    const ask = nextAsk(tokenOf(this.instance, token), { node, path, seed });
    if (ask !== null) await this.#ask(token, ask, this.#waker(node, path));
  }

  /** People do whatever comes to mind; where the order of answers must not matter, no decision. */
  async #playPeople(): Promise<void> {
    const { seed } = this.#case;
    const open = this.instance.tokens.values().filter(({ wait }) => wait?.on === 'task');
    if (open.length === 0 || luck(2, seed, 'people', this.#strides) === 0) return;
    const token = lucky(open, seed, 'task', this.#strides);
    const { id, node, wait } = token;
    const ask = anyAsk(token, seed, this.#strides, this.#now);
    const isLong = wait?.on === 'task' && wait.task.trail.length >= ENTRIES_MOST;
    const isDone = this.#people.expect(id, ask) === 'done';
    if (isDone && (isLong || (this.#isCalm && DECIDES.has(ask.do)))) return;
    await this.#ask(id, ask, this.#waker(node, `${this.#strides}`));
  }

  /** What comes of it is what was expected; of what is refused or so already, nothing. */
  async #ask(token: TokenId, ask: TaskAsk, machine: Machine): Promise<void> {
    const input: Input = { type: 'task', at: this.#now, token, ask };
    const verdict = this.#people.expect(token, ask);
    if (verdict === 'done') return this.#commit({ ...this.#errand(), machine, input });
    const { advance } = this.#world;
    const { refused } = advance(machine, this.instance, input);
    checkStray(advance, machine, this.instance, input);
    const found = refused?.code ?? 'so already';
    obey('asked', found === verdict, () => `${JSON.stringify(ask)} is ${found}, not ${verdict}`);
  }

  async #mend({ token: id, node, path }: Answer): Promise<void> {
    const { seed } = this.#case;
    const token = tokenOf(this.instance, id);
    const times = this.#mended.get(id) ?? 0;
    this.#mended.set(id, times + 1);
    const remedy = remedyFor(token, times, seed);
    if (remedy === 'cancel') return this.#cancel(luck(2, seed, 'mend', node) === 0);
    const told = { at: this.#now, token: id };
    const value = valueFor(node, path, seed);
    const input: Input =
      remedy === 'retry' ? { type: remedy, ...told } : { type: remedy, ...told, value };
    await this.#commit({ ...this.#errand(), machine: this.#waker(node, path), input });
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

  async #giveClaimed({ type, token, path }: Answer): Promise<void> {
    const claim = this.#desk.claimOf(token);
    const told = { at: this.#now, token, claim: factOf(claim) };
    const { handOver } = this.#case.habits;
    const input: Input =
      type === 'continue'
        ? { type, ...told }
        : { type: 'result', ...told, outcome: this.#outcomeOf(token, path) };
    await this.#commit({ ...this.#errand(), input, claim, handOver });
  }

  #outcomeOf(id: TokenId, path: string): Outcome {
    const { seed, habits } = this.#case;
    const token = tokenOf(this.instance, id);
    if (!isLeftOver(this.instance, token)) this.#results += 1;
    if (this.#results - 1 === habits.failAt && !isLeftOver(this.instance, token)) {
      return { outcome: 'failed', fault: { code: PLANNED_FAILURE, message: 'as planned' } };
    }
    return outcomeOf(this.instance, token, path, { seed, failures: habits.failures });
  }

  async #giveTime({ token, node, path }: Answer): Promise<void> {
    const { clock } = this.#world.shelf;
    clock.now = Math.max(clock.now, tokenOf(this.instance, token).wakeAt ?? 0);
    await this.#desk.checkDue(token);
    const { wait } = tokenOf(this.instance, token);
    const input: Input = { type: 'time', at: this.#now, token };
    await this.#commit({ ...this.#errand(), machine: this.#waker(node, path), input });
    // Who gave up waiting is not sent the message that comes after all.
    const missed = wait?.on === 'first' ? wait.any[0] : wait;
    if (missed === undefined || missed === null || !('type' in missed)) return;
    await this.#desk.checkDelivery(`${this.instance.head.id} late${this.#strides}`, missed);
  }

  async #giveMessage(answer: Answer): Promise<void> {
    const { token, node, path } = answer;
    const wait = messageTo(tokenOf(this.instance, token).wait, answer, this.#case.seed);
    if (wait === null) return;
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
    const before = this.instance;
    const { advance } = this.#world;
    const stride = checkedStride(machine, before, input, { copy: this.#desk.copy, advance });
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
    this.#attempts.enter({ before, input, changes: stride.changes });
    this.#posts.enter(stride.changes, this.instance.head);
    this.#people.enter(stride.changes, stride.after);
    this.#maps.enter(stride.changes, stride.after);
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
    this.#checkOver();
    const living = [...this.ledger.living.keys()].sort((a, b) => a - b).join();
    const tokens = rowsOf(this.instance).tokens.map((token) => token.id);
    obey(
      'living',
      living === tokens.join(),
      () => `tokens ${tokens.join()}, history says ${living}`,
    );
  }

  /** What is over holds nothing but what could not be undone. */
  #checkOver(): void {
    const { head, undos, scopes, tokens } = this.instance;
    if (head.endedAt === null) return;
    const left = undos.values().find(({ status }) => status !== 'failed');
    obey('over', left === undefined, () => `it is ${head.status} and holds undo ${left?.id}`);
    const empty = scopes.size === 0 && tokens.size === 0;
    obey('over', empty, () => `it is ${head.status} and holds tokens or scopes`);
  }

  /** Answers nobody waits for: twice, late, too early, to the wrong token. */
  async #playStrays(): Promise<void> {
    const { seed, habits } = this.#case;
    if (!habits.strays) return;
    for (const input of straysFor(this.instance, this.history, this.#now, seed)) {
      checkStray(this.#world.advance, this.machine, this.instance, input);
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
  if (!('token' in input)) {
    if (input.type !== 'cancel') return input.type;
  }
  if (input.type === 'cancel') return `cancel${input.saga ? ' with its saga' : ''}`;
  if (input.type === 'task') return `task token ${input.token} ${JSON.stringify(input.ask)}`;
  return `${input.type} token ${input.token}${tellOutcome(input)}`;
}

function tellOutcome(input: Input): string {
  if (input.type === 'child') return ` ${input.answer.status}`;
  if (input.type !== 'result' || input.outcome.outcome === 'done') return '';
  const { outcome } = input;
  if (outcome.outcome === 'unrun') return ' unrun';
  if (outcome.outcome === 'waiting') return ` waiting ${outcome.type}`;
  const words = [outcome.fault.fatal && 'fatal', outcome.final && 'final'];
  const told = [...words, outcome.inDoubt && 'in doubt'].filter((word) => word).join(', ');
  return ` failed ${outcome.fault.code}${told === '' ? '' : ` (${told})`}`;
}
