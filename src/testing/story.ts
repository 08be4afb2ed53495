/** Runs a plan one input at a time and tells each stride as text: no clock, store or promise. */
import { assert } from '../base/assert.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { compile } from '../compile/compile.ts';
import { mappingFor } from '../compile/diff.ts';
import { advance, type Outcome as Stride } from '../kernel/advance.ts';
import { emptyInstance, type Instance } from '../kernel/instance.ts';
import { checkInvariants } from '../kernel/invariants.ts';
import { type Machine, machineFor } from '../kernel/machine.ts';
import { migrate } from '../kernel/migrate.ts';
import type { Reason } from '../kernel/standing.ts';
import type { HistoryRow } from '../model/commit.ts';
import type { Flow, NodeCode } from '../model/definition.ts';
import type { Draft, DraftEdge, DraftNode } from '../model/draft.ts';
import type { InstanceId, Instant, TokenId } from '../model/ids.ts';
import type { Awaiting, Input, Outcome, VarWrite } from '../model/input.ts';
import type { Head } from '../model/instance.ts';
import { LIMITS, type Limits } from '../model/limits.ts';
import type { Plan } from '../model/plan.ts';
import type { ChildAnswer } from '../model/post.ts';
import { kinds } from '../nodes/index.ts';
import { show } from './show.ts';

export class Story {
  machine: Machine;
  readonly history: HistoryRow[] = [];
  instance: Instance;
  now = 0;

  constructor(drawing: Drawing, options: { limits?: Partial<Limits>; key?: string } = {}) {
    this.machine = machineOf(drawing, options.limits);
    this.instance = emptyInstance('i1' as InstanceId);
    this.#key = options.key;
  }

  readonly #key: string | undefined;

  get head(): Head {
    return this.instance.head;
  }

  start(input: Json = null): string {
    const { name, version } = this.machine.plan;
    const key = this.#key === undefined ? {} : { key: this.#key };
    const birth = { id: 'i1' as InstanceId, flow: name, flowVersion: version, input, ...key };
    return this.tell({ type: 'start', at: this.#at(), birth });
  }

  /** The handler of a step answers. */
  done(token: number, value: Json = null, sets: readonly VarWrite[] = []): string {
    return this.#result(token, { outcome: 'done', value, sets });
  }

  fail(token: number, code = 'boom', more: Brought & { afterMs?: number } = {}): string {
    return this.#result(token, { outcome: 'failed', fault: { code, message: code }, ...more });
  }

  /** A step of a chain is done, and leaves this as what its chain is about. */
  complete(token: number, output: Json): string {
    return this.#result(token, { outcome: 'done', value: null, output });
  }

  /** A step of a chain waits for a message. */
  waits(token: number, type: string, more: Brought & Partial<Awaiting> = {}): string {
    return this.#result(token, {
      ...{ outcome: 'waiting', type, timeoutMs: null, letters: [] },
      ...more,
    });
  }

  /** Time comes to a token; the clock is set to its moment first if that lies ahead. */
  time(token: number): string {
    const wakeAt = this.instance.tokens.get(token as TokenId)?.wakeAt ?? this.now;
    this.now = Math.max(this.now, wakeAt);
    return this.tell({ type: 'time', at: this.#at(), token: token as TokenId });
  }

  message(token: number, type: string, key: string, data: Json = null): string {
    const message = { id: 'm1', type, key, data };
    return this.tell({ type: 'message', at: this.#at(), token: token as TokenId, message });
  }

  /** A handler is given up on: no answer came of it. */
  giveUp(token: number, code = 'step.timeout'): string {
    const fault = { code, message: code };
    return this.#result(token, { outcome: 'failed', fault, inDoubt: true });
  }

  /** A worker claims a token nobody wants any more and puts it down. */
  putDown(token: number): string {
    return this.#result(token, { outcome: 'unrun' });
  }

  fatal(token: number, code = 'boom'): string {
    return this.#result(token, { outcome: 'failed', fault: { code, message: code, fatal: true } });
  }

  /** An instance that was called has ended. */
  child(token: number, answer: ChildAnswer): string {
    const wait = this.instance.tokens.get(token as TokenId)?.wait;
    const from = wait?.on === 'child' ? wait.instance : ('nobody' as InstanceId);
    return this.tell({ type: 'child', at: this.#at(), token: token as TokenId, from, answer });
  }

  cancel(saga = false): string {
    return this.tell({ type: 'cancel', at: this.#at(), saga });
  }

  retry(token: number): string {
    return this.tell({ type: 'retry', at: this.#at(), token: token as TokenId });
  }

  skip(token: number, value: Json = null): string {
    return this.tell({ type: 'skip', at: this.#at(), token: token as TokenId, value });
  }

  /** A worker claims a token that was set down and lets the kernel go on. */
  go(token: number): string {
    return this.tell({ type: 'continue', at: this.#at(), ...this.#claim(token) });
  }

  expire(token: number): string {
    return this.tell({ type: 'expire', at: this.#at(), ...this.#claim(token) });
  }

  /** It goes on by another drawing, as version 2; or these are the reasons why not. */
  migrate(drawing: Drawing, nodes: Readonly<Record<string, string>> = {}): string | Reasons {
    const to = machineOf({ ...drawing, draft: { ...drawing.draft, version: 2 } });
    const whole = mappingFor(this.machine.plan, to.plan, nodes);
    const from = this.machine.plan.hash;
    const stride = migrate(this.machine, to, this.instance, { at: this.#at(), from, nodes: whole });
    if (stride.refused !== undefined) return stride.refused.details['reasons'] as Reasons;
    this.machine = to;
    return this.#enter(stride, this.#at());
  }

  /** One stride. Every promise is checked after it, whatever the test is about. */
  tell(input: Input): string {
    return this.#enter(advance(this.machine, this.instance, input), input.at);
  }

  #enter(stride: Stride, at: Instant): string {
    if (stride.changes.length > 0) {
      this.instance = stride.after;
      const n = stride.after.head.version;
      this.history.push({ n, at, commitId: `c${n}`, changes: stride.changes });
    }
    const broken = checkInvariants(this.instance, this.history);
    assert(broken.length === 0, `no promise is broken: ${JSON.stringify(broken)}`);
    return `\n${show(stride)}\n`;
  }

  #result(token: number, outcome: Outcome): string {
    return this.tell({ type: 'result', at: this.#at(), ...this.#claim(token), outcome });
  }

  #claim(token: number): Pick<Extract<Input, { type: 'continue' }>, 'token' | 'claim'> {
    const claim = { worker: 'w1', version: 1, at: this.#at() };
    return { token: token as TokenId, claim };
  }

  #at(): Instant {
    return this.now as Instant;
  }
}

type Reasons = readonly Reason[];

/** What a step of a chain has made of what the chain is about. */
type Brought = { readonly output?: Json };

/** A draft with the closures its nodes need. */
export interface Drawing {
  readonly draft: Draft;
  readonly code?: Readonly<Record<string, NodeCode>>;
}

/** One that has begun, by a key. */
export function started(drawing: Drawing, input: Json = null): Story {
  const story = new Story(drawing, { key: 'k' });
  story.start(input);
  return story;
}

export function machineOf({ draft, code = {} }: Drawing, limits: Partial<Limits> = {}): Machine {
  const needs = { code: new Map(Object.entries(code)), limits: { ...LIMITS, ...limits } };
  return machineFor(planOf(draft), kinds, needs);
}

/** A flowchart is played a hundred times, and is the same each time. */
const plans = new WeakMap<Draft, Plan>();

function planOf(draft: Draft): Plan {
  const known = plans.get(draft);
  if (known !== undefined) return known;
  const plan = compile(draft, kinds);
  assert(plan.ok, plan.ok ? '' : JSON.stringify(plan.problem));
  plans.set(draft, plan.value);
  return plan.value;
}

/** A flow as its author writes it. */
export function written({ definition: { draft, code } }: Pick<Flow, 'definition'>): Drawing {
  return { draft, code: Object.fromEntries(code) };
}

type NodeDrawing = { kind: string; settings?: JsonObject; in?: string; code?: NodeCode };

/** `draw(['a -> b -> c', 'a -> d'], nodes)`: plans in a test that read like the drawing. */
export function draw(
  lines: readonly string[],
  nodes: Readonly<Record<string, NodeDrawing>> = {},
): Drawing {
  const edges = lines.flatMap(drawLine);
  const drawn = edges.flatMap((edge) => [edge.from, edge.to]);
  const ids = [...new Set([...drawn, ...Object.keys(nodes)])];
  const code = Object.fromEntries(
    Object.entries(nodes).flatMap(([id, node]) =>
      node.code === undefined ? [] : [[id, node.code]],
    ),
  );
  const draft = { name: 'test', version: 1, start: ids[0] ?? '', edges };
  return { draft: { ...draft, nodes: ids.map((id) => drawNode(id, nodes[id])) }, code };
}

/** Nodes nobody describes are steps if their name begins with a capital, and passes otherwise. */
function drawNode(id: string, node: NodeDrawing | undefined): DraftNode {
  const kind = node?.kind ?? (/^[A-Z]/.test(id) ? 'step' : 'pass');
  const region = node?.in === undefined ? {} : { parent: node.in };
  return { id, kind, settings: node?.settings ?? {}, ...region };
}

function drawLine(line: string): DraftEdge[] {
  const stops = line.split('->').map((stop) => stop.trim());
  return stops.slice(1).map((to, index) => {
    const from = stops[index] ?? '';
    return { id: `${from}->${to}`, from, to };
  });
}
