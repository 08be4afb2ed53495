/**
 * Where a stranger's code is called, and the one place where what it throws becomes a value.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { faultOf, Sight } from '../kernel/code.ts';
import type { Instance } from '../kernel/instance.ts';
import { tokenOf } from '../kernel/instance.ts';
import { isUnwanted, undoneBy } from '../kernel/undos.ts';
import type { CodeView } from '../model/definition.ts';
import type { PlanHash } from '../model/ids.ts';
import type { Outcome, VarWrite } from '../model/input.ts';
import type { Head, Token, Undo, Wake } from '../model/instance.ts';
import type { Limits } from '../model/limits.ts';
import type { Tx } from '../model/tx.ts';
import type { Claim } from '../stores/store.ts';
import { type ActivityContext, endedWith, type Task } from './activities.ts';
import { checkValue, type Role } from './bad-value.ts';
import { type HandlerLog, handlerLog, logFailure, whereOf, type Where } from './handler-log.ts';
import { type ChainStep, outputOf, resultOf } from './links.ts';
import type { Logger } from './logger.ts';
import type { Seat } from './seat.ts';
import type { CallContext, CallTask } from './serverless/handler.ts';
import { checkWrite } from './var-writes.ts';

export type Handler = (context: HandlerContext) => unknown;

/** What a handler is given. Values are frozen; see `frontends/builder` for their types per flow. */
export interface HandlerContext extends CodeView {
  /** The message that woke the step, if one did. */
  readonly event: Json;
  readonly wake: Wake;
  /** 1 for the first execution. */
  readonly attempt: number;
  /** The same for every execution of this visit: hand it to whoever charges the card. */
  readonly idempotencyKey: string;
  /** Fires when the lease is lost or the token is gone: whatever it returns then is dropped. */
  readonly signal: AbortSignal;
  readonly log: HandlerLog;
  /** Sets a variable together with the result, in the step's scope or for the whole instance. */
  readonly set: (name: string, value: unknown, options?: { in?: 'scope' | 'instance' }) => void;
  /** Renews the lease now instead of with the next heartbeat. */
  readonly heartbeat: () => Promise<void>;
  /** What is done with it commits with the result. Throws unless the step is transactional. */
  readonly tx: Tx;
}

/** A claimed token with what its handler will see, read while its commit was the newest. */
export interface Work {
  readonly claim: Claim;
  readonly plan: PlanHash;
  readonly token: Token;
  readonly head: Head;
  readonly view: CodeView;
  /** Nobody waits for it any more: it is not to be run. */
  readonly unwanted: boolean;
  /** What it undoes, if it is a compensation. */
  readonly undo: Undo | null;
}

export function workOf(instance: Instance, claim: Claim): Work {
  const token = tokenOf(instance, claim.token);
  const { head } = instance;
  const view = new Sight(instance, token.scope);
  const undo = token.mode === 'compensation' ? undoneBy(instance, token.id) : null;
  const unwanted = isUnwanted(instance, token);
  return { claim, plan: head.plan, token, head, view, unwanted, undo };
}

const FIRST: Wake = { reason: 'first', payload: null };

/** Why it runs now. */
export function wakeOf({ token }: Work): Wake {
  return token.wake ?? FIRST;
}

/** The message that woke it, if one did. */
export function eventIn({ reason, payload }: Wake): Json {
  return reason === 'event' ? payload : null;
}

/** The same for every execution of this visit. */
export function idempotencyKeyOf({ claim, token }: Work): string {
  return `${claim.instance}/${claim.token}/${token.visit}`;
}

/** What the step that is undone ran with. */
export function keyUndone({ claim }: Work, { token, visit }: Undo): string {
  return `${claim.instance}/${token}/${visit}`;
}

export interface HandlerSupport {
  readonly limits: Limits;
  readonly logger: Logger;
  readonly heartbeat: () => Promise<void>;
}

/** The user's code for one execution. */
export interface Doing {
  readonly handler: Handler;
  /** The `when` of its retry policy, if that has one. */
  readonly ask: Handler | undefined;
}

/** What came of it: at once if the handler is no async function, and never a rejection. */
export function runHandler(
  { handler, ask }: Doing,
  work: Work,
  seat: Seat,
  support: HandlerSupport,
  activity: Task | CallTask | null = null,
): Outcome | Promise<Outcome> {
  const context = contextFor(work, seat, support, activity);
  try {
    const returned = handler(context);
    if (typeof returned !== 'object' || returned === null) {
      return doneWith(returned, context, support.limits);
    }
    return settleReturned(returned as PromiseLike<unknown>, context, ask, support);
  } catch (thrown) {
    return failedIn(context, thrown, ask, support);
  }
}

function contextFor(
  work: Work,
  seat: Seat,
  support: HandlerSupport,
  activity: Task | CallTask | null,
): Context {
  if (activity !== null && 'workflow' in activity) {
    return new CallingContext(work, seat, support, activity);
  }
  if (activity !== null) return new ChartContext(work, seat, support, activity);
  if (work.token.seq !== null) return new LinkContext(work, seat, support);
  if (work.undo === null) return new Context(work, seat, support);
  return new UndoContext(work, seat, support, work.undo);
}

/** One that gave up because it was told to stop has not said whether it did anything. */
function failedIn(
  context: Context,
  thrown: unknown,
  ask: Handler | undefined,
  support: HandlerSupport,
): Outcome {
  const outcome = failedWith(thrown, ask, support, context.where);
  if (context.wasStopped(thrown)) return { ...outcome, inDoubt: true };
  // What a call of a definition throws is our own, and says all there is in its message.
  if (!(context instanceof CallingContext)) logFailure(support, context, thrown);
  return outcome;
}

/** A promise, most often; an object that is none is its own answer. */
async function settleReturned(
  returned: PromiseLike<unknown>,
  context: Context,
  ask: Handler | undefined,
  support: HandlerSupport,
): Promise<Outcome> {
  try {
    return doneWith(await returned, context, support.limits);
  } catch (thrown) {
    return failedIn(context, thrown, ask, support);
  }
}

function doneWith(returned: unknown, context: Context, limits: Limits): Outcome {
  if (context instanceof LinkContext) {
    return { ...resultOf(returned, context, limits), ...outputOf(context, limits) };
  }
  const done =
    context instanceof ChartContext
      ? endedWith(returned, context, limits)
      : ({ outcome: 'done', value: checkValue(returned, RESULT, limits) } as const);
  const sets = context.takeSets();
  return sets.length === 0 || done.outcome !== 'done' ? done : { ...done, sets };
}

export function failedWith(
  thrown: unknown,
  ask: Handler | undefined,
  { limits, logger }: Pick<HandlerSupport, 'limits' | 'logger'>,
  where?: Where,
): Extract<Outcome, { outcome: 'failed' }> {
  const fault = faultOf(thrown, 'handler.threw', limits);
  if (ask === undefined || fault.fatal === true) return { outcome: 'failed', fault };
  const error = thrown instanceof Error ? thrown : new Error(fault.message, { cause: thrown });
  try {
    const again: unknown = (ask as unknown as (error: Error) => unknown)(error);
    if (again === true) return { outcome: 'failed', fault };
  } catch (trouble) {
    // A question that cannot be answered is answered by no: what failed is told as it was.
    const details = { ...where, error: String(trouble) };
    logger.warn(details, 'the "when" of a retry policy threw: no retry');
  }
  return { outcome: 'failed', fault, final: true };
}

const NO_SETS: readonly VarWrite[] = [];

/** One is made for every execution, so what few handlers ask for is made when they ask. */
class Context implements HandlerContext {
  readonly input: Json;
  readonly item: Json;
  readonly index: number | null;
  readonly event: Json;
  readonly wake: Wake;
  readonly attempt: number;
  readonly #work: Work;
  readonly #seat: Seat;
  readonly #support: HandlerSupport;
  #sets: VarWrite[] | null = null;
  #isOver = false;

  constructor(work: Work, seat: Seat, support: HandlerSupport) {
    const { token, view } = work;
    const wake = wakeOf(work);
    this.input = view.input;
    this.item = view.item;
    this.index = view.index;
    this.event = eventIn(wake);
    this.wake = wake;
    this.attempt = token.attempts + 1;
    this.#work = work;
    this.#seat = seat;
    this.#support = support;
  }

  get results(): JsonObject {
    return this.#work.view.results;
  }

  get vars(): JsonObject {
    return this.#work.view.vars;
  }

  /** Bound, since handlers take it out of the context by name. */
  get set(): HandlerContext['set'] {
    return (name, value, options = {}) => {
      const write = checkWrite(name, value, options.in ?? 'scope', this.#support.limits);
      if (this.#isOver) return;
      this.#sets ??= [];
      this.#sets.push(write);
    };
  }

  get heartbeat(): () => Promise<void> {
    return this.#support.heartbeat;
  }

  get idempotencyKey(): string {
    return idempotencyKeyOf(this.#work);
  }

  get signal(): AbortSignal {
    return signalOf(this.#seat, this.#work.claim);
  }

  get tx(): Tx {
    const { claim, tx } = this.#seat;
    if (tx !== null && claim === this.#work.claim) return tx;
    throw new NoTransaction();
  }

  get log(): HandlerLog {
    return handlerLog(this.#support.logger, this.#work);
  }

  get where(): Where {
    return whereOf(this.#work);
  }

  /** Whether this was thrown because of its signal: as `fetch` does, and most that take one. */
  wasStopped(thrown: unknown): boolean {
    const { claim, abort } = this.#seat;
    if (claim !== this.#work.claim || abort?.signal.aborted !== true) return false;
    return thrown === abort.signal.reason || (thrown as Error | null)?.name === 'AbortError';
  }

  /** What was set until now: whatever still runs of the handler may set no more. */
  takeSets(): readonly VarWrite[] {
    this.#isOver = true;
    return this.#sets ?? NO_SETS;
  }
}

/** The handler of a compensation is given what the step was, too. */
class UndoContext extends Context {
  override readonly item: Json;
  override readonly index: number | null;
  readonly result: Json;
  readonly inDoubt: boolean;
  readonly undoes: string;

  constructor(work: Work, seat: Seat, support: HandlerSupport, undo: Undo) {
    super(work, seat, support);
    this.item = undo.item;
    this.index = undo.index;
    this.result = undo.result;
    this.inDoubt = undo.inDoubt;
    this.undoes = keyUndone(work, undo);
  }
}

/** The handler of a chain's step is given what the chain is about, to be altered. */
class LinkContext extends Context implements ChainStep {
  readonly instance: string;
  readonly key: string | null;
  readonly stepType: string;
  readonly stepSeq: number;
  readonly taskType: ChainStep['taskType'];
  context: ChainStep['context'];
  /** What it was, as text. */
  readonly was: string;

  constructor(work: Work, seat: Seat, support: HandlerSupport) {
    super(work, seat, support);
    const { head, token, claim } = work;
    this.instance = head.id;
    this.key = head.key;
    this.stepType = claim.handler.slice(claim.handler.indexOf('/') + 1);
    this.stepSeq = token.seq ?? 0;
    this.taskType = token.wake?.reason === 'timeout' ? 'WAITING_TIMEOUT' : 'READY_STEP';
    this.was = JSON.stringify(head.output);
    this.context = JSON.parse(this.was) as ChainStep['context'];
  }
}

/** The handler of an activity is told which one it is. */
class ChartContext extends Context implements ActivityContext {
  readonly activity: string;
  readonly type: string;
  readonly config: ActivityContext['config'];
  readonly instance: string;
  readonly key: string | null;

  constructor(work: Work, seat: Seat, support: HandlerSupport, task: Task) {
    super(work, seat, support);
    this.activity = task.activity;
    this.type = task.type;
    this.config = task.config;
    this.instance = work.head.id;
    this.key = work.head.key;
  }
}

/** The handler of a call is told all of its node, and of the definition that it is part of. */
class CallingContext extends Context implements CallContext {
  readonly node: string;
  readonly config: CallTask['config'];
  readonly workflow: CallTask['workflow'];
  readonly head: Head;
  readonly token: Token;
  readonly now: number;

  constructor(work: Work, seat: Seat, support: HandlerSupport, task: CallTask) {
    super(work, seat, support);
    this.node = work.token.node;
    this.config = task.config;
    this.workflow = task.workflow;
    this.head = work.head;
    this.token = work.token;
    this.now = task.now;
  }
}

class NoTransaction extends Error {
  readonly code: string = 'handler.no-transaction';

  constructor() {
    super('there is a tx while the handler of a step with { transactional: true } runs');
  }
}

/** Whoever asks after the claim is settled is told that it is too late. */
function signalOf(seat: Seat, claim: Claim): AbortSignal {
  if (seat.claim !== claim) return AbortSignal.abort(new Error('the claim is settled'));
  seat.abort ??= new AbortController();
  return seat.abort.signal;
}

const RESULT: Role = { kind: 'result', name: 'a result' };
