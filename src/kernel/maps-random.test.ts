/**
 * Maps around and inside whatever else there is, answered in any order, by processes with the
 * closures and without, in commits of a few moves. A `Story` checks every promise after each
 * stride; here it is what maps promise by themselves: the limit holds at every moment, and each
 * result is at its place.
 */
import { describe, expect, test } from 'vitest';
import type { Json } from '../base/json.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Instant } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { Dice } from '../testing/dice.ts';
import type { Untyped } from '../testing/flow-text.ts';
import { withoutCode } from '../testing/play.ts';
import { Story, written } from '../testing/story.ts';
import { assemble, isResting, rowsOf } from './instance.ts';

interface Mapped {
  readonly size: number;
  readonly limit: number;
  readonly settles: boolean;
  readonly asks: boolean;
}

class Author {
  readonly maps = new Map<string, Mapped>();
  readonly #dice: Dice;
  #count = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  write(): Flow {
    return this.#map(flow('random') as unknown as Untyped, 0).end() as unknown as Flow;
  }

  #name(kind: string): string {
    this.#count += 1;
    return `${kind}${this.#count}`;
  }

  #body(b: Untyped, depth: number): Untyped {
    let so = b;
    for (let left = 1 + this.#dice.roll(2); left > 0; left -= 1) so = this.#node(so, depth);
    return so;
  }

  #node(b: Untyped, depth: number): Untyped {
    const inner = (c: Untyped): Untyped => this.#body(c, depth + 1);
    const kinds = ['step', 'step', 'undoable', 'set', 'sleep', 'wait'];
    const regions = ['map', 'parallel', 'race', 'repeat', 'try', 'scope'];
    const kind = this.#dice.pick(depth < 3 ? [...kinds, ...regions] : kinds);
    const name = this.#name(kind);
    switch (kind) {
      case 'step':
        return b.step(name, () => 1);
      case 'undoable':
        return b.step(name, () => 1, { undo: () => 1 });
      case 'set':
        return b.set(name, () => 1);
      case 'sleep':
        return b.sleep(name, 10);
      case 'wait':
        return b.waitFor(name, { event: 'e', key: () => 'k' });
      case 'parallel':
      case 'race':
        return b[kind](name, { [this.#name('x')]: inner, [this.#name('y')]: inner });
      case 'repeat':
        return b.repeat(name, { times: () => 1 + (name.length % 2) }, inner);
      case 'try':
        return b.try(name, inner, { do: (c: Untyped) => c });
      case 'scope':
        return b.scope(name, inner, this.#dice.roll(2) === 0 ? {} : { saga: 'scope' });
      default:
        return this.#map(b, depth);
    }
  }

  #map(b: Untyped, depth: number): Untyped {
    const name = this.#name('map');
    const size = this.#dice.roll(5);
    const limit = this.#dice.roll(4);
    const [settles, asks, saga] = [this.#flip(), this.#dice.roll(4) === 0, this.#flip()];
    this.maps.set(name, { size, limit: limit === 0 ? Infinity : limit, settles, asks });
    const until = { until: ({ index }: { index: number }) => index % 2 === 1 };
    const options = {
      over: () => Array.from({ length: size }, (_, index) => `${name} ${index}`),
      ...(limit === 0 ? {} : { limit }),
      ...(settles ? { onError: 'collect' } : {}),
      ...(asks ? until : {}),
      ...(saga ? { saga: 'scope' } : {}),
      collect: ({ item, index }: { item: Json; index: Json }) => [index, item],
    };
    return b.map(name, options, (c: Untyped) => this.#body(c, depth + 1));
  }

  #flip(): boolean {
    return this.#dice.roll(2) === 0;
  }
}

/** Every list that a map has made is whole, and in order. */
function expectLists({ history }: Story, maps: Author['maps']): number {
  let lists = 0;
  for (const change of history.flatMap(({ changes }) => changes)) {
    const map = change.did === 'write' && change.space === 'results' && maps.get(change.name);
    if (!map || change.did !== 'write') continue;
    lists += 1;
    const list = change.value as readonly Json[];
    const kept = list.map((one) => {
      const { status, value } = one as { status?: string; value?: Json };
      return map.settles ? (status === 'fulfilled' ? value : null) : one;
    }) as readonly (readonly [number, string] | null)[];
    const done = kept.filter((one) => one !== null);
    for (const [index, item] of done) expect(item).toBe(`${change.name} ${index}`);
    const indexes = done.map(([index]) => index);
    expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
    // It may have seen enough; and an error in the place of a result is no number.
    expect(map.asks || list.length === map.size).toBe(true);
    expect(map.settles || done.length === list.length).toBe(true);
  }
  return lists;
}

/** So many items of each map as it may have, and no fewer while one waits to be begun. */
function expectLimits({ instance }: Story, maps: Author['maps']): void {
  for (const { id, node, items, item } of instance.scopes.values()) {
    const map = node === null ? undefined : maps.get(node);
    if (map === undefined) continue;
    const all = instance.scopes.values();
    const open = all.filter(({ parent, node: at }) => parent === id && at === `${node}/:item`);
    expect(open.length).toBeLessThanOrEqual(map.limit);
    const isStill = instance.resting.size === 0 && instance.head.status === 'running';
    const next = (items.get('next') as number | undefined) ?? 0;
    const isLeft = next < (item as readonly Json[]).length;
    expect(!isStill || !isLeft || open.length === map.limit).toBe(true);
  }
}

const ANSWERS_MAX = 5_000;

class Player {
  readonly story: Story;
  readonly #dice: Dice;

  constructor(story: Story, dice: Dice) {
    this.story = story;
    this.#dice = dice;
  }

  /** False if nothing is left to do. */
  step(): boolean {
    const { story } = this;
    if (story.head.status === 'suspended') {
      const at = story.now as Instant;
      if (this.#dice.roll(3) === 0) story.tell({ type: 'resume', at });
    } else if (this.#dice.roll(40) === 0) {
      story.tell({ type: 'suspend', at: story.now as Instant });
    }
    if (this.#dice.roll(5) === 0) story.instance = assemble(rowsOf(story.instance));
    const open = story.instance.tokens.values().filter((token) => this.#isOpen(token));
    if (open.length === 0) return story.head.status === 'suspended';
    const token = this.#dice.pick(open);
    if (this.#dice.roll(6) === 0) withoutCode(story, () => this.#answer(token));
    else this.#answer(token);
    return true;
  }

  #isOpen(token: Token): boolean {
    if (token.status === 'ready') return !isResting(token) || token.handler !== null;
    return token.wait?.on === 'message' || token.wait?.on === 'time';
  }

  #answer({ id, wait, mode, handler, node }: Token): string {
    const { story } = this;
    if (wait?.on === 'message') return story.message(id, wait.type, wait.key);
    if (wait?.on === 'time') return story.time(id);
    const isOwn = handler?.endsWith(`/${node}`) === true || mode === 'compensation';
    if (!isOwn || isResting(story.instance.tokens.get(id) as Token)) return story.go(id);
    return this.#dice.roll(8) === 0 && mode === 'forward' ? story.fail(id) : story.done(id);
  }
}

describe('random flows of maps keep what maps promise', () => {
  const counts = { ends: new Map<string, number>(), lists: 0 };

  test.each(Array.from({ length: 12 }, (_, block) => block))('block %s', (block) => {
    for (let seed = block * 25; seed < (block + 1) * 25; seed += 1) {
      const dice = new Dice(seed);
      const author = new Author(dice);
      const job = author.write();
      expect(job.definition.diagnostics).toEqual([]);
      const limits = { MOVES_PER_COMMIT: dice.pick([1, 2, 3, 5, 1_000]) };
      const story = new Story(written(job), { limits, key: 'k' });
      story.start();
      const player = new Player(story, dice);
      for (let answers = 0; player.step(); answers += 1) {
        expectLimits(story, author.maps);
        expect(answers, `seed ${seed}`).toBeLessThan(ANSWERS_MAX);
      }
      expect(story.head.endedAt, `seed ${seed}`).not.toBeNull();
      counts.lists += expectLists(story, author.maps);
      counts.ends.set(story.head.status, (counts.ends.get(story.head.status) ?? 0) + 1);
    }
  });

  test('and some of each end were among them', () => {
    expect(counts.lists).toBeGreaterThan(200);
    expect(counts.ends.get('completed')).toBeGreaterThan(50);
    expect(counts.ends.get('failed')).toBeGreaterThan(15);
  });
});
