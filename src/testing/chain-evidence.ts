/**
 * Whether a chain went as the model says, by three witnesses that do not know of each other.
 *
 * - The ledgers say what the handlers were told and what they answered. They are written outside of
 *   the engine, by handlers that draw their answers; no rule of chains is in them.
 * - History says which executions were committed, in which order, which were given up because
 *   their lease ran out, and what woke whom. Of what the engine made of an answer nothing is read
 *   here: that `retry(…)` became a retry is what is to be shown.
 * - The rows say how it all ended.
 *
 * The model is given the answers of the ledgers in the order of history. What it predicts is held
 * against the rows, against every change in history, and against what each execution was told. So a
 * rule that the engine breaks shows, unless the model, which shares no code with it, breaks the
 * same rule the same way.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Change } from '../model/change.ts';
import type { Token } from '../model/instance.ts';
import type { HistoryEntry, InstanceView } from '../runtime/run.ts';
import { type Fact, type Model, type ModelChain, type Predicted, predict } from './chain-model.ts';
import type { StormLine } from './chain-storm-flows.ts';

/** Everything that is known of one chain. */
export interface Evidence {
  readonly chain: ModelChain;
  readonly view: Pick<InstanceView, 'id' | 'status' | 'output' | 'fault' | 'tokens'>;
  readonly history: readonly Pick<HistoryEntry, 'changes'>[];
  readonly ledger: readonly StormLine[];
}

export interface Verdict {
  /** What does not fit. */
  readonly problems: readonly string[];
  readonly predicted: Predicted;
  readonly facts: readonly Fact[];
  /** The messages that woke its steps. */
  readonly messages: readonly string[];
}

export function judge(evidence: Evidence, model: Model = predict): Verdict {
  const { facts, lines, messages, problems } = readFacts(evidence);
  const predicted = model(evidence.chain, facts);
  const all = [
    ...problems,
    ...predicted.broken,
    ...comparePath(evidence, predicted),
    ...compareRows(evidence, predicted),
    ...compareTold(lines, predicted),
  ];
  return {
    problems: all.map((each) => `${evidence.view.id}: ${each}`),
    predicted,
    facts,
    messages,
  };
}

interface Read {
  readonly facts: Fact[];
  /** Of every execution, in the same order; none if it was cut off before it said anything. */
  readonly lines: (StormLine | undefined)[];
  readonly messages: string[];
  readonly problems: string[];
}

/** A step's place in the chain, and how often it has been woken and has failed until now. */
interface Place {
  readonly step: number;
  wakes: number;
  failures: number;
  /** The message it was last woken by, if it was one. */
  message: string | null;
}

/** An execution by what it can know of itself: each attempt of a key has its number. */
interface Execution {
  readonly by: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
}

function readFacts({ view, history, ledger }: Evidence): Read {
  const read: Read = { facts: [], lines: [], messages: [], problems: [] };
  const places = new Map<number, Place>();
  const executions = byExecution(ledger);
  const silent: Execution[] = [];
  for (const { changes } of history) {
    for (const change of changes) {
      if (change.did === 'birth-token' && change.token.seq !== undefined) {
        const step = change.token.seq ?? -1;
        places.set(change.token.id, { step, wakes: 0, failures: 0, message: null });
      }
      const place = 'token' in change ? places.get(change.token as number) : undefined;
      if (place === undefined) continue;
      if (change.did === 'wake-token') readWake(read, place, change);
      if (change.did !== 'claim-token') continue;
      const idempotencyKey = `${view.id}/${change.token}/${place.wakes + 1}`;
      const execution = { by: change.worker, idempotencyKey, attempt: place.failures + 1 };
      const line = executions.get(nameOf(execution))?.shift();
      if (line === undefined) silent.push(execution);
      readExecution(read, place, { execution, line, isExpired: isExpiry(changes) });
    }
  }
  for (const line of [...executions.values()].flat()) {
    if (!isLate(line, silent)) read.problems.push(`${nameOf(line)} ran and is not in history`);
  }
  return read;
}

/**
 * A worker that stood still may begin with what it has lost in the meantime, and is then told the
 * attempt that comes after, which it may even have itself by now. Nobody takes its answer: that it
 * ran is what at least once means.
 */
function isLate(line: StormLine, silent: readonly Execution[]): boolean {
  const { by, idempotencyKey, attempt } = line;
  return silent.some(
    (lost) => lost.by === by && lost.idempotencyKey === idempotencyKey && lost.attempt < attempt,
  );
}

function nameOf({ by, idempotencyKey, attempt }: Execution): string {
  return `${idempotencyKey} attempt ${attempt} by ${by}`;
}

function byExecution(ledger: readonly StormLine[]): ReadonlyMap<string, StormLine[]> {
  const executions = new Map<string, StormLine[]>();
  for (const line of ledger) {
    const name = nameOf(line);
    executions.set(name, [...(executions.get(name) ?? []), line]);
  }
  return executions;
}

/** The one thing that is taken from the engine's word: that no answer came in time. */
function isExpiry(changes: readonly Change[]): boolean {
  return changes.some(
    (change) =>
      change.did === 'recover-token' ||
      (change.did === 'end-token' && change.fault?.code === 'LEASE_EXPIRED'),
  );
}

function readWake(
  { facts, messages, problems }: Read,
  place: Place,
  { wake }: Extract<Change, { did: 'wake-token' }>,
): void {
  place.wakes += 1;
  const { reason, payload } = wake;
  if (reason !== 'event' && reason !== 'timeout') {
    problems.push(`step ${place.step} was woken by ${reason}`);
    return;
  }
  facts.push({ step: place.step, was: reason });
  place.message = reason === 'event' ? (payload as { id: string }).id : null;
  if (place.message !== null) messages.push(place.message);
}

function readExecution(
  { facts, lines, problems }: Read,
  place: Place,
  came: { execution: Execution; line: StormLine | undefined; isExpired: boolean },
): void {
  const { execution, line, isExpired } = came;
  const { step } = place;
  if (line !== undefined && line.message !== place.message) {
    problems.push(`${nameOf(line)} had the message ${line.message}, not ${place.message}`);
  }
  if (isExpired) {
    place.failures += 1;
    facts.push({ step, was: 'expired', error: 'LEASE_EXPIRED' });
    lines.push(line);
    return;
  }
  if (line === undefined) {
    problems.push(`${nameOf(execution)} has a result that no handler gave`);
    return;
  }
  const { became, error, left } = line;
  if (became !== 'completed' && became !== 'waiting') place.failures += 1;
  facts.push({ step, was: became, ...(error === undefined ? {} : { error }), context: left });
  lines.push(line);
}

const STATES: Partial<Record<Change['did'], string>> = {
  ...{ 'activate-token': 'READY', 'wake-token': 'READY', 'retry-token': 'READY' },
  ...{ 'recover-token': 'READY', 'park-token': 'WAITING' },
};

/** Every commit after the first changed what the model says, and nothing else. */
function comparePath({ history }: Evidence, { path }: Predicted): readonly string[] {
  const steps = new Map<number, number>();
  const changed = (change: Change): readonly string[] => {
    if (change.did === 'finish') return [change.as === 'completed' ? 'COMPLETED' : 'FAILED'];
    if (change.did === 'birth-token' && typeof change.token.seq === 'number') {
      steps.set(change.token.id, change.token.seq);
    }
    const step = 'token' in change ? steps.get(change.token as number) : undefined;
    const isEnd = change.did === 'end-token';
    const state = isEnd ? (change.why === 'done' ? 'DONE' : 'DEAD') : STATES[change.did];
    return step === undefined || state === undefined ? [] : [`${step} ${state}`];
  };
  const went = history.map(({ changes }) => changes.flatMap(changed).toSorted().join(', '));
  return compare('path', went.slice(1), path);
}

function compareRows({ view }: Evidence, predicted: Predicted): readonly string[] {
  const statuses: Readonly<Record<string, string>> = { completed: 'COMPLETED', failed: 'FAILED' };
  const died = predicted.steps.find(({ status }) => status === 'DEAD')?.error ?? null;
  const rows = view.tokens.toSorted((a, b) => (a.seq ?? -1) - (b.seq ?? -1)).map(stepOf);
  return [
    ...compare('status', statuses[view.status] ?? 'RUNNING', predicted.status),
    ...compare('fault', errorOf(view.fault), died),
    ...compare('context', view.output, predicted.context),
    ...compare('steps', rows, predicted.steps.map(shown)),
  ];
}

function shown({ status, attempts, crashes, error }: Predicted['steps'][number]): object {
  return { status, attempts, crashes, error };
}

const ROW_STATES: Readonly<Record<Token['status'], string>> = {
  created: 'PENDING',
  ready: 'READY',
  executing: 'RUNNING',
  waiting: 'WAITING',
  completed: 'DONE',
  failed: 'DEAD',
  terminated: 'DEAD',
};

function stepOf({ status, attempts, crashes, lastError }: Token): object {
  return { status: ROW_STATES[status], attempts, crashes, error: errorOf(lastError) };
}

/** As `last_error` shows it. */
function errorOf(fault: Token['lastError']): string | null {
  return fault?.code === 'LEASE_EXPIRED' ? fault.code : (fault?.message ?? null);
}

/** Its attempt, why it is run, and what the chain is about at that moment. */
function compareTold(
  lines: readonly (StormLine | undefined)[],
  { told }: Predicted,
): readonly string[] {
  return lines.flatMap((line, n) => {
    if (line === undefined) return [];
    const { attempt, wake, told: context, taskType } = line;
    const isTimeout = told[n]?.wake === 'timeout';
    const task = isTimeout ? 'WAITING_TIMEOUT' : 'READY_STEP';
    return compare(
      `execution ${n} (${nameOf(line)})`,
      { attempt, wake, context, taskType },
      { ...told[n], taskType: task },
    );
  });
}

function compare(what: string, came: unknown, predicted: unknown): readonly string[] {
  if (isDeepStrictEqual(came, predicted)) return [];
  return [`${what} is ${JSON.stringify(came)}; the model says ${JSON.stringify(predicted)}`];
}
