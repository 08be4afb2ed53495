/**
 * A program that hands in batches without pause, together with others of its kind: the same
 * instances and the same business keys, in any order, with claims taken and given up in between.
 * At the end it says which of its commits it was told had come about, one on each line.
 *
 *     node src/testing/batch-storm.ts STORE SEED COUNT
 *
 * STORE is a file for SQLite, or a URL of Postgres with the schema behind a `#`. Whatever goes
 * wrong (a deadlock that came to the surface, say) ends the program.
 */
import { assert } from '../base/assert.ts';
import { postgres } from '../stores/postgres/postgres.ts';
import { sqlite } from '../stores/sqlite/sqlite.ts';
import type { Claim, Commit, CommitOutcome, Store } from '../stores/store.ts';
import { Dice } from './dice.ts';
import { fenceOf, finish, HANDLER, idOf, next, start, token } from './store-commits.ts';

const SLOTS = 16;
const KEYS = 6;
const BATCH_MAX = 20;

/** What this program believes of an instance; the others may know better. */
interface Belief {
  readonly name: string;
  readonly version: number;
  readonly key: string | null;
}

class Storm {
  readonly #store: Store;
  readonly #dice: Dice;
  readonly #worker: string;
  /** One instance after the other lives in a slot. */
  readonly #slots: Belief[] = Array.from({ length: SLOTS }, (_, slot) => nobody(`i${slot}.0`));
  #claims: Claim[] = [];
  #count = 0;

  constructor(store: Store, seed: number) {
    this.#store = store;
    this.#dice = new Dice(seed);
    this.#worker = `w${seed}`;
  }

  async run(batches: number): Promise<void> {
    for (let batch = 0; batch < batches; batch += 1) {
      if (this.#dice.roll(4) === 0) await this.#look();
      if (this.#dice.roll(4) === 0) await this.#hold();
      const commits = this.#draw();
      const outcomes = await this.#store.commit(commits);
      for (const [index, commit] of commits.entries()) this.#note(commit, outcomes[index]);
    }
    await this.#store.release(this.#claims);
  }

  /** A few commits of some instances; of one, they build on each other. */
  #draw(): Commit[] {
    const believed = new Map<number, Belief>();
    return Array.from({ length: 1 + this.#dice.roll(BATCH_MAX) }, () => {
      const slot = this.#dice.roll(SLOTS);
      const belief = believed.get(slot) ?? this.#slots[slot];
      assert(belief !== undefined, 'every slot has its instance');
      const commit = this.#drawCommit(belief);
      believed.set(slot, afterwards(belief, commit));
      return commit;
    });
  }

  #drawCommit({ name, version, key }: Belief): Commit {
    this.#count += 1;
    const commitId = `${this.#worker}/${this.#count}`;
    if (version === 0) {
      const drawn = this.#dice.roll(3) === 0 ? null : `k${this.#dice.roll(KEYS)}`;
      return start(name, { commitId, head: { key: drawn } });
    }
    const claim = this.#claims.find(({ instance }) => instance === name);
    const parts = { commitId, head: { key }, fence: claim === undefined ? null : fenceOf(claim) };
    if (this.#dice.roll(5) === 0) return finish(name, version, parts);
    return next(name, version, { ...parts, rows: { tokens: [token(2, { visit: version })] } });
  }

  #note({ commitId, touched: { head } }: Commit, outcome: CommitOutcome | undefined): void {
    assert(outcome !== undefined, 'every commit has its outcome');
    if (outcome.outcome === 'failed') throw outcome.error;
    const slot = this.#slots.findIndex(({ name }) => name === head.id);
    if (outcome.outcome === 'committed') {
      process.stdout.write(`${head.id} ${head.version} ${commitId}\n`);
      const isOver = head.status === 'completed';
      const belief = isOver ? nobody(successor(head.id)) : { ...head, name: head.id };
      if (slot >= 0) this.#slots[slot] = belief;
    }
  }

  /** Finds out what the others have done meanwhile. */
  async #look(): Promise<void> {
    const found = await this.#store.load(this.#slots.map(({ name }) => idOf(name)));
    for (const [slot, rows] of found.entries()) {
      if (rows === undefined) continue;
      const { id, status, version, key } = rows.head;
      const belief = { name: id, version, key };
      this.#slots[slot] = status === 'completed' ? nobody(successor(id)) : belief;
    }
  }

  /** Claims, renews or gives back; what is left is settled by commits, or turns out to be lost. */
  async #hold(): Promise<void> {
    const leaseMs = 10_000;
    switch (this.#dice.roll(3)) {
      case 0: {
        const request = { worker: this.#worker, handlers: [HANDLER], limit: 5, leaseMs };
        this.#claims.push(...(await this.#store.claim(request)));
        return;
      }
      case 1: {
        const lost = await this.#store.renew(this.#claims, leaseMs);
        this.#claims = this.#claims.filter((claim) => !lost.includes(claim));
        return;
      }
      default:
        await this.#store.release(this.#claims.splice(0, 3));
    }
  }
}

function nobody(name: string): Belief {
  return { name, version: 0, key: null };
}

/** `i7.3` is followed by `i7.4`. */
function successor(name: string): string {
  const [slot, generation] = name.split('.');
  return `${slot}.${Number(generation) + 1}`;
}

function afterwards(belief: Belief, { touched: { head } }: Commit): Belief {
  if (head.status === 'completed') return nobody(successor(belief.name));
  return { name: belief.name, version: head.version, key: head.key };
}

function storeAt(where: string): Store {
  if (!URL.canParse(where)) return sqlite(where, { durability: 'relaxed' });
  const url = new URL(where);
  const schema = url.hash.slice(1);
  url.hash = '';
  return postgres(url.href, { schema, durability: 'relaxed', listen: false });
}

const [where, seed, count] = process.argv.slice(2);
assert(where !== undefined && count !== undefined, 'a store, a seed and a number are given');
const store = storeAt(where);
await store.open();
await new Storm(store, Number(seed)).run(Number(count));
await store.close();
