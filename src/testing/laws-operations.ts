/**
 * Plays one case while an operator does whatever comes to mind, and holds all of it to laws that
 * are weaker than those of an undisturbed run, and hold nevertheless:
 *
 * - what is refused has a name and a sentence, and leaves no trace; what is not refused is done;
 * - the state is sound after every commit, history folds to it, and a stride from what the store
 *   gives back is the same as the one that was worked out before: so a preview is what is done;
 * - of what is suspended nothing is called, claimed, woken or told, what was at work ends, and with
 *   it nothing else: no region, no instance;
 * - whoever loses a claim is told to stop, and what it brings is refused;
 * - once the operator lets go, everything goes on until it ends, or stalls and says so.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Outcome as Stride } from '../kernel/advance.ts';
import { emptyInstance, type Instance, isResting, tokenOf } from '../kernel/instance.ts';
import { checkInvariants } from '../kernel/invariants.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Action } from '../model/action.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant, NodeId, ScopeId, TokenId } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import type { Claim } from '../stores/store.ts';
import { pastToRevive, WayBack } from '../runtime/pasts.ts';
import { type Answer, answersOf, calledBy, messageTo, nextOf, valueFor } from './laws-answers.ts';
import { anyAsk, nextAsk } from './laws-asks.ts';
import { checkCalled, checkDoubt } from './laws-called.ts';
import { Desk, type Errand, type Shelf } from './laws-desk.ts';
import { obey, obeySame } from './laws-ending.ts';
import { childAnswer, outcomeOf } from './laws-failures.ts';
import { LifeBook } from './laws-lives.ts';
import { MapBook } from './laws-maps.ts';
import { PeopleBook } from './laws-people.ts';
import { INPUT, lawMachine, STRIDES_MAX } from './laws-quick.ts';
import { type Verdict, verdictOn } from './laws-refusals.ts';
import { type Advance, checkedStride, checkStray } from './laws-stride.ts';
import type { Trial } from './laws.ts';
import { type Case, drawingOf } from './random-case.ts';
import { chainDrawing, waitingOf } from './random-chains.ts';
import { luck, lucky } from './random-luck.ts';
import { drawAction } from './random-operations.ts';
import { show } from './show.ts';

/** The audit of a whole history costs most. */
const AUDIT_EVERY = 8;
const MENDS_MOST = 3;

const ENDS_PAUSES: ReadonlySet<Input['type']> = new Set(['resume', 'cancel']);

export class OperationsPlayer {
  readonly #case: Case;
  readonly #shelf: Shelf;
  readonly #advance: Advance;
  readonly #desk: Desk;
  readonly #lives = new LifeBook();
  readonly #people = new PeopleBook();
  readonly #maps: MapBook;
  readonly machine: Machine;
  readonly history: HistoryRow[] = [];
  readonly #visited = new Set<NodeId>();
  readonly #mended = new Map<TokenId, number>();
  readonly #told: (() => string)[] = [];
  /** How often each verb was done, and how often refused. */
  readonly tally = new Map<string, number>();
  instance: Instance;
  #strides = 0;

  /** What is played is what the case draws, or a chain in its place. */
  constructor(one: Case, { advance, kinds, openShelf }: Trial, name: string, chain = false) {
    this.#case = one;
    this.#shelf = openShelf();
    this.#advance = advance;
    const drawing = chain ? chainDrawing(one.seed, name) : drawingOf(one, name);
    this.machine = lawMachine(drawing, kinds, one.habits);
    this.#maps = new MapBook(this.machine, one.trapped);
    this.instance = emptyInstance(name as InstanceId);
    this.#desk = new Desk(this.#shelf, advance, this.machine, this.instance.head.id);
  }

  /** Each input and what came of it, as text. */
  get story(): readonly string[] {
    return this.#told.map((tell) => tell());
  }

  async play(operations: number): Promise<void> {
    const { name: flow, version: flowVersion } = this.machine.plan;
    const { id } = this.instance.head;
    const birth = { id, flow, flowVersion, input: INPUT, key: 'order-1' };
    await this.#commit({ type: 'start', at: this.#now, birth });
    for (let turn = 0; turn < operations; turn += 1) {
      const answers = luck(
        this.instance.head.endedAt === null ? 4 : 1,
        this.#case.seed,
        'answers',
        turn,
      );
      for (let count = 0; count < answers; count += 1) await this.#answer();
      await this.#askPeople(turn);
      await this.#operate(turn);
    }
    await this.#letGo();
    await this.#desk.checkAtRest();
    const rows = await this.#desk.history();
    obeySame('history', 'the store kept another history', rows, this.history);
    const broken = checkInvariants(this.instance, rows);
    obey('invariants', broken.length === 0, () => JSON.stringify(broken));
  }

  get #now(): Instant {
    return this.#shelf.clock.now as Instant;
  }

  get #isAsleep(): boolean {
    return this.instance.head.status === 'suspended';
  }

  /** Nobody does anything any more but answer what is asked: it comes to an end. */
  async #letGo(): Promise<void> {
    if (this.#isAsleep) await this.#commit({ type: 'resume', at: this.#now });
    for (;;) {
      const { endedAt, stalled } = this.instance.head;
      if (endedAt !== null) return;
      const answered = await this.#answer();
      if (answered) continue;
      obey('stuck', stalled !== null, () => 'it is open, and nothing can be answered');
      return;
    }
  }

  /** What the outside has for it, if anything; of what is suspended, what was at work. */
  async #answer(): Promise<boolean> {
    const { seed, habits } = this.#case;
    const all = this.instance.head.endedAt === null ? answersOf(this.instance, seed) : [];
    const open = all.filter((answer) => !this.#isAsleep || this.#endsAsleep(answer));
    const answer = nextOf(open, habits.order, seed);
    if (answer === undefined) return false;
    const { clock } = this.#shelf;
    const token = tokenOf(this.instance, answer.token);
    clock.now = Math.max(clock.now + 1, token.availableAt, this.#dueOf(answer));
    await this.#desk.claimAll();
    await this.#give(answer);
    return true;
  }

  #dueOf({ type, token }: Answer): number {
    return type === 'time' ? (tokenOf(this.instance, token).wakeAt ?? 0) : 0;
  }

  #endsAsleep({ type, token }: Answer): boolean {
    if (type === 'child') return true;
    return (type === 'result' || type === 'continue') && this.#desk.holds(token);
  }

  async #give(answer: Answer): Promise<void> {
    const { type, token: id, node, path } = answer;
    const { seed, habits } = this.#case;
    const token = tokenOf(this.instance, id);
    const told = { at: this.#now, token: id };
    switch (type) {
      case 'time':
        return this.#commit({ type, ...told });
      case 'child': {
        const from = calledBy(token);
        const end = childAnswer({ node, path, seed }, habits.failures);
        return this.#commit({ type, ...told, from, answer: end });
      }
      case 'task': {
        const ask = nextAsk(token, { node, path, seed });
        return ask === null ? undefined : this.#commit({ type, ...told, ask });
      }
      case 'incident':
        return this.#commit(this.#mending(token));
      case 'message': {
        const wanted = messageTo(token.wait, answer, seed) ?? { type: '', key: '' };
        const message = { id: `m${this.#strides}`, ...wanted, data: valueFor(node, path, seed) };
        return this.#commit({ type, ...told, message });
      }
      default: {
        const claim = this.#desk.claimOf(id);
        const { worker, version, at } = claim;
        const by = { ...told, claim: { worker, version, at } };
        if (type === 'continue') return this.#commit({ type, ...by }, claim);
        const failures = habits.failures;
        const waiting = token.seq === null ? null : waitingOf(token, seed);
        const outcome = waiting ?? outcomeOf(this.instance, token, path, { seed, failures });
        return this.#commit({ type, ...by, outcome }, claim);
      }
    }
  }

  /** Nobody tries for ever. */
  #mending({ id: token, wait }: Token): Input {
    const at = this.#now;
    const tries = this.#mended.get(token) ?? 0;
    this.#mended.set(token, tries + 1);
    if (tries < MENDS_MOST) return { type: 'retry', at, token };
    const skips = wait?.on === 'incident' && wait.can.includes('skip');
    return skips ? { type: 'skip', at, token, value: null } : { type: 'cancel', at, saga: false };
  }

  async #operate(turn: number): Promise<void> {
    const { seed } = this.#case;
    const { instance, machine } = this;
    const { plan } = machine;
    this.#shelf.clock.now += luck(2_000, seed, 'pause', turn);
    await this.#desk.claimAll();
    const visited = [...this.#visited];
    const action = drawAction({ instance, plan, visited, seed, turn });
    this.#told.push(() => `-- operator: ${JSON.stringify(action)}`);
    const verdict = verdictOn(action, instance, plan, this.#now);
    const input = await this.#inputFor(action);
    if (input === null) return this.#refused(action, verdict);
    const { refused, changes } = this.#advance(machine, instance, input);
    if (changes.length === 0) {
      checkStray(this.#advance, machine, instance, input);
      const found = refused?.code ?? 'so already';
      obey('refused', found === verdict, () => `it is ${found}, not ${verdict}`);
      obey('refused', refused?.message !== '', () => 'it is refused without a word');
      return this.#count(action, found);
    }
    const expected = verdict ?? 'done';
    obey('refused', expected === 'done', () => `it is done, not ${expected}`);
    if (action.do === 'rerun' && action.copy === true) return this.#count(action, 'copied');
    await this.#commit(input);
    this.#count(action, 'done');
    this.#checkPaused();
  }

  /** Somebody does something with a task, or with what is none. */
  async #askPeople(turn: number): Promise<void> {
    const { seed } = this.#case;
    const tokens = this.instance.tokens.values();
    const open = tokens.filter(({ wait }) => wait?.on === 'task');
    const isBlind = open.length === 0 || luck(8, seed, 'no task', turn) === 0;
    const [token] = isBlind ? tokens.slice(-1) : [lucky(open, seed, 'which task', turn)];
    if (isBlind && luck(4, seed, 'nobody asks', turn) > 0) return;
    const id = token?.id ?? (1 as TokenId);
    const ask = anyAsk(token, seed, turn, this.#now);
    const input: Input = { type: 'task', at: this.#now, token: id, ask };
    const waits = token?.wait?.on === 'task' ? this.#people.expect(id, ask) : 'task.not-found';
    const isHeld = waits !== 'task.not-found' && this.#isAsleep;
    const verdict = isHeld ? 'instance.suspended' : waits;
    this.#told.push(() => `-- ${JSON.stringify({ id, ask, verdict })}`);
    if (verdict === 'done') return this.#commit(input);
    checkStray(this.#advance, this.machine, this.instance, input);
    const { refused } = this.#advance(this.machine, this.instance, input);
    const found = refused?.code ?? 'so already';
    obey('asked', found === verdict, () => `it is ${found}, not ${verdict}`);
  }

  /** Refused by those who read history. */
  #refused(action: Action, verdict: Verdict): void {
    const code = verdict ?? 'operation.refused';
    const isRefusal = code !== 'done' && code !== 'so already';
    obey('refused', isRefusal, () => `it is refused, not ${code}`);
    this.#count(action, code);
  }

  #count(action: Action, how: string): void {
    const word = `${action.do} ${how}`;
    this.tally.set(word, (this.tally.get(word) ?? 0) + 1);
  }

  /** As the kernel takes it; null if it is refused for what history says. */
  async #inputFor(action: Action): Promise<Input | null> {
    const at = this.#now;
    switch (action.do) {
      case 'cancel':
        return { type: 'cancel', at, saga: action.saga === true };
      case 'suspend':
      case 'resume':
        return { type: action.do, at };
      case 'retry':
        return { type: 'retry', at, token: (action.token as TokenId | undefined) ?? null };
      case 'skip': {
        const { token, result: value = null } = action;
        return { type: 'skip', at, token: token as TokenId, value };
      }
      case 'wake': {
        const { token = null, data = null, arm = null, vars } = action;
        const more = vars === undefined ? {} : { vars };
        return { type: 'wake', at, token: token as TokenId | null, data, arm, ...more };
      }
      case 'set': {
        const { name, value, scope = null } = action;
        return { type: 'set', at, name, value, scope: scope as ScopeId | null };
      }
      case 'move':
        return { type: 'move', at, token: action.token as TokenId, to: action.to as NodeId };
      case 'revive':
      case 'rerun':
        return this.#back(action);
      default:
        return null;
    }
  }

  async #back(action: Extract<Action, { do: 'revive' | 'rerun' }>): Promise<Input | null> {
    const { store } = this.#shelf;
    const { head } = this.instance;
    try {
      const past =
        action.do === 'revive'
          ? await pastToRevive(store, this.machine, head)
          : await new WayBack(store, this.machine, action.from as NodeId).past(this.instance);
      return { type: 'restore', at: this.#now, seen: head.version, past };
    } catch (thrown) {
      if (thrown instanceof EngineError && thrown.message !== '') return null;
      throw thrown;
    }
  }

  /** Time passes and messages come, and nothing of it is heard. */
  #checkPaused(): void {
    if (!this.#isAsleep) return;
    const late = (this.#now + 10_000_000) as Instant;
    for (const { id, wait } of this.instance.tokens.values()) {
      const near = wait?.on === 'first' ? wait.any[0] : wait?.on === 'message' ? wait : undefined;
      const { type = 'event-0', key = 'order-1' } = near ?? {};
      const message = { id: 'm', type, key, data: null };
      checkStray(this.#advance, this.machine, this.instance, { type: 'time', at: late, token: id });
      const comes: Input = { type: 'message', at: late, token: id, message };
      checkStray(this.#advance, this.machine, this.instance, comes);
    }
  }

  async #commit(input: Input, claim: Claim | null = null): Promise<void> {
    this.#strides += 1;
    obey('ends', this.#strides <= 4 * STRIDES_MAX, () => `more than ${this.#strides} strides`);
    const { machine, instance: before } = this;
    this.#told.push(() => `-- ${input.type}`);
    const stride = checkedStride(machine, before, input, {
      ...{ copy: this.#desk.copy, advance: this.#advance },
    });
    this.#told.push(() => show(stride));
    obey('answered', stride.changes.length > 0, () => `${input.type} leaves no trace`);
    const { handOver } = this.#case.habits;
    const errand: Errand = { machine, input, claim, message: null, handOver };
    await this.#desk.commit(errand, stride);
    this.#enter(input, stride);
  }

  #enter(input: Input, { after, changes, hints }: Stride): void {
    const before = this.instance;
    this.instance = after;
    const n = after.head.version;
    this.history.push({ n, at: input.at, commitId: `${after.head.id}-${n}`, changes });
    for (const change of changes) {
      if (change.did === 'birth-token') this.#visited.add(change.token.node);
    }
    for (const { token } of this.#desk.lost) {
      // No handler is at work on what the kernel goes on with.
      if (isResting(tokenOf(before, token))) continue;
      const isTold = hints.some((hint) => hint.do === 'abort' && hint.token === token);
      obey('told to stop', isTold, () => `token ${token} is taken away and nobody is told`);
      const isBack = input.type === 'move' || input.type === 'restore';
      if (isBack) checkDoubt(this.machine.plan, tokenOf(before, token), after);
    }
    const isPaused = before.head.status === 'suspended' && !ENDS_PAUSES.has(input.type);
    const isOver = isPaused && after.head.status !== 'suspended';
    obey('paused', !isOver, () => `${input.type} makes it ${after.head.status} while suspended`);
    this.#lives.enter({ before, after, input, changes });
    this.#people.enter(changes, after);
    this.#maps.enter(changes, after);
    const audit = n % AUDIT_EVERY === 0;
    const broken = checkInvariants(after, audit ? this.history : null);
    obey('invariants', broken.length === 0, () => JSON.stringify(broken));
    if (input.type === 'resume' || input.type === 'restore') checkCalled({ after, changes, hints });
  }
}
