/**
 * What holds of every flowchart that was played, read off its history and its last rows alone.
 *
 * A pass of an activity is a scope, the activity and the numbers of its tokens. In one pass it runs
 * once for each token that came back, which begins that pass, and beyond that as often as the
 * busiest of its forward ways has brought a token (converge, race, stream), or as every one of them
 * has (merge); with convergeStrict it is every way, whatever the pass. Whoever came is taken once,
 * is cancelled, or still waits where it all has stalled.
 */
import type { Change, NewToken } from '../model/change.ts';
import type { StalledJoin, Token } from '../model/instance.ts';
import type { OracleScope } from './chart-oracle.ts';
import type { Played } from './chart-player.ts';
import { isSame, type Reading, type Way } from './chart-reading.ts';

interface Hall {
  readonly at: string;
  readonly mode: string;
  readonly ways: readonly Way[];
  readonly isLater: boolean;
  /** How many were taken, by the way they came. */
  readonly taken: Map<string, number>;
  fired: number;
}

/** What was seen, so that whoever plays many can tell that there was enough of it. */
export type Tally = Map<string, number>;

export function* chartBreaches(played: Played, chart: Reading, tally: Tally): Iterable<string> {
  const halls = hallsOf(played, chart, tally);
  for (const hall of halls) yield* hallBreaches(hall, tally);
  const { head, tokens, scopes, crowds } = played.instance;
  if (head.status === 'completed') {
    const rest = [tokens.size, scopes.size, crowds?.scopes().length ?? 0];
    if (rest.some((size) => size > 0)) yield `it is completed, and holds ${rest.join()}`;
  }
  if (head.stalled !== null) yield* stallBreaches(played, head.stalled.joins);
}

function hallsOf({ history }: Played, chart: Reading, tally: Tally): readonly Hall[] {
  const halls = new Map<string, Hall>();
  const waiting = new Map<number, { readonly hall: Hall; readonly token: NewToken }>();
  const opened = new Set<number>();
  for (const change of history.flatMap(({ changes }) => changes as Change[])) {
    if (change.did === 'open-scope') opened.add(change.scope.id);
    if (change.did === 'end-token') {
      const { hall, token } = waiting.get(change.token) ?? {};
      waiting.delete(change.token);
      const via = token?.via ?? null;
      if (hall === undefined || via === null) continue;
      const isBlock = token?.wait?.on === 'merge' && token.wait.block === true;
      if (change.why === 'cancelled') count(tally, 'somebody was cancelled who waited');
      else if (isBlock) count(tally, 'a block was used or dropped');
      else hall.taken.set(via, (hall.taken.get(via) ?? 0) + 1);
    }
    if (change.did !== 'birth-token') continue;
    const { id, scope, node, via = null, wait = null, groups = [] } = change.token;
    // What a scope begins with came from nowhere.
    const begins = opened.delete(scope);
    const own = readingOf(chart, node);
    if (begins || own === undefined) continue;
    const mode = own.activities.get(node)?.mergeMode ?? 'converge';
    const ways = own.ways.filter(({ to }) => to === node);
    if (ways.length < 2 || mode === 'cascade') continue;
    const pass = mode === 'convergeStrict' ? '' : groups.join();
    const name = `${scope} ${node} ${pass}`;
    const fresh = { at: node, mode, ways, isLater: pass !== '', taken: new Map(), fired: 0 };
    const hall: Hall = halls.get(name) ?? fresh;
    halls.set(name, hall);
    if (wait?.on === 'merge') waiting.set(id, { hall, token: change.token });
    else if (via === null) hall.fired += 1;
  }
  return [...halls.values()];
}

function readingOf(chart: Reading, node: string): Reading | undefined {
  if (chart.activities.has(node)) return chart;
  for (const inner of chart.inner.values()) {
    const found = readingOf(inner, node);
    if (found !== undefined) return found;
  }
  return undefined;
}

function* hallBreaches(
  { at, mode, ways, isLater, taken, fired }: Hall,
  tally: Tally,
): Iterable<string> {
  const isCounted = ({ isBack }: Way): boolean => mode === 'convergeStrict' || !isBack;
  const came = (way: Way): number => taken.get(way.id) ?? 0;
  const back = ways.filter((way) => !isCounted(way)).reduce((sum, way) => sum + came(way), 0);
  const counts = ways.filter(isCounted).map(came);
  const most = Math.max(0, ...counts);
  const isAll = mode === 'merge' || mode === 'convergeStrict';
  const those = `${back} came back, ${counts.join()} forth`;
  const told = `"${at}" (${mode}) ran ${fired} times in one pass: ${those}`;
  if (fired !== back + most) yield told;
  if (isAll && counts.some((one) => one !== most)) yield told;
  count(tally, `${mode} ran`, fired);
  if (back > 0) count(tally, 'an activity ran for who came back');
  if (most > 1) count(tally, 'an activity ran twice in one pass');
  if (isLater && most > 0 && counts.filter((one) => one > 0).length > 1) {
    count(tally, 'several met in a later pass');
  }
}

/** Nobody moves, and each activity that holds somebody says rightly what it lacks. */
function* stallBreaches(played: Played, joins: readonly StalledJoin[]): Iterable<string> {
  const { instance, oracle } = played;
  const waiting = instance.tokens.values().filter(isArrival);
  const named = joins.flatMap(({ arrived }) => arrived);
  if (named.length !== waiting.length || new Set(named).size !== named.length) {
    yield `the report names ${named.join()}, and ${waiting.map(({ id }) => id).join()} wait`;
  }
  if (joins.length === 0) yield 'it is stalled, and the report is empty';
  if (!joins.some(({ node }) => isStubborn(modeAt(oracle.scopes, node)))) {
    yield 'it is stalled, and nothing waits for whoever may never come';
  }
  for (const { node, scope, arrived, missing } of joins) {
    const place = oracle.scopes.find(({ name }) => name === played.scopes.get(scope));
    const tokens = waiting.filter(({ id }) => arrived.includes(id));
    const passes = tokens.map(({ groups }) => groups.map((one) => played.passes.get(one) ?? ''));
    const isStrict = modeAt(oracle.scopes, node) === 'convergeStrict';
    const [pass] = passes;
    const isRight = tokens.every((token) => token.node === node && token.scope === scope);
    if (place === undefined || pass === undefined || !isRight) {
      yield `"${node}" is said to hold ${arrived.join()}`;
      continue;
    }
    if (!isStrict && !passes.every((one) => isSame(one, pass))) yield `"${node}" mixes passes`;
    const right = oracle.missing(place, node, isStrict ? null : pass);
    if (right.length === 0) yield `"${node}" lacks nothing`;
    if (missing.toSorted().join() !== right.toSorted().join()) {
      yield `"${node}" is said to lack ${missing.join()}, and lacks ${right.join()}`;
    }
    if (tokens.some(({ via }) => via !== null && missing.includes(via))) {
      yield `"${node}" lacks what it holds`;
    }
  }
}

function isArrival({ wait }: Token): boolean {
  return wait?.on === 'merge' && wait.block !== true;
}

/** Those that wait for every way, whether anybody can come by it or not. */
function isStubborn(mode: string): boolean {
  return mode === 'merge' || mode === 'convergeStrict';
}

function modeAt(scopes: readonly OracleScope[], node: string): string {
  const scope = scopes.find(({ chart }) => chart.activities.has(node));
  return scope?.chart.activities.get(node)?.mergeMode ?? 'converge';
}

export function count(tally: Tally, what: string, by = 1): void {
  tally.set(what, (tally.get(what) ?? 0) + by);
}
