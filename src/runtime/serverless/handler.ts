/**
 * What runs a call of a Serverless Workflow: the handler of every `sw-call` node.
 *
 * It finds out whether the task runs at all and with what, as the kernel does for tasks of its own,
 * makes the call, and brings what came of it. What the call was made with is stored nowhere. What
 * goes wrong is a standard error of the language, with the task's place, and no secret in it.
 */
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Calling } from '../../calls/calling.ts';
import {
  type CallConfig,
  DATA,
  type FetchConfig,
  RAW,
  type Stage,
  type Template,
  type WorkflowConfig,
} from '../../model/serverless.ts';
import type { NodeId } from '../../model/ids.ts';
import type { Head, Token } from '../../model/instance.ts';
import type { Plan } from '../../model/plan.ts';
import { type ErrorKind, WorkflowError } from '../../model/workflow-error.ts';
import type { Called } from '../../nodes/serverless/call.ts';
import { shape, take } from '../../nodes/serverless/envelope.ts';
import { type Evaluated, fill, holds, namesIn } from '../../nodes/serverless/expression.ts';
import { type Seen, subjectOf, TaskScene } from '../../nodes/serverless/scene.ts';
import { troubleFault } from '../../nodes/serverless/trouble.ts';
import type { HandlerContext } from '../handlers.ts';
import { CALLS } from './calls.ts';
import { hider } from './hiding.ts';
import type { Host } from './host.ts';
import { wholePolicies } from './policies.ts';

/** What the handler of a call is told of it. */
export interface CallContext extends Pick<HandlerContext, 'vars' | 'signal' | 'idempotencyKey'> {
  readonly node: string;
  readonly config: CallConfig;
  readonly workflow: WorkflowConfig;
  readonly head: Pick<Head, 'id' | 'input' | 'createdAt'>;
  readonly token: Pick<Token, 'createdAt'>;
  readonly now: number;
}

/** A call as its plan has it. */
export type CallTask = Pick<CallContext, 'config' | 'workflow' | 'now'>;

const CALLING: ReadonlySet<string> = new Set(['sw-call', 'sw-fetch']);

/** What is to be known of the node of a call; null for every other node. */
export function callOf(plan: Plan | undefined, at: NodeId, now: number): CallTask | null {
  const node = plan?.nodes.get(at);
  if (plan === undefined || node === undefined || !CALLING.has(node.kind)) return null;
  const workflow = plan.nodes.get(plan.start)?.config as unknown as WorkflowConfig;
  return { config: node.config as unknown as CallConfig, workflow, now };
}

export function callHandler(host: Host): (context: CallContext) => Promise<Called> {
  return async (context) => {
    const { config, workflow, node } = context;
    const hide = { text: hider([]) };
    try {
      await host.learnSecrets(workflow.secrets);
      hide.text = hider(secretsOf(context, host));
      return await call(host, context, hide);
    } catch (thrown) {
      // Nobody waits for it: what it threw on its way out is of no interest.
      if (context.signal.aborted) throw context.signal.reason;
      const { at } = subjectOf(config.task, node);
      throw faultFrom(thrown, { at, family: workflow.errors }, hide.text);
    }
  };
}

/** What makes secrets unreadable grows with what the call turns out to be made with. */
interface Hiding {
  text: (text: string) => string;
}

async function call(host: Host, context: CallContext, hide: Hiding): Promise<Called> {
  const { config, vars } = context;
  const { task } = config;
  const data = vars[DATA] ?? null;
  const raw = task.inner === true ? (vars[RAW] ?? data) : data;
  const scene = (seen: Partial<Seen>): TaskScene =>
    sceneOf(host, context, { raw, input: data, ...seen });
  if (task.if !== undefined && !must(holds(task.if, scene({}), data))) return { skipped: true };
  const input =
    task.input === undefined ? data : must(take(task.input, 'input', data, () => scene({})));
  const asked = scene({ input });
  const args = argumentsOf(context, asked, input, host);
  hide.text = hider([...secretsOf(context, host), ...policiesIn(args)]);
  const calling = callingFor(host, context, input, (text) => hide.text(text));
  if (isFetch(context)) {
    const { consume } = await import('./consuming.ts');
    return { round: await consume(calling, args, context, asked) };
  }
  const { output, authorization = null } = await make(host, context, calling, args);
  return shaped(task, { input, output }, (seen) => {
    return scene({ input, output, authorization: authorization as Json, ...seen });
  });
}

/** Told of the context as a whole, which is no plain object and cannot be copied. */
function isFetch(context: CallContext): context is CallContext & { config: FetchConfig } {
  return 'consume' in context.config;
}

async function make(
  host: Host,
  context: CallContext,
  calling: Calling,
  args: JsonObject,
): ReturnType<(typeof CALLS)['http']> {
  const { config, workflow } = context;
  const { name, namespace } = workflow.definition['document'] as {
    name: string;
    namespace: string;
  };
  return CALLS[config.call](calling, args, {
    process: config.wanted ?? { await: true },
    names: { workflow: name, namespace, task: config.task.name },
    run: host.run,
  });
}

/** What asks how the call was authenticated is made here: that is stored nowhere. */
function shaped(
  { output: stage, export: exported }: CallConfig['task'],
  done: { readonly input: Json; readonly output: Json },
  scene: (seen: Partial<Seen>) => TaskScene,
): Called {
  const asksFor = (each: Stage | undefined): boolean =>
    each?.as !== undefined && mentions(each.as, 'authorization');
  const [isOutput, isContext] = [asksFor(stage), asksFor(exported)];
  if (!isOutput && !isContext) return done;
  const output = must(shape(stage ?? {}, 'output', done.output, () => scene({})));
  if (!isContext || exported === undefined) return { ...done, output, shaped: { output: true } };
  const context = must(shape(exported, 'export', output, () => scene({ shown: output })));
  return { ...done, output, shaped: { output: true, context } };
}

function mentions(template: Template, name: string): boolean {
  return namesIn(JSON.stringify(template)).includes(name);
}

function argumentsOf(context: CallContext, scene: TaskScene, input: Json, host: Host): JsonObject {
  const { config } = context;
  const given = must(fill(config.with, scene, input));
  const whole = wholePolicies(
    { template: config.with, value: given },
    {
      policy: (name) => {
        const { authentications = {} } = config;
        const template = Object.hasOwn(authentications, name) ? authentications[name] : undefined;
        return template && { template, value: must(fill(template, scene, input)) };
      },
      secret: (name) => {
        const why = scene.withheld(name);
        if (why !== undefined) throw new WorkflowError('authorization', { detail: why });
        return host.told.secrets[name] ?? null;
      },
    },
  );
  return isJsonObject(whole) ? whole : EMPTY;
}

function secretsOf({ workflow }: CallContext, host: Host): readonly Json[] {
  return workflow.secrets.map((name) => host.told.secrets[name] ?? null);
}

/** Whatever a policy says may be a secret, wherever it came from. */
function policiesIn(value: Json): readonly Json[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as JsonObject).flatMap(([name, part]) => {
    if (name !== 'authentication' || !isJsonObject(part)) return policiesIn(part);
    return Object.values(part).flatMap((scheme) => secretPartsOf(scheme));
  });
}

const SECRET_PARTS = /password|token|secret|assertion|subject|actor|code/i;

function secretPartsOf(scheme: Json): readonly Json[] {
  if (!isJsonObject(scheme)) return [];
  const { username, password } = scheme;
  const parts = Object.entries(scheme).flatMap(([name, part]) =>
    isJsonObject(part) ? secretPartsOf(part) : SECRET_PARTS.test(name) ? [part] : [],
  );
  // As they are sent, which in base64 has neither of them in it.
  const isPair = typeof username === 'string' && typeof password === 'string';
  return isPair ? [...parts, `${username}:${password}`] : parts;
}

function callingFor(
  host: Host,
  { signal, idempotencyKey }: CallContext,
  input: Json,
  hide: (text: string) => string,
): Calling {
  const { http, resources, base } = host;
  return {
    ...{ http, resources, signal, idempotencyKey, input, hide },
    ...(base === undefined ? {} : { base }),
    reach: (name, port) => http.reach(name, port),
    permits: (what, name) => host.permits(what, name),
  };
}

function sceneOf(host: Host, context: CallContext, seen: Seen): TaskScene {
  const { workflow, head, token, now, config, node, vars } = context;
  return new TaskScene(
    {
      ...{ workflow, head, told: host.told, now, startedAt: token.createdAt },
      subject: subjectOf(config.task, node),
      lookup: (name) => (Object.hasOwn(vars, name) ? vars[name] : undefined),
    },
    seen,
  );
}

function must<Value extends Json>(evaluated: Evaluated<Value>): Value {
  if (evaluated.ok) return evaluated.value;
  const { kind, ...parts } = evaluated.problem;
  throw new WorkflowError(kind, parts);
}

/** Thrown at whoever ran the handler: a fault of the language, with all that it says. */
class CallFault extends Error {
  readonly code: string;
  readonly details: JsonObject;

  constructor(code: string, message: string, details: JsonObject) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

function faultFrom(
  thrown: unknown,
  where: Parameters<typeof troubleFault>[1],
  hide: (text: string) => string,
): CallFault {
  const { kind, status, title, detail } = errorFrom(thrown);
  const parts = { status, title: hide(title), detail: hide(detail ?? '') };
  const { code, message, details = {} } = troubleFault({ kind, ...parts }, where);
  return new CallFault(code, message, details);
}

/** Whatever a client threw that it did not know to be an error of the language. */
function errorFrom(thrown: unknown): Pick<WorkflowError, 'kind' | 'status' | 'title' | 'detail'> {
  if (thrown instanceof WorkflowError) return thrown;
  const kind: ErrorKind = 'runtime';
  const detail = thrown instanceof Error ? thrown.message : String(thrown);
  return new WorkflowError(kind, { detail });
}
