/**
 * What a run looks like while it runs: a line for every node that something happened to, and, where
 * a person looks, one line below that is written over with what is being done just now, for how
 * long, and how far that is.
 */
import type { Flow } from '../index.ts';
import type { Happening } from './happening.ts';
import { plainLine } from './plain.ts';
import { spanText } from './spans.ts';
import type { Paint, Terminal } from './terminal.ts';

const SIGNS: Readonly<Record<Happening['state'], readonly [string, Paint]>> = {
  begun: ['▸', 'cyan'],
  done: ['✓', 'green'],
  failed: ['✗', 'red'],
  stopped: ['■', 'yellow'],
  waits: ['…', 'yellow'],
  'goes on': ['▸', 'cyan'],
  said: ['·', 'dim'],
};

const BAR_CELLS = 10;
/** Long enough for most names; longer ones push the rest aside. */
const NAME_COLUMNS = 16;
/** How often the time in the line below is brought up to date. */
const TICK_MS = 100;

/** A token that is at work, or waits. */
interface Active {
  readonly node: string;
  readonly isWaiting: boolean;
  readonly since: number;
  /** How far it is, where that is known. */
  readonly bar: string;
}

export interface ProgressOptions {
  readonly terminal: Terminal;
  readonly flow: Flow;
  readonly write: (text: string) => void;
  /** How long a token has been at work in this process; undefined if it is not. */
  readonly atWorkMs: (token: number) => number | undefined;
}

export class Progress {
  readonly #options: ProgressOptions;
  /** How many there are in all, by node: passes of a loop, or steps of the chain. */
  readonly #totals: ReadonlyMap<string, number>;
  readonly #active = new Map<number, Active>();
  /** How far the loop is that went round last, and its node. */
  #pass: { readonly node: string; readonly bar: string } | null = null;
  #ticking: NodeJS.Timeout | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#totals = totalsOf(options.flow);
  }

  /** Shows what happened. */
  show(happenings: readonly Happening[]): void {
    for (const happening of happenings) {
      this.#note(happening);
      this.#tick();
      this.#tell(happening);
    }
  }

  /** What happened before anyone looked: it is known, and not shown. */
  know(happenings: readonly Happening[]): void {
    for (const happening of happenings) this.#note(happening);
  }

  /** A line that is no happening. */
  say(text: string): void {
    this.#options.write(`${text}\n`);
  }

  /** Nodes that a handler of this process is at work on. */
  atWork(): readonly string[] {
    const busy = [...this.#active].filter(([token]) => {
      return this.#options.atWorkMs(token) !== undefined;
    });
    return [...new Set(busy.map(([, { node }]) => node))];
  }

  /** Takes the line away that is written over. */
  end(): void {
    clearInterval(this.#ticking);
    this.#active.clear();
    this.#options.terminal.live(null);
  }

  #note({ node, token, state, place, tookMs }: Happening): void {
    if (node === null) return;
    if (token === null && state === 'goes on') {
      this.#pass = { node, bar: this.#bar({ node, place, state }) };
    }
    if (this.#pass?.node === node && state !== 'goes on') this.#pass = null;
    if (token === null) return;
    const isBusy = state === 'begun' || state === 'goes on';
    // What failed and is not over waits, too: to be tried again, or to be mended.
    const isWaiting = state === 'waits' || (state === 'failed' && tookMs === null);
    this.#active.delete(token);
    if (!isBusy && !isWaiting) return;
    const bar = this.#bar({ node, place, state });
    this.#active.set(token, { node, isWaiting, since: performance.now(), bar });
  }

  #tell(happening: Happening): void {
    const { node, state, text, tookMs } = happening;
    // Whoever looks sees it in the line below; for everyone else its end is news enough.
    if (state === 'begun') return;
    const { terminal } = this.#options;
    const [sign, paint] = SIGNS[state];
    const name = node === null ? '' : `${node.padEnd(NAME_COLUMNS)} `;
    const time = tookMs === null ? '' : ` ${terminal.paint('dim', spanText(tookMs))}`;
    // One that is written over says more than one in every line.
    const bar = terminal.isLive ? '' : this.#bar(happening);
    this.say(`${terminal.paint(paint, sign)} ${name}${plainLine(text)}${time}${bar}`);
  }

  #bar({ node, place, state }: Pick<Happening, 'node' | 'place' | 'state'>): string {
    const total = node === null || place === null ? undefined : this.#totals.get(node);
    if (total === undefined || place === null) return '';
    const done = state === 'done' ? place + 1 : place;
    return `  ${barText(done, total)}`;
  }

  /** Draws the line below, and again and again for as long as there is something in it. */
  #tick(): void {
    const { terminal } = this.#options;
    if (!terminal.isLive) return;
    terminal.live(this.#line());
    if (this.#active.size === 0) {
      clearInterval(this.#ticking);
      this.#ticking = undefined;
    }
    if (this.#active.size === 0 || this.#ticking !== undefined) return;
    this.#ticking = setInterval(() => terminal.live(this.#line()), TICK_MS);
    this.#ticking.unref();
  }

  /** What is at work, or else what is waited for; the longest time of these. */
  #line(): string | null {
    const { terminal } = this.#options;
    const all = [...this.#active];
    // That one is tried again is nowhere to be read before it has ended.
    const busy = all.filter(([token, { isWaiting }]) => {
      return !isWaiting || this.#options.atWorkMs(token) !== undefined;
    });
    const shown = busy.length > 0 ? busy : all;
    if (shown.length === 0) return null;
    const [sign, paint] = SIGNS[busy.length > 0 ? 'begun' : 'waits'];
    const longest = Math.max(...shown.map(([token, active]) => this.#activeMs(token, active)));
    const bar = shown.findLast(([, active]) => active.bar !== '')?.[1].bar ?? this.#pass?.bar;
    const rest = ` ${tenths(longest)}${bar ?? ''}`;
    const names = [...new Set(shown.map(([, { node }]) => node))].join(', ');
    const room = (terminal.columns ?? NAME_COLUMNS) - rest.length - SIGN_COLUMNS;
    return `${terminal.paint(paint, sign)} ${cut(names, room)}${terminal.paint('dim', rest)}`;
  }

  #activeMs(token: number, { since }: Active): number {
    return this.#options.atWorkMs(token) ?? performance.now() - since;
  }
}

/** The sign, the space after it, and the last column, which stays free. */
const SIGN_COLUMNS = 3;

/** A time that is seen to run, and does not flicker. */
function tenths(ms: number): string {
  if (ms >= 60_000) return spanText(ms);
  return `${(Math.floor(ms / TICK_MS) / 10).toFixed(1)}s`;
}

function cut(text: string, columns: number): string {
  const letters = Array.from(text);
  return letters.length <= columns ? text : `${letters.slice(0, columns - 1).join('')}…`;
}

/** `[#####.....] 12/25`: full only when all are done. */
export function barText(done: number, total: number): string {
  const filled = Math.floor((Math.min(done, total) / Math.max(total, 1)) * BAR_CELLS);
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_CELLS - filled)}] ${done}/${total}`;
}

function totalsOf({ definition }: Flow): ReadonlyMap<string, number> {
  const { nodes } = definition.draft;
  const links = nodes.filter(({ kind }) => kind === 'link').length;
  return new Map(
    nodes.flatMap(({ id, kind, settings }): (readonly [string, number])[] => {
      if (kind === 'link') return [[id, links]];
      const { times } = settings;
      return kind === 'repeat' && typeof times === 'number' ? [[id, times]] : [];
    }),
  );
}
