/**
 * Plays a flowchart to its end, again and again, and tells what was the same each time.
 *
 * A schedule chooses who is next of all that can be answered, woken, tried again or mended. Random
 * ones also have the instance rebuilt from its rows between two strides, as after a restart, have
 * it suspended for a while, have handlers answer whose activity has been cancelled, and some of
 * them have strides that are over after a move: none of that may change what runs.
 */
import { assert } from '../base/assert.ts';
import type {
  ActivityDefinition,
  ConnectionDefinition,
  FlowchartBody,
} from '../frontends/flowchart/definition.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import { assemble, isResting, rowsOf } from '../kernel/instance.ts';
import type { Change } from '../model/change.ts';
import type { Flow } from '../model/definition.ts';
import type { MergeMode } from '../model/merge.ts';
import { DONE } from '../model/activity.ts';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import { Dice } from './dice.ts';
import { type Drawing, Story, written } from './story.ts';

/** What several ways into an activity mean, or more of what it is. */
type Said = MergeMode | Partial<ActivityDefinition>;

/** `chart(['A -> B, C -> D', 'B:No -> A'], { D: 'race' })`: it begins with the first name. */
export function chart(
  lines: readonly string[],
  said: Readonly<Record<string, Said>> = {},
): FlowchartBody {
  const connections = lines.flatMap(connectionsIn);
  const names = lines.flatMap((line) => line.split(/->|,/).map((stop) => stopAt(stop).from));
  const activities = [...new Set(names)].map((id) => {
    const own = said[id] ?? {};
    return { id, type: id, ...(typeof own === 'string' ? { mergeMode: own } : own) };
  });
  return { start: names[0] ?? null, activities, connections };
}

/** A flowchart as an activity of another. */
export function nested(...drawing: Parameters<typeof chart>): Partial<ActivityDefinition> {
  return { type: 'flowchart', config: chart(...drawing) };
}

/** A flowchart that is run for each item. */
export function forEach(
  items: readonly number[],
  ...drawing: Parameters<typeof chart>
): Partial<ActivityDefinition> {
  return { type: 'forEach', config: { items, ...chart(...drawing) } };
}

function connectionsIn(line: string): ConnectionDefinition[] {
  const stops = line.split('->').map((stop) => stop.split(',').map(stopAt));
  return stops
    .slice(1)
    .flatMap((targets, index) =>
      (stops[index] ?? []).flatMap((source) => targets.map(({ from: to }) => ({ ...source, to }))),
    );
}

function stopAt(stop: string): { from: string; outcome: string } {
  const [from = '', outcome = DONE] = stop.trim().split(':');
  return { from, outcome };
}

/**
 * How an execution of an activity ends: with an outcome, or several at once (`'Yes, No'`). Before
 * that it may wait for a message, fail and be tried again, or fail for good and be mended.
 */
export type Answer =
  | string
  | { readonly waits: string }
  | { readonly fails: string }
  | { readonly breaks: string };

/** By activity: the same each time, or one after the other and `Done` from then on. */
export type Answers = Readonly<Record<string, Answer | readonly Answer[]>>;

const RANDOM_SCHEDULES = 100;
const ANSWERS_MAX = 2_000;

/**
 * What came of it, as text: how it ended, what ran and how often (`B*2`), and what a stalled one
 * lacks. One that differs from the first says under which schedule. With `only`, just the
 * executions of these are told: of a race, losers may run or not.
 */
export function endings(
  body: FlowchartBody,
  answers: Answers = {},
  only?: string,
): readonly string[] {
  const drawing = written(flowOf(body, answers));
  const told = new Map<string, string>();
  const names = only === undefined ? null : new Set(only.split(' '));
  for (const [name, schedule] of schedules()) {
    const ending = played(drawing, answers, schedule, names);
    if (!told.has(ending)) told.set(ending, told.size === 0 ? ending : `${ending} (${name})`);
  }
  return [...told.values()];
}

interface Schedule {
  readonly next: (tokens: readonly Token[]) => Token | undefined;
  /** Whether something that should change nothing happens now. */
  readonly isTime: (sides: number) => boolean;
}

function* schedules(): Generator<readonly [string, Schedule]> {
  yield ['FIFO', { next: (tokens) => tokens[0], isTime: () => false }];
  yield ['LIFO', { next: (tokens) => tokens.at(-1), isTime: () => false }];
  for (let seed = 1; seed <= RANDOM_SCHEDULES; seed += 1) {
    const dice = new Dice(seed);
    const isTime = (sides: number): boolean => dice.roll(sides) === 0;
    yield [`random schedule ${seed}`, { next: (tokens) => dice.pick(tokens), isTime }];
  }
}

/** The flow itself. Activities that are to fail are tried again, or wait to be mended. */
export function flowOf(body: FlowchartBody, answers: Answers = {}): Flow {
  const flow = flowchart({ id: 'chart', version: 1, ...body });
  const { draft } = flow.definition;
  const retry = { maxAttempts: 2, delayMs: 1000, backoff: 'fixed', maxDelayMs: 1000, jitter: 0 };
  const nodes = draft.nodes.map((node) => {
    const own = [answers[node.id] ?? []].flat();
    const tried = own.some((one) => typeof one === 'object' && 'fails' in one) ? { retry } : {};
    const breaks = own.some((one) => typeof one === 'object' && 'breaks' in one);
    const mended = breaks ? { onFailure: 'incident' } : {};
    return { ...node, settings: { ...node.settings, ...tried, ...mended } };
  });
  return { ...flow, definition: { ...flow.definition, draft: { ...draft, nodes } } };
}

function played(
  drawing: Drawing,
  answers: Answers,
  { next, isTime }: Schedule,
  only: ReadonlySet<string> | null,
): string {
  const limits = isTime(4) ? { MOVES_PER_COMMIT: 1 } : {};
  const story = new Story(drawing, { key: 'k', limits });
  const script = new Script(answers);
  const seen = new Set<TokenId>();
  story.start();
  for (let count = 0; count < ANSWERS_MAX; count += 1) {
    if (isTime(4)) story.instance = assemble(rowsOf(story.instance));
    if (isTime(6)) answerLate(story, seen);
    if (story.head.status === 'running' && isTime(8)) operate(story, 'suspend');
    else if (story.head.status === 'suspended' && isTime(3)) operate(story, 'resume');
    if (openIn(story).length === 0 && story.head.status === 'suspended') operate(story, 'resume');
    const open = openIn(story);
    for (const { id, status } of open) if (status === 'ready') seen.add(id);
    const token = open.length === 0 ? undefined : next(open);
    if (token === undefined) return told(story, only);
    const { version } = story.head;
    script.answer(story, token);
    assert(story.head.version === version + 1, () => `the answer to token ${token.id} was taken`);
  }
  return `goes on for more than ${ANSWERS_MAX} answers: ${executions(story, only)}`;
}

/** Whoever can be answered now. Of what is suspended, handlers come to their end and no more. */
function openIn({ instance }: Story): readonly Token[] {
  const isStill = instance.head.status === 'suspended';
  return instance.tokens.values().filter((token) => {
    if (token.status === 'ready') return token.handler !== null && !(isStill && isResting(token));
    return !isStill && (token.wait?.on === 'message' || token.wait?.on === 'incident');
  });
}

function operate(story: Story, type: 'suspend' | 'resume'): void {
  story.tell({ type, at: story.now as never, act: { verb: type, by: null } });
}

/** A handler answers whose token is gone. */
function answerLate(story: Story, seen: ReadonlySet<TokenId>): void {
  const { tokens, head } = story.instance;
  const gone = [...seen].find((id) => tokens.get(id) === undefined);
  if (gone === undefined) return;
  story.done(gone, 'late');
  assert(story.head.version === head.version, () => `the late answer to ${gone} changed nothing`);
}

/** Who is told what: an execution keeps to its answer while it waits and is tried again. */
class Script {
  readonly #answers: Answers;
  readonly #counts = new Map<string, number>();
  readonly #given = new Map<TokenId, Answer>();

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  answer(story: Story, token: Token): void {
    const { id, wait } = token;
    if (wait?.on === 'message') return void story.message(id, wait.type, wait.key);
    if (wait?.on === 'incident') return void story.retry(id);
    if (isResting(token)) return void story.go(id);
    const answer = this.#given.get(id);
    const due = answer ?? this.#next(token);
    this.#given.set(id, due);
    if (typeof due === 'string') return end(story, token, due);
    if ('waits' in due) {
      if (answer === undefined) return void story.waits(id, 'go');
      return end(story, token, due.waits);
    }
    if (answer === undefined) return void story.fail(id);
    return end(story, token, 'fails' in due ? due.fails : due.breaks);
  }

  #next({ node }: Token): Answer {
    const own = this.#answers[node] ?? DONE;
    if (!Array.isArray(own)) return own as Answer;
    const count = this.#counts.get(node) ?? 0;
    this.#counts.set(node, count + 1);
    return (own[count] as Answer | undefined) ?? DONE;
  }
}

function end(story: Story, { id, node, availableAt }: Token, named: string): void {
  story.now = Math.max(story.now, availableAt);
  const at = story.now as never;
  const outcomes = named.split(',').flatMap((name) => name.trim() || []);
  const outcome = { outcome: 'done', value: node, outcomes } as const;
  const claim = { worker: 'w1', version: 1, at };
  story.tell({ type: 'result', at, token: id, claim, outcome });
}

function told(story: Story, only: ReadonlySet<string> | null): string {
  const { head, instance } = story;
  const { status, stalled, fault } = head;
  const ran = executions(story, only);
  if (status === 'failed') return `failed with ${fault?.code}: ${ran}`;
  if (status !== 'completed') {
    const lacks = stalled?.joins.map(({ node, missing }) => `${node} lacks ${missing.join(', ')}`);
    // In which order the passes are told is not the same each time.
    return lacks === undefined ? `hangs: ${ran}` : `stalled: ${ran} | ${lacks.sort().join('; ')}`;
  }
  const crowded = instance.crowds?.scopes().length ?? 0;
  const left = instance.tokens.size + instance.scopes.size + crowded;
  assert(left === 0, 'nothing is left of what has completed');
  return `completed: ${ran}`;
}

function executions({ history }: Story, only: ReadonlySet<string> | null): string {
  const changes = history.flatMap((row) => row.changes);
  return executedIn(changes, (node) => only?.has(node) !== false);
}

/** Every execution that came to its end, by name and with how often: `A B*2`. */
export function executedIn(
  changes: readonly Change[],
  isTold: (node: string) => boolean = () => true,
): string {
  const nodes = new Map<TokenId, string>();
  const counts = new Map<string, number>();
  for (const change of changes) {
    if (change.did === 'birth-token' && change.token.wait?.on !== 'merge') {
      nodes.set(change.token.id, change.token.node);
    }
    if (change.did !== 'end-token' || change.why !== 'done') continue;
    const node = nodes.get(change.token);
    if (node === undefined || HIDDEN.test(node) || !isTold(node)) continue;
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([node, count]) => (count === 1 ? node : `${node}*${count}`)).join(' ');
}

/** Nodes that stand for a whole region, and that nobody has drawn. */
const HIDDEN = /(^|\/):/;
