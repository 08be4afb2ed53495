/**
 * What may be asked of a store, drawn from a seed: commits of all kinds, good and late ones, claims
 * and what becomes of them, messages, posts, and time that goes by. The next thing to ask depends
 * on what one of the stores holds, so that most of it makes sense.
 */
import { ANY } from '../model/awaited.ts';
import type { Touched } from '../model/commit.ts';
import type { InstanceId, NodeId, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { ClaimedLetter } from '../stores/letters.ts';
import type { Claim, Commit, Store } from '../stores/store.ts';
import type { Dice } from './dice.ts';
import { endingOf, isHearing, type Known, phaseOf } from './store-script-rows.ts';
import {
  asking,
  at,
  fenceOf,
  finish,
  HANDLER,
  hearing,
  idOf,
  latch,
  letter,
  listening,
  next,
  post,
  restore,
  scope,
  sleeping,
  start,
  token,
  tokenId,
  undo,
  value,
} from './store-commits.ts';

/** One thing that is asked of every store in turn. */
export interface Asked {
  readonly what: string;
  /** Those that are handed in by it. */
  readonly commits: readonly Commit[];
  ask(store: Store): Promise<unknown>;
}

export const HANDLERS: readonly string[] = [HANDLER, 'order@1/other'];
const NAMES: readonly string[] = ['a', 'b', 'c', 'd', 'e'];
export const KEYS: readonly string[] = ['k', 'l', 'm', 'n'];
export const MESSAGES: readonly string[] = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'];
const WORKERS = ['ann', 'bob'];
const LEASE_MS = 50_000;

export class StoreScript {
  readonly #dice: Dice;
  readonly #model: Store;
  readonly #clock: { ms: number };
  readonly #names: string[] = [...NAMES];
  /** Whom each message is for: nobody else ever has it. */
  readonly #targets = new Map<string, InstanceId | null>();
  #claims: Claim[] = [];
  #letters: readonly ClaimedLetter[] = [];
  #count = 0;

  /** The model is one of the stores that are asked, and is only looked at. */
  constructor(dice: Dice, model: Store, clock: { ms: number }) {
    this.#dice = dice;
    this.#model = model;
    this.#clock = clock;
  }

  async draw(): Promise<Asked> {
    const draws: (() => Asked | Promise<Asked>)[] = [
      () => this.#drawBatch(),
      () => this.#drawBatch(),
      () => this.#drawBatch(),
      () => this.#drawClaim(),
      () => this.#drawClaim(),
      () => this.#drawHold(),
      () => this.#drawMessage(),
      () => this.#drawPosts(),
      () => this.#drawLetters(),
      () => this.#drawLetters(),
      () => this.#drawTime(),
    ];
    return this.#dice.pick(draws)();
  }

  /** Claims are what later commits prove; every store gives out the same. */
  noteClaims(claims: readonly Claim[]): void {
    this.#claims = [...this.#claims, ...claims].slice(-8);
  }

  async #drawBatch(): Promise<Asked> {
    const batch: Commit[] = [];
    const length = 1 + this.#dice.roll(4);
    for (let i = 0; i < length; i += 1) batch.push(await this.#drawCommit(batch));
    const what = batch.map(({ commitId }) => commitId).join(', ');
    return { what: `commit ${what}`, commits: batch, ask: (store) => store.commit(batch) };
  }

  async #drawCommit(batch: readonly Commit[]): Promise<Commit> {
    const slot = this.#dice.roll(NAMES.length);
    const name = this.#names[slot] ?? 'a';
    this.#count += 1;
    const commitId = `c${this.#count} of ${name}`;
    const before = batch.findLast(({ touched }) => touched.head.id === name)?.touched;
    // What the batch itself has made of it, or else what is there. Whoever is restored may not be.
    const isOpen = before?.head.endedAt === null && !before.restoring;
    if (before !== undefined && isOpen) return this.#drawNext(before, commitId, false);
    const [rows] = await this.#model.load([idOf(name)]);
    if (rows?.head.endedAt === null) return this.#drawNext(rows, commitId, true);
    if (rows !== undefined && this.#chance(3)) return this.#drawRestore(rows, commitId);
    const key = this.#dice.roll(2) === 0 ? this.#dice.pick(KEYS) : null;
    const born = [token(3, this.#tokenParts()), token(2, this.#tokenParts())];
    // An id is never free again, so that most often another takes its place.
    if (rows !== undefined && this.#chance(8)) this.#names[slot] = `${name}${this.#count}`;
    return start(this.#names[slot] ?? 'a', {
      commitId,
      head: { key, priority: this.#dice.roll(3), input: { count: this.#count } },
      rows: { ...this.#rows(null), tokens: born, subscribed: [], tasks: [], scopes: [scope(1)] },
      ...this.#taking(born),
    });
  }

  /** Some tokens that it may have or may have had, and nothing of what is there now. */
  #drawRestore(rows: Known, commitId: string): Commit {
    const { id, version, key, status, pauses } = rows.head;
    const people = this.#people(4);
    const old = [token(3, this.#tokenParts()), token(2, this.#tokenParts())];
    const tokens = [...old, ...people.tokens];
    const still = status === 'suspended' ? { status, pauses } : { pauses };
    const { endedTokens = [], ...ending } = endingOf(rows);
    const others = endedTokens.filter((ended) => tokens.every((one) => one.id !== ended));
    return restore(id, version, {
      commitId,
      head: { key, ...still },
      rows: {
        ...this.#rows(null),
        subscribed: [],
        ...ending,
        endedTokens: others,
        tokens,
        tasks: people.tasks,
        scopes: [scope(1)],
      },
      ...(status === 'suspended' ? {} : this.#taking(tokens)),
    });
  }

  /** Who does not know all that an instance has cannot end it. */
  #drawNext(rows: Known, commitId: string, isWhole: boolean): Commit {
    const { id, version, key } = rows.head;
    if (isWhole && this.#chance(1)) return this.#drawRestore(rows, commitId);
    // Now and then on a version that is over, or still to come; but not on one that ends it.
    const drawn = version + this.#dice.roll(isWhole ? 2 : 3) - 1;
    const expected = Math.max(1, this.#chance(8) ? version : drawn);
    const claim = this.#claims.find(({ instance }) => instance === id);
    const expired = claim !== undefined && claim.until < at(this.#clock.ms);
    const fence = claim && this.#chance(6) ? fenceOf(claim, { expired }) : null;
    const message = this.#chance(4) ? this.#messageFor(id) : null;
    const heard = this.#dice.pick([{}, { heard: 'too' }, { heard: 'only' }] as const);
    const parts = { commitId, fence, message, ...(message === null ? {} : heard) };
    if (isWhole && !this.#chance(8)) {
      const { pauses } = phaseOf(rows.head, expected, 'running');
      const ending = { pausing: rows.head.status === 'suspended', ...endingOf(rows) };
      return finish(id, expected, { ...parts, head: { key, pauses }, rows: ending });
    }
    const touched = this.#rows(rows);
    const before = rows.head.status === 'suspended' ? 'suspended' : 'running';
    const toggled = before === 'running' ? 'suspended' : 'running';
    const phase = phaseOf(rows.head, expected, this.#chance(2) ? toggled : before);
    // What the batch would have made of it may not come about: then this is a pause after all.
    const pausing = !isWhole || phase.status !== before;
    return next(id, expected, {
      ...parts,
      head: { key, ...phase },
      rows: { ...touched, pausing },
      snapshot: this.#chance(2) ? { ...rows } : null,
      ...(phase.status === 'suspended' ? {} : this.#taking(touched.tokens ?? [])),
    });
  }

  /** Some of what a stride may leave; of an instance, what it has may be altered or ended. */
  #rows(rows: Known | null): Partial<Touched> {
    const id = 10 + this.#count * 10;
    const old = rows?.tokens[0];
    const ends = old !== undefined && this.#chance(3);
    const altered = old === undefined || ends ? [] : [{ ...old, ...this.#tokenParts() } as Token];
    const waiting = this.#chance(4) ? this.#waiting(id) : {};
    const people = this.#people(id + 2);
    const asleep = this.#chance(3)
      ? [sleeping(id + 1, this.#clock.ms + this.#dice.roll(60_000))]
      : [];
    return {
      bornAfter: id - 1,
      changes: [{ did: 'write', scope: scope(1).id, space: 'vars', name: 'x', value: id }],
      tokens: [...altered, ...(waiting.tokens ?? []), ...asleep, ...people.tokens],
      endedTokens: ends ? [old.id] : [],
      subscribed: waiting.subscribed ?? [],
      unsubscribed: old === undefined ? [] : [old.id],
      turned: this.#turned(rows),
      hushed: old !== undefined && isHearing(old) && this.#chance(7),
      tasks: people.tasks,
      closedTasks: old === undefined ? [] : [old.id],
      values: [value('vars', `v${this.#dice.roll(4)}`, { id }), value('results', 'r', id)],
      scopes: this.#chance(3) ? [scope(id, { parent: scope(1).id, item: { id } })] : [],
      closedScopes: rows?.scopes.slice(1, 2).map((open) => open.id) ?? [],
      latches: this.#chance(2) ? [latch(this.#dice.roll(3), this.#chance(5))] : [],
      droppedLatches: rows?.latches.slice(0, 1) ?? [],
      undos: this.#chance(3) ? [undo(id, { result: id, inDoubt: this.#chance(5) })] : [],
      droppedUndos: this.#chance(2) ? (rows?.undos.slice(0, 1).map((row) => row.id) ?? []) : [],
      posts: this.#chance(3) ? [post(`p${id}`), post(`p${id + 1}`, id)] : [],
      letters: this.#chance(4) ? [letter(`l${id}`), letter(`l${id + 1}`, { data: id })] : [],
    };
  }

  /** For a message, or to all that come. */
  #waiting(id: number): Partial<Touched> {
    const key = this.#dice.pick([...KEYS, ANY]);
    const type = this.#chance(8) ? 'paid' : ANY;
    if (this.#chance(5)) return listening(id, type, key);
    const since = this.#clock.ms - this.#dice.roll(20_000);
    return hearing(id, { type, key, since, live: this.#chance(8) ? 'behind' : 'on' });
  }

  /** One that listens, and stays, is busy or no longer. */
  #turned(rows: Known | null): Touched['turned'] {
    const [, ...others] = rows?.tokens ?? [];
    const hearer = others.find(isHearing);
    if (hearer === undefined || !this.#chance(3)) return [];
    return [{ token: hearer.id, busy: this.#chance(4) }];
  }

  /** Somebody may be waited for, too. */
  #people(id: number): Pick<Touched, 'tokens' | 'tasks'> {
    if (!this.#chance(4)) return { tokens: [], tasks: [] };
    const names = this.#dice.pick([[], ['ann'], ['bob', 'ann']]);
    return asking(id, {
      candidates: this.#chance(5) ? { any: names } : { users: names, groups: ['staff'] },
      assignee: this.#chance(3) ? this.#dice.pick(WORKERS) : null,
      priority: this.#dice.roll(3) - 1,
      due: this.#chance(5) ? at(this.#dice.roll(5)) : null,
    });
  }

  #tokenParts(): Partial<Token> {
    return {
      handler: this.#dice.pick(HANDLERS),
      status: 'ready',
      wait: null,
      wakeAt: null,
      node: `n${this.#dice.roll(3)}` as NodeId,
      priority: this.#dice.roll(3),
      crashes: this.#chance(2) ? 2 : 0,
      // Hardly ever two at the same moment: which of them would be first is nobody's promise.
      availableAt: at(this.#clock.ms + this.#dice.roll(30_000) - 10_000),
    };
  }

  /** What is born ready may go to the same worker at once. */
  #taking(tokens: readonly Token[]): Partial<Commit> {
    const ids = tokens.filter(({ handler }) => handler !== null).map(({ id }) => id);
    if (ids.length === 0 || !this.#chance(3)) return {};
    return { take: { worker: this.#dice.pick(WORKERS), leaseMs: LEASE_MS, tokens: ids } };
  }

  async #drawClaim(): Promise<Asked> {
    const worker = this.#dice.pick(WORKERS);
    if (this.#chance(3)) return this.#drawClaimOne(worker);
    const handlers = this.#chance(5) ? HANDLERS : HANDLERS.slice(0, 1);
    const limit = 1 + this.#dice.roll(4);
    const request = { worker, handlers, limit, leaseMs: LEASE_MS, lone: this.#chance(3) };
    return {
      commits: [],
      what: `claim ${JSON.stringify(request)}`,
      ask: (store) => store.claim(request),
    };
  }

  async #drawClaimOne(worker: string): Promise<Asked> {
    const instance = idOf(this.#dice.pick(this.#names));
    const id: TokenId = tokenId(2 + this.#dice.roll(2));
    const version = this.#dice.roll(2);
    const request = { worker, instance, token: id, version, leaseMs: LEASE_MS };
    return {
      commits: [],
      what: `claim one ${instance}.${id}`,
      ask: (store) => store.claimOne(request),
    };
  }

  #drawHold(): Asked {
    const held = this.#claims.slice(0, this.#dice.roll(4));
    if (!this.#chance(5))
      return { commits: [], what: 'release', ask: (store) => store.release(held) };
    const [first] = held;
    if (first === undefined || this.#chance(7))
      return { commits: [], what: 'renew', ask: (store) => store.renew(held, LEASE_MS) };
    const note = { ...first, reason: 'fenced', at: at(this.#clock.ms) };
    return { commits: [], what: 'drop', ask: (store) => store.drop(note) };
  }

  #drawMessage(): Asked {
    const id = this.#dice.pick(MESSAGES);
    if (!this.#chance(7))
      return { commits: [], what: `consume ${id}`, ask: (store) => store.consume([id]) };
    const ttlMs = 20_000 + this.#dice.roll(200_000);
    const target = this.#targetOf(id);
    const key = this.#dice.pick([...KEYS, '']);
    const to = target === null ? { key } : { key: '', instance: target };
    const message = { id, type: 'paid', ...to, data: { id }, ttlMs };
    return { commits: [], what: `publish ${id}`, ask: (store) => store.publish(message) };
  }

  #targetOf(message: string): InstanceId | null {
    const drawn = this.#chance(3) ? idOf(this.#dice.pick(this.#names)) : null;
    const known = this.#targets.get(message);
    const target = known === undefined ? drawn : known;
    this.#targets.set(message, target);
    return target;
  }

  #messageFor(instance: InstanceId): string | null {
    const message = this.#dice.pick(MESSAGES);
    return [null, instance].includes(this.#targetOf(message)) ? message : null;
  }

  async #drawPosts(): Promise<Asked> {
    const posts = await this.#model.posts(1 + this.#dice.roll(3));
    const ids = posts.map(({ post: { id } }) => id);
    return { commits: [], what: `carried ${ids.join(', ')}`, ask: (store) => store.carried(ids) };
  }

  async #drawLetters(): Promise<Asked> {
    const held = this.#letters.slice(0, this.#dice.roll(4));
    const expired = this.#chance(3);
    const afterMs = this.#chance(3) ? null : this.#dice.roll(60_000);
    const failures = held.map((one) => ({ held: one, expired, error: 'no', afterMs }));
    const all = { status: null, type: null, instance: null, after: 0, limit: 3 };
    const dead = (await this.#model.letters.list({ ...all, status: 'dead' })).map(({ id }) => id);
    const asks: [string, Asked['ask']][] = [
      ['claim letters', (store) => this.#claimLetters(store)],
      ['letters sent', (store) => store.letters.sent(held)],
      ['letters failed', (store) => store.letters.failed(failures)],
      ['letters released', (store) => store.letters.release(held)],
      ['letters requeued', async (store) => (await store.letters.requeue(dead)).toSorted()],
    ];
    const [what, ask] = this.#chance(5) ? (asks[0] as (typeof asks)[0]) : this.#dice.pick(asks);
    return { commits: [], what, ask };
  }

  /** All there are: which of those that are due at the same moment is first is nobody's promise. */
  async #claimLetters({ letters }: Store): Promise<readonly ClaimedLetter[]> {
    const request = { worker: 'ann', types: null, limit: 1_000, leaseMs: LEASE_MS };
    const claimed = await letters.claim(request);
    this.#letters = claimed.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return this.#letters;
  }

  /** Told to all of them at once, by the clock they share. */
  #drawTime(): Asked {
    this.#clock.ms += this.#dice.roll(40_000);
    return { commits: [], what: `it is ${this.#clock.ms}`, ask: async (store) => store.now() };
  }

  /** So many times in ten. */
  #chance(tenths: number): boolean {
    return this.#dice.roll(10) < tenths;
  }
}
