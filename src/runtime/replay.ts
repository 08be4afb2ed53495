/**
 * An exported instance, to be looked at commit by commit: for whoever has the file and neither the
 * database nor the code. Nothing runs; what happened is applied again, change by change.
 *
 * A file may come from anywhere, so it is read as a stranger's: what it must have is looked for and
 * its whole history is gone through once, before anything of it is shown.
 */
import { EngineError } from '../base/engine-error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../base/json.ts';
import { planFrom } from '../compile/compile.ts';
import { apply, seal } from '../kernel/apply.ts';
import { emptyInstance, type Instance, scratchOf } from '../kernel/instance.ts';
import { checkInvariants, type Violation } from '../kernel/invariants.ts';
import type { Change } from '../model/change.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import { EXPORT_FORMAT, type ExportedInstance } from './export.ts';
import { type InstanceView, viewOf } from './run.ts';

/** A commit, and the instance as it was after it. */
export interface ReplayStep {
  readonly n: number;
  readonly at: Instant;
  readonly changes: readonly Change[];
  readonly view: InstanceView;
}

export interface ReplayChecked {
  readonly ok: boolean;
  /** `plan`: it is not the one that its hash names, or not the one that the instance runs. */
  readonly violations: readonly (
    | Violation
    | { readonly promise: 'plan'; readonly message: string }
  )[];
}

/** States are kept this often, so that none of them is far to go to. */
const STATES_EVERY = 1_000;

/** Reads what `run.export()` gave: as it was, or as JSON text. */
export function replay(file: unknown): Replay {
  return new Replay(readFile(file));
}

export class Replay {
  readonly file: ExportedInstance;
  /** After 0, STATES_EVERY, twice that and so on. */
  readonly #states: Instance[];
  readonly #end: Instance;

  constructor(file: ExportedInstance) {
    this.file = file;
    let state: Instance = emptyInstance(file.instance);
    this.#states = [state];
    for (const row of file.history) {
      state = after(state, row);
      if (row.n % STATES_EVERY === 0) this.#states.push(state);
    }
    this.#end = state;
  }

  /** The number of commits. */
  get length(): number {
    return this.file.history.length;
  }

  /** The instance as it was after commit n, from 1 on. */
  at(n: number): InstanceView {
    const row = this.file.history[n - 1];
    if (row === undefined) {
      const { instance } = this.file;
      const message = `the file has commits 1 to ${this.length} of ${instance}, and no ${n}`;
      throw new EngineError('instance.not-found', message, { details: { instance, n } });
    }
    const from = Math.floor(n / STATES_EVERY);
    let state = this.#states[from] as Instance;
    for (const each of this.file.history.slice(from * STATES_EVERY, n)) state = after(state, each);
    return viewOf(state);
  }

  /** Every commit in order. */
  *steps(): Generator<ReplayStep, void, undefined> {
    let state = this.#states[0] as Instance;
    for (const row of this.file.history) {
      state = after(state, row);
      yield { n: row.n, at: row.at, changes: row.changes, view: viewOf(state) };
    }
  }

  /** Whether the file keeps every promise that can be read off an instance, and has its plan. */
  check(): ReplayChecked {
    const { plan, history } = this.file;
    const violations: ReplayChecked['violations'][number][] = [
      ...checkInvariants(this.#end, history),
    ];
    const hash = hashOf(plan.body);
    if (hash !== plan.hash) {
      const is = hash === undefined ? 'is no plan' : `has the hash ${hash}`;
      const message = `the plan is named ${plan.hash}, and its body ${is}`;
      violations.push({ promise: 'plan', message });
    }
    if (this.#end.head.plan !== plan.hash) {
      const runs = this.#end.head.plan;
      const message = `the instance runs plan ${runs}, and the file has ${plan.hash}`;
      violations.push({ promise: 'plan', message });
    }
    return { ok: violations.length === 0, violations };
  }
}

function hashOf(body: Json): string | undefined {
  try {
    return planFrom(body as JsonObject).hash;
  } catch (thrown) {
    // What is no plan has parts missing, and reading those is what fails.
    if (thrown instanceof Error) return undefined;
    throw thrown;
  }
}

/** Whatever does not follow from what was before is the file's fault, and not ours. */
function after(before: Instance, { n, at, changes }: HistoryRow): Instance {
  const scratch = scratchOf(before);
  for (const [index, change] of changes.entries()) {
    try {
      apply(scratch, change, at);
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      const path = `history[${n - 1}].changes[${index}]`;
      throw invalid(path, `"${change.did}" cannot have happened there: ${thrown.message}`, thrown);
    }
  }
  seal(scratch, n, at);
  return scratch;
}

function readFile(file: unknown): ExportedInstance {
  const read = jsonOf(file);
  if (!isJsonObject(read)) throw invalid('', 'it is no object');
  const { format, instance, plan, history, dropped = [] } = read;
  if (format !== EXPORT_FORMAT) throw foreign(format);
  if (typeof instance !== 'string') throw invalid('instance', 'it is no id');
  if (!isJsonObject(plan) || typeof plan['hash'] !== 'string' || !isJsonObject(plan['body'])) {
    throw invalid('plan', 'it is no plan with a hash and a body');
  }
  if (!isList(history) || history.length === 0) throw invalid('history', 'there are no commits');
  for (const [index, row] of history.entries()) checkRow(row, index);
  checkBirth(history as unknown as readonly HistoryRow[], instance as InstanceId);
  if (!isList(dropped)) throw invalid('dropped', 'it is no list');
  return { exportedAt: null, dropped, ...read } as unknown as ExportedInstance;
}

/** A copy of our own, frozen: whatever becomes of theirs, this stays as it was read. */
function jsonOf(file: unknown): Json {
  try {
    return parseJson(typeof file === 'string' ? file : (JSON.stringify(file) ?? 'null'));
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    throw invalid('', `it is no JSON: ${thrown.message}`, thrown);
  }
}

function checkRow(row: Json | undefined, index: number): void {
  const path = `history[${index}]`;
  if (!isJsonObject(row)) throw invalid(path, 'it is no commit');
  const { n, at, commitId, changes } = row;
  if (n !== index + 1) throw invalid(path, `commit ${index + 1} is missing, there is ${told(n)}`);
  if (!Number.isSafeInteger(at)) throw invalid(`${path}.at`, `${told(at)} is no moment`);
  if (typeof commitId !== 'string') throw invalid(`${path}.commitId`, 'it is no text');
  if (!isList(changes)) throw invalid(`${path}.changes`, 'it is no list');
  for (const [place, change] of changes.entries()) {
    const isChange = isJsonObject(change) && typeof change['did'] === 'string';
    if (!isChange) throw invalid(`${path}.changes[${place}]`, 'it is no change');
  }
}

function checkBirth([first]: readonly HistoryRow[], instance: InstanceId): void {
  const birth = first?.changes.find(({ did }) => did === 'start-instance');
  const id: unknown = birth?.did === 'start-instance' ? birth.instance?.id : undefined;
  if (id === instance) return;
  throw invalid('history[0]', `it begins instance ${told(id as Json)}, and not ${instance}`);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

const TOLD_CHARS_MAX = 60;

function told(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, TOLD_CHARS_MAX);
}

function foreign(format: Json | undefined): EngineError {
  const isOurs = typeof format === 'string' && format.startsWith('perdure.instance/');
  const advice = isOurs
    ? 'a newer program wrote it: use that one'
    : 'run.export() makes such a file';
  return invalid('format', `it is ${told(format)} and not "${EXPORT_FORMAT}": ${advice}`);
}

function invalid(path: string, problem: string, cause?: unknown): EngineError {
  const where = path === '' ? 'the file' : `"${path}" of the file`;
  const message = `no instance can be replayed from this: in ${where}, ${problem}`;
  return new EngineError('export.invalid', message, { details: { path }, cause });
}
