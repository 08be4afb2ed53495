/**
 * What merge modes mean (ADR 42, BEHAVIOURS X-01 and §11.2), worked out a second time and as slowly
 * as can be: after every answer everything is asked anew, nothing is kept, nothing is looked up.
 *
 * It knows the definition and the answers, and of the kernel nothing at all. Who can still come is
 * found by walking every way there is from every token, with the pass it would have: somebody can
 * come by a way, in a pass, if one of these walks arrives by it in that pass. A walk that begins a
 * loop anew has a number there that nobody has yet, so it arrives in no pass that there is.
 *
 * Two things the texts leave open are as the kernel has them: who came back fires alone, and blocks
 * and cancels nobody; and activities that are asked at the same moment are asked by name.
 */
import {
  canCome,
  endsElsewhere,
  isSame,
  type Pass,
  passAfter,
  type Reading,
  type Way,
  waysInto,
} from './chart-reading.ts';

export interface OracleToken {
  readonly scope: OracleScope;
  readonly at: string;
  readonly pass: Pass;
  /** By which way it came, if it waits before its activity. */
  readonly via: string | null;
  state: 'live' | 'open' | 'waits' | 'block';
}

export interface OracleScope {
  readonly name: string;
  readonly chart: Reading;
  /** Whose inside it is, and which item it is of. */
  readonly owner: OracleToken | null;
  readonly index: number | null;
}

export class ChartOracle {
  tokens: OracleToken[] = [];
  scopes: OracleScope[] = [];
  /** How often a loop has been gone round, by the name of its pass. */
  readonly depths = new Map<string, number>();
  readonly #names = new Names();
  readonly #left = new Map<OracleToken, number[]>();
  #step = 0;

  constructor(chart: Reading) {
    this.#open(null, chart, '', null);
    this.#calm();
  }

  /** It is over, and nothing is left of it. */
  get isOver(): boolean {
    return this.scopes.length === 0;
  }

  /** Nothing will ever move, and somebody waits. */
  get isStalled(): boolean {
    return !this.isOver && !this.tokens.some(({ state }) => state === 'live');
  }

  /** Somebody ends with these outcomes. */
  answer(token: OracleToken, outcomes: readonly string[]): void {
    this.#step += 1;
    const ways = waysOutOf(token);
    this.#leave(
      token,
      outcomes.flatMap((outcome) => ways.filter((way) => way.outcome === outcome)),
    );
    this.#calm();
  }

  /** All that is there, one line each. */
  lines(): string[] {
    return this.tokens.map(lineOf).sort();
  }

  /** The ways that keep an activity from running, for those of one pass. */
  missing(scope: OracleScope, at: string, pass: Pass | null): string[] {
    const mode = modeAt(scope.chart, at);
    const held = this.#waitingAt(scope, at).filter((token) => {
      return pass === null || isSame(token.pass, pass);
    });
    const ways = waysInto(scope.chart, at).filter(
      (way) => mode === 'convergeStrict' || !way.isBack,
    );
    const empty = ways.filter(({ id }) => !held.some(({ via }) => via === id));
    if (mode !== 'converge') return empty.map(({ id }) => id);
    return empty
      .filter((way) => this.whoComes(scope, way, pass ?? []).length > 0)
      .map(({ id }) => id);
  }

  /** Everybody alive who can still come by a way in a pass. */
  whoComes(scope: OracleScope, way: Way, pass: Pass): OracleToken[] {
    return this.tokens.filter((token) => {
      return (
        token.scope === scope && token.state !== 'block' && canCome(scope.chart, token, way, pass)
      );
    });
  }

  #open(owner: OracleToken | null, chart: Reading, name: string, index: number | null): void {
    const scope = { name, chart, owner, index };
    this.scopes.push(scope);
    this.tokens.push({ scope, at: chart.start, pass: [], via: null, state: 'live' });
  }

  #leave(token: OracleToken, ways: readonly Way[] = waysOutOf(token)): void {
    const { scope, pass } = token;
    for (const way of ways) {
      const after = passAfter(scope.chart, way, pass, () => this.#fresh(scope, way, pass));
      const mode = modeAt(scope.chart, way.to);
      const isFree = waysInto(scope.chart, way.to).length < 2 && mode !== 'race';
      const waits = !isFree && mode !== 'cascade';
      const via = waits ? way.id : null;
      this.tokens.push({ scope, at: way.to, pass: after, via, state: waits ? 'waits' : 'live' });
    }
    this.#remove(token);
  }

  #fresh(scope: OracleScope, way: Way, pass: Pass): string {
    const kept = Array.from({ length: way.level }, (_, level) => pass[level] ?? '');
    const name = this.#names.pass(this.#step, scope.name, way.id, kept);
    this.depths.set(name, 1 + (this.depths.get(pass[way.level] ?? '') ?? 0));
    return name;
  }

  #remove(token: OracleToken): void {
    this.tokens = this.tokens.filter((one) => one !== token);
  }

  /** Everything inside a scope, and the scope. */
  #close(scope: OracleScope): void {
    for (const { owner, ...inner } of this.scopes) {
      if (owner?.scope === scope) this.#closeNamed(inner.name);
    }
    this.tokens = this.tokens.filter((token) => token.scope !== scope);
    this.scopes = this.scopes.filter((one) => one !== scope);
  }

  #closeNamed(name: string): void {
    const scope = this.scopes.find((one) => one.name === name);
    if (scope !== undefined) this.#close(scope);
  }

  #calm(): void {
    do this.#move();
    while (this.#settle());
  }

  /** Whatever needs no answer goes on, until nothing does. */
  #move(): void {
    for (let moves = true; moves; ) {
      moves = false;
      for (const token of [...this.tokens]) {
        if (token.state !== 'live' || !this.tokens.includes(token)) continue;
        moves = this.#run(token) || moves;
      }
      for (const scope of [...this.scopes]) {
        const isEmpty = !this.tokens.some((token) => token.scope === scope);
        if (!isEmpty || !this.scopes.includes(scope)) continue;
        this.#close(scope);
        this.#tell(scope);
        moves = true;
      }
    }
  }

  #run(token: OracleToken): boolean {
    const { scope, at } = token;
    const activity = scope.chart.activities.get(at);
    const chart = scope.chart.inner.get(at);
    switch (activity?.type) {
      case 'start':
        this.#leave(token);
        return true;
      case 'end':
        for (const other of this.tokens.filter((one) => one.scope === scope)) this.#drop(other);
        return true;
      case 'flowchart':
        token.state = 'open';
        this.#open(token, chart as Reading, this.#names.next(lineOf(token)), null);
        return true;
      case 'forEach': {
        const { items, limit = items.length } = activity.config as unknown as Items;
        if (items.length === 0) {
          this.#leave(token);
          return true;
        }
        token.state = 'open';
        const name = this.#names.next(lineOf(token));
        this.#left.set(token, [...items.keys()].slice(limit));
        for (const index of [...items.keys()].slice(0, limit)) {
          this.#open(token, chart as Reading, `${name}[${index}]`, index);
        }
        return true;
      }
      default:
        return false;
    }
  }

  /** An inner chart is over. */
  #tell({ owner, name, chart }: OracleScope): void {
    if (owner === null) return;
    const next = this.#left.get(owner)?.shift();
    if (next !== undefined) {
      const index = `[${next}]`;
      return this.#open(owner, chart, name.slice(0, name.lastIndexOf('[')) + index, next);
    }
    if (!this.scopes.some((one) => one.owner === owner)) this.#leave(owner);
  }

  /** It goes, with all inside it. */
  #drop(token: OracleToken): void {
    for (const scope of this.scopes.filter(({ owner }) => owner === token)) this.#close(scope);
    this.#remove(token);
  }

  /** Every activity that somebody waits at is asked once. True if something came of it. */
  #settle(): boolean {
    let settled = false;
    for (const scope of this.scopes) {
      const halls = this.tokens.filter((token) => token.scope === scope && token.via !== null);
      const names = [...new Set(halls.map(({ at }) => at))].sort();
      for (const at of names) settled = this.#ask(scope, at) || settled;
      for (const block of this.tokens.filter((one) => one.scope === scope)) {
        if (block.state !== 'block') continue;
        const way = wayOf(scope.chart, block.via);
        if (this.whoComes(scope, way, block.pass).length > 0) continue;
        this.#remove(block);
        settled = true;
      }
    }
    return settled;
  }

  #waitingAt(scope: OracleScope, at: string): OracleToken[] {
    return this.tokens.filter((token) => {
      return token.scope === scope && token.at === at && token.state === 'waits';
    });
  }

  #ask(scope: OracleScope, at: string): boolean {
    const { chart } = scope;
    const mode = modeAt(chart, at);
    const all = waysInto(chart, at);
    let fired = false;
    if (mode === 'convergeStrict') {
      for (;;) {
        const taken = oneByEach(this.#waitingAt(scope, at));
        if (taken.length < all.length) return fired;
        this.#fire(scope, at, newestOf(taken, this.#ages(taken)), taken);
        fired = true;
      }
    }
    for (const token of this.#waitingAt(scope, at)) {
      if (!wayOf(chart, token.via).isBack) continue;
      this.#fire(scope, at, token.pass, [token]);
      fired = true;
    }
    for (let next = true; next; fired = next || fired) {
      next = this.#waitingAt(scope, at).some((token) => {
        const those = this.#waitingAt(scope, at).filter((one) => isSame(one.pass, token.pass));
        return mode === 'race' || mode === 'stream'
          ? this.#first(scope, token, those)
          : this.#every(scope, at, those);
      });
    }
    return fired;
  }

  /** converge and merge, for those of one pass. */
  #every(scope: OracleScope, at: string, those: readonly OracleToken[]): boolean {
    const taken = oneByEach(those);
    const pass = (taken[0] as OracleToken).pass;
    const forward = waysInto(scope.chart, at).filter(({ isBack }) => !isBack);
    const empty = forward.filter(({ id }) => !taken.some(({ via }) => via === id));
    const isDead = (way: Way): boolean => this.whoComes(scope, way, pass).length === 0;
    if (modeAt(scope.chart, at) === 'merge' ? empty.length > 0 : !empty.every(isDead)) return false;
    this.#fire(scope, at, pass, taken);
    return true;
  }

  /** race and stream: whoever came first, of those of its pass. */
  #first(scope: OracleScope, first: OracleToken, those: readonly OracleToken[]): boolean {
    const { at, pass, via } = first;
    const block = this.tokens.find((one) => {
      const isHere = one.scope === scope && one.at === at && one.via === via;
      return isHere && one.state === 'block' && isSame(one.pass, pass);
    });
    if (block !== undefined) {
      this.#remove(block);
      this.#remove(first);
      return true;
    }
    const taken = oneByEach([first, ...those.filter((one) => one.via !== via)]);
    this.#fire(scope, at, pass, taken);
    const forward = waysInto(scope.chart, at).filter(({ isBack }) => !isBack);
    for (const way of forward) {
      if (taken.some((one) => one.via === way.id)) continue;
      if (this.whoComes(scope, way, pass).length === 0) continue;
      this.tokens.push({ scope, at, pass, via: way.id, state: 'block' });
    }
    if (modeAt(scope.chart, at) !== 'race') return true;
    for (const way of forward) {
      for (const token of this.whoComes(scope, way, pass)) {
        if (token.at !== at && !endsElsewhere(scope.chart, token.at, at)) this.#drop(token);
      }
    }
    return true;
  }

  #fire(scope: OracleScope, at: string, pass: Pass, taken: readonly OracleToken[]): void {
    this.tokens.push({ scope, at, pass, via: null, state: 'live' });
    for (const token of taken) this.#remove(token);
  }

  /** When the loops that tokens are in were begun: names are told in that order. */
  #ages(tokens: readonly OracleToken[]): (name: string) => number {
    const names = [...this.depths.keys()];
    return tokens.length === 0 ? () => 0 : (name) => 1 + names.indexOf(name);
  }
}

/**
 * Names for passes and scopes, of which the kernel has numbers. What is named twice in the same
 * words cannot be told apart, so it is all the same who of them is the first.
 */
export class Names {
  readonly #told = new Map<string, number>();

  next(name: string): string {
    const number = this.#told.get(name) ?? 0;
    this.#told.set(name, number + 1);
    return `${name}#${number}`;
  }

  pass(step: number, scope: string, way: string, kept: Pass): string {
    return this.next(`${step} ${scope} ${way} ${kept.join('|')}`);
  }
}

interface Items {
  readonly items: readonly unknown[];
  readonly limit?: number;
}

export function lineOf({ scope, at, pass, via, state }: OracleToken): string {
  return tell({ scope: scope.name, at, pass, state, via });
}

/** One line for a token, whoever tells it. */
export function tell(token: {
  readonly scope: string;
  readonly at: string;
  readonly pass: Pass;
  readonly state: string;
  readonly via: string | null;
}): string {
  const { scope, at, pass, state, via } = token;
  return `${state} ${at} <${pass.join('|')}> ${via ?? ''} in (${scope})`;
}

function modeAt(chart: Reading, at: string): string {
  return chart.activities.get(at)?.mergeMode ?? 'converge';
}

function waysOutOf({ scope, at }: OracleToken): readonly Way[] {
  return scope.chart.ways.filter(({ from }) => from === at);
}

function wayOf(chart: Reading, id: string | null): Way {
  return chart.ways.find((way) => way.id === id) as Way;
}

function oneByEach(tokens: readonly OracleToken[]): OracleToken[] {
  return tokens.filter((token, n) => tokens.findIndex(({ via }) => via === token.via) === n);
}

/** The pass that began last, in the outermost loop where they differ. */
function newestOf(tokens: readonly OracleToken[], ageOf: (name: string) => number): Pass {
  return tokens
    .map(({ pass }) => pass)
    .reduce((one, other) => {
      const level = other.findIndex((name, at) => name !== (one[at] ?? ''));
      return level >= 0 && ageOf(other[level] ?? '') > ageOf(one[level] ?? '') ? other : one;
    });
}
