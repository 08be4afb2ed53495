/**
 * Plays a random flowchart to its end, the kernel and the oracle side by side: whoever is answered
 * in one is answered in the other, and after every answer both must have the same tokens.
 */
import { assert, InvariantError } from '../base/assert.ts';
import { advance } from '../kernel/advance.ts';
import { assemble, emptyInstance, type Instance, isResting, rowsOf } from '../kernel/instance.ts';
import { checkInvariants } from '../kernel/invariants.ts';
import type { Machine } from '../kernel/machine.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import type { Change, NewScope, NewToken } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Input, Outcome } from '../model/input.ts';
import type { Token } from '../model/instance.ts';
import { ChartOracle, lineOf, Names, type OracleToken, tell } from './chart-oracle.ts';
import type { Pass, Reading } from './chart-reading.ts';
import type { Dice } from './dice.ts';
import type { Order } from './play.ts';
import { answerOf, isPatient, type RandomChart } from './random-charts.ts';
import { machineOf, written } from './story.ts';

/** Past this a chart is cut short: where everything runs for each arrival, it may be too many. */
const EXECUTIONS_MAX = 120;
const TOKENS_MAX = 50;
const AT = 0 as Instant;

export interface Played {
  readonly machine: Machine;
  readonly instance: Instance;
  readonly history: readonly HistoryRow[];
  readonly oracle: ChartOracle;
  /** Where activities ran, in words that no order of answers changes. */
  readonly executions: readonly string[];
  readonly isCut: boolean;
  /** What is wrong, in words; nothing if the two agree to the end. */
  readonly breach: string | null;
  /** The name of a scope, and of a pass, by the kernel's numbers. */
  readonly scopes: ReadonlyMap<number, string>;
  readonly passes: ReadonlyMap<number, string>;
}

export interface PlayOptions {
  readonly order: Order;
  /** Who is rebuilt from rows, and how long strides are. */
  readonly dice: Dice;
  /** Every promise is checked after each stride, not only what `advance` itself asks. */
  readonly isThorough: boolean;
}

export function playChart(chart: RandomChart, options: PlayOptions): Played {
  const player = new Player(chart, options);
  try {
    player.play();
  } catch (thrown) {
    // A promise of the kernel's own, and a breach like any other.
    if (!(thrown instanceof InvariantError)) throw thrown;
    player.breach = thrown.message;
  }
  return player;
}

class Player implements Played {
  readonly machine: Machine;
  instance: Instance = emptyInstance('i1' as InstanceId);
  readonly history: HistoryRow[] = [];
  readonly oracle: ChartOracle;
  readonly executions: string[] = [];
  readonly scopes = new Map<number, string>();
  readonly passes = new Map<number, string>([[0, '']]);
  isCut = false;
  breach: string | null = null;
  readonly #chart: RandomChart;
  readonly #options: PlayOptions;
  readonly #names = new Names();
  readonly #born = new Map<number, NewToken>();
  readonly #back: ReadonlySet<string>;
  readonly #visits = new Map<string, number>();
  #step = 0;

  constructor(chart: RandomChart, options: PlayOptions) {
    const { dice } = options;
    const limits = dice.roll(6) === 0 ? { MOVES_PER_COMMIT: 1 + dice.roll(4) } : {};
    this.machine = machineOf(written(flowchart(chart.definition)), limits);
    this.oracle = new ChartOracle(chart.reading);
    this.#chart = chart;
    this.#options = options;
    this.#back = new Set(backIn(chart.reading));
  }

  play(): void {
    const { name: flow, version: flowVersion } = this.machine.plan;
    const birth = { id: 'i1' as InstanceId, flow, flowVersion, input: null };
    this.#tell({ type: 'start', at: AT, birth });
    while (this.#agree()) {
      const open = this.instance.tokens.values().filter(isAnswerable);
      const token = open.length === 0 ? undefined : this.#options.order(open);
      if (token === undefined) return;
      if (this.executions.length >= EXECUTIONS_MAX || open.length > TOKENS_MAX) {
        this.isCut = true;
        return;
      }
      this.#answer(token);
    }
  }

  #answer(token: Token): void {
    const { id, node, wait, visit } = token;
    if (wait?.on === 'message') {
      const message = { id: 'm', type: wait.type, key: wait.key, data: null };
      return this.#tell({ type: 'message', at: AT, token: id, message });
    }
    if (visit === 1 && isPatient(this.#chart, node)) {
      return this.#result(id, { outcome: 'waiting', type: 'go', timeoutMs: null, letters: [] });
    }
    const line = this.#lineOf(token);
    const twin = this.oracle.tokens.find((one) => lineOf(one) === line);
    assert(twin !== undefined, 'who is answered is known to both');
    const place = placeOf(this.oracle, twin);
    const times = this.#visits.get(node) ?? 0;
    this.#visits.set(node, times + 1);
    const depths = twin.pass.map((name) => this.oracle.depths.get(name) ?? 0);
    const { chart } = twin.scope;
    const asked = { at: node, chart, visit: times, depths, place };
    const outcomes = answerOf(this.#chart, asked);
    this.executions.push(place);
    this.#step += 1;
    this.#result(id, { outcome: 'done', value: null, outcomes });
    this.oracle.answer(twin, outcomes);
  }

  #result(token: TokenId, outcome: Outcome): void {
    this.#tell({ type: 'result', at: AT, token, claim: CLAIM, outcome });
  }

  /** One stride, and then whatever it had set down. */
  #tell(input: Input): void {
    this.#enter(input);
    while (this.instance.resting.size > 0) {
      const isClaimable = (token: Token): boolean => isResting(token) && token.handler !== null;
      const token = this.instance.tokens.values().find(isClaimable);
      assert(token !== undefined, 'what was set down can be claimed');
      this.#enter({ type: 'continue', at: AT, token: token.id, claim: CLAIM });
    }
  }

  #enter(input: Input): void {
    const { dice, isThorough } = this.#options;
    if (dice.roll(5) === 0) this.instance = assemble(rowsOf(this.instance));
    const { after, changes } = advance(this.machine, this.instance, input);
    assert(changes.length > 0, () => `${input.type} is taken`);
    this.instance = after;
    const n = after.head.version;
    this.history.push({ n, at: AT, commitId: `c${n}`, changes });
    for (const change of changes) this.#name(change);
    if (!isThorough) return;
    const broken = checkInvariants(this.instance, this.history);
    assert(broken.length === 0, () => JSON.stringify(broken));
  }

  #name(change: Change): void {
    if (change.did === 'open-scope') this.#nameScope(change.scope);
    if (change.did !== 'birth-token') return;
    const { id, scope, via, groups = [] } = change.token;
    this.#born.set(id, change.token);
    if (via === undefined || via === null || !this.#back.has(via)) return;
    const kept = this.#named(groups.slice(0, -1));
    const name = this.#names.pass(this.#step, this.scopes.get(scope) ?? '', via, kept);
    this.passes.set(groups.at(-1) as number, name);
  }

  #nameScope({ id, parent, owner, index }: NewScope): void {
    const born = owner === null ? undefined : this.#born.get(owner);
    if (parent === null || born === undefined) return;
    const around = this.scopes.get(parent);
    if (around === undefined) {
      this.scopes.set(id, '');
    } else if (born.node.endsWith('/:item')) {
      this.scopes.set(id, `${around}[${index}]`);
    } else {
      const { node: at, groups = [] } = born;
      const pass = this.#named(groups);
      const line = tell({ scope: around, at, pass, state: 'open', via: null });
      this.scopes.set(id, this.#names.next(line));
    }
  }

  #named(groups: readonly number[]): Pass {
    return groups.map((group) => this.passes.get(group) ?? `unknown ${group}`);
  }

  #lineOf({ scope, node: at, groups, wait, via }: Token): string {
    const stands = wait?.on === 'merge' ? (wait.block === true ? 'block' : 'waits') : 'live';
    const state = wait?.on === 'scope' ? 'open' : stands;
    const by = wait?.on === 'merge' ? via : null;
    const name = this.scopes.get(scope) ?? '';
    return tell({ scope: name, at, pass: this.#named(groups), state, via: by });
  }

  /** False where it need not go on: they differ, or it is over. */
  #agree(): boolean {
    const { head, tokens } = this.instance;
    const isActivity = ({ node }: Token): boolean => !/:(flowchart|item)$/.test(node);
    const told = tokens
      .values()
      .filter(isActivity)
      .map((token) => this.#lineOf(token))
      .sort();
    const right = this.oracle.lines();
    if (told.join('\n') !== right.join('\n')) {
      this.breach = differenceOf(told, right);
      return false;
    }
    const { isOver, isStalled } = this.oracle;
    const as = isOver ? 'completed' : isStalled ? 'stalled' : 'running';
    const is = head.stalled === null ? head.status : 'stalled';
    if (is !== as) this.breach = `it is ${is}, and should be ${as}`;
    return is === as && as === 'running';
  }
}

const CLAIM = { worker: 'w1', version: 1, at: AT };

function* backIn(chart: Reading): Iterable<string> {
  for (const { id, isBack } of chart.ways) if (isBack) yield id;
  for (const inner of chart.inner.values()) yield* backIn(inner);
}

function isAnswerable({ status, wait, handler }: Token): boolean {
  return status === 'ready' ? handler !== null : wait?.on === 'message';
}

/** Where a token is, in words that no order of answers changes: nodes, rounds and items. */
function placeOf(oracle: ChartOracle, { at, pass, scope }: OracleToken): string {
  const rounds = pass.map((name) => oracle.depths.get(name) ?? 0);
  const own = `${at}<${rounds.join()}>`;
  const { owner, index } = scope;
  return owner === null ? own : `${placeOf(oracle, owner)}[${index ?? ''}] ${own}`;
}

function differenceOf(told: readonly string[], right: readonly string[]): string {
  const left = [...right];
  const only = told.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const lines = [
    ...only.map((line) => `  has    ${line}`),
    ...left.map((line) => `  lacks  ${line}`),
  ];
  return `the kernel and the oracle differ:\n${lines.join('\n')}`;
}
