/**
 * A random flow on a whole engine while an operator does whatever comes to mind: what is done is
 * what the preview said, in those very changes, and what is refused has left no trace.
 */
import { EngineError } from '../base/engine-error.ts';
import { assemble } from '../kernel/instance.ts';
import type { Machine } from '../kernel/machine.ts';
import type { Action } from '../model/action.ts';
import type { Change } from '../model/change.ts';
import type { Flow } from '../model/definition.ts';
import type { NodeId } from '../model/ids.ts';
import type { Run } from '../runtime/run.ts';
import { handIn } from './hand-in.ts';
import type { Lab } from './lab.ts';
import { anyAsk } from './laws-asks.ts';
import { obey, obeySame } from './laws-ending.ts';
import { luck, lucky } from './random-luck.ts';
import { drawAction } from './random-operations.ts';

/** Of so many things that are done one is to send it something. */
const SENDS_EVERY = 7;

/** One instance of a random flow, and an operator at it. */
export class OperatedRun {
  readonly seed: number;
  readonly #lab: Lab;
  readonly #flow: Flow;
  readonly tally = { done: 0, refused: 0 };
  #run: Run | null = null;

  constructor(seed: number, lab: Lab, flow: Flow) {
    this.seed = seed;
    this.#lab = lab;
    this.#flow = flow;
  }

  get run(): Run {
    if (this.#run === null) throw new Error('it has not begun');
    return this.#run;
  }

  async begin(): Promise<void> {
    const key = `order-${this.seed}`;
    this.#run = await this.#lab.engine.start(this.#flow, {} as never, { key });
  }

  /** Somebody does something with one of its tasks, elsewhere. */
  async ask(turn: number): Promise<void> {
    const [rows] = await this.#lab.store.load([this.run.id]);
    const open = (rows?.tokens ?? []).filter(({ wait }) => wait?.on === 'task');
    if (open.length === 0) return;
    const token = lucky(open, this.seed, 'task', turn);
    const ask = anyAsk(token, this.seed, turn, this.#lab.store.now());
    await handIn(this.#lab, this.run.id, token.id, ask);
  }

  async operate(turn: number): Promise<void> {
    const isSending = luck(SENDS_EVERY, this.seed, 'sends', turn) === 0;
    const action = isSending ? this.#sending(turn) : await this.#next(turn);
    const { version } = await this.run.inspect();
    const foreseen = await settled(this.run.preview(action));
    const came = await settled(this.run.act(action, { actor: 'ada' }));
    const rows = (await this.run.history()).slice(version);
    const told = `seed ${this.seed}, turn ${turn}: ${JSON.stringify(action)}`;
    if (foreseen instanceof EngineError || came instanceof EngineError) {
      const codes = [foreseen, came].map((one) => (one instanceof EngineError ? one.code : 'done'));
      obeySame('previewed', told, [codes[1], rows.length], [codes[0], 0]);
      this.tally.refused += 1;
      return;
    }
    const isCopy = action.do === 'rerun' && action.copy === true;
    // What was made ready may be answered already: that comes after it. Who sends is noted before.
    const commit = rows[isSending ? 1 : 0];
    const done = isCopy ? [] : (commit?.changes ?? []).filter(isDoing);
    obeySame('previewed', told, done, isCopy ? [] : foreseen.changes.filter(isDoing));
    this.tally.done += 1;
  }

  /** To whoever of it waits, or for later; some are sent twice, and then nothing comes of it. */
  #sending(turn: number): Action {
    const type = `event-${luck(3, this.seed, 'type', turn)}`;
    const named = luck(2, this.seed, 'named', turn) === 0 ? {} : { id: `sent-${this.seed}` };
    return { do: 'send', type, data: turn, ...named };
  }

  async #next(turn: number): Promise<Action> {
    const [rows] = await this.#lab.store.load([this.run.id]);
    if (rows === undefined) throw new Error('it is gone');
    const { library } = this.#lab.engine.parts;
    const { plan } = library.find(rows.head.plan) as Machine;
    const births = (await this.run.history()).flatMap(({ changes }) => changes.flatMap(nodeIn));
    const visited = [...new Set(births)];
    return drawAction({ instance: assemble(rows), plan, visited, seed: this.seed, turn });
  }

  /** Over all its lives, nothing was undone twice. */
  async check(): Promise<void> {
    const changes = (await this.run.history()).flatMap((row) => [...row.changes]);
    const undos = changes.flatMap((change) => (change.did === 'settle-undo' ? [change.undo] : []));
    const isOnce = undos.length === new Set(undos).size;
    obey('undone once', isOnce, () => `seed ${this.seed}: ${undos.join()}`);
  }
}

const isDoing = ({ did }: Change): boolean => did !== 'act';

function nodeIn(change: Change): readonly NodeId[] {
  return change.did === 'birth-token' ? [change.token.node] : [];
}

/** What came of it, or what was thrown, if that has a name. */
async function settled<Value>(doing: Promise<Value>): Promise<Value | EngineError> {
  try {
    return await doing;
  } catch (thrown) {
    if (thrown instanceof EngineError && REFUSALS.has(thrown.code)) return thrown;
    throw thrown;
  }
}

const REFUSALS: ReadonlySet<string> = new Set([
  ...['instance.over', 'instance.suspended', 'node.not-found', 'operation.refused'],
  ...['token.not-found', 'token.not-parked', 'engine.option-invalid'],
  ...['token.not-waiting', 'token.gated', 'variable.reserved'],
]);
