/**
 * Why an instance does not move, and what would have it go on. What is said here is what somebody
 * must do: one that sleeps, waits for a message or is at work stands still for a good reason.
 */
import type { Engine, Flow, InstanceView, Token } from '../index.ts';
import { mendingCommand, shellWord } from './mending.ts';
import type { Naming } from './naming.ts';
import type { Defined } from './modules.ts';
import { faultText, handlerAdvice, handlerText, waitText } from './telling.ts';
import { taskCommands, taskText } from './people-words.ts';

export interface Standstill {
  readonly code: string;
  readonly node: string | null;
  readonly text: string;
  /** Any of these would mend it. */
  readonly commands: readonly string[];
}

/** An instance that calls others that call others has an end. */
const DEPTH_MAX = 100;
/** Another process may have the flow that is called, and not have looked yet. */
const PATIENCE_MS = 2_000;

export interface Surroundings {
  readonly engine: Engine;
  readonly defined: Defined;
  /** Nobody else works on the store, nor ever will: what is not here comes from nowhere. */
  readonly isAlone: boolean;
  /** What its nodes are called, if it is a workflow. */
  readonly naming?: Naming | null;
}

/** Everything that keeps it, and those it called, from going on. */
export async function standstillsOf(
  around: Surroundings,
  view: InstanceView,
  depth = 0,
): Promise<readonly Standstill[]> {
  const found = [...suspensionOf(view), ...incidentsOf(view), ...stallOf(view), ...tasksOf(view)];
  for (const token of view.tokens) {
    if (around.isAlone) found.push(...unservedBy(around, token));
    if (token.wait?.on !== 'child' || depth >= DEPTH_MAX) continue;
    const child = await (await around.engine.get(token.wait.instance))?.inspect();
    if (child !== undefined) found.push(...(await standstillsOf(around, child, depth + 1)));
    else found.push(...unknownTo(around, view, token));
  }
  return found;
}

/** Whether it, or one it called, goes on by itself: in time, or because it is at work. */
export async function canMove(
  around: Surroundings,
  view: InstanceView,
  depth = 0,
): Promise<boolean> {
  if (view.endedAt !== null) return true;
  if (view.status === 'suspended') return false;
  for (const token of view.tokens) {
    const { status, wakeAt, wait } = token;
    if (wakeAt !== null) return true;
    if (status === 'ready' && unservedBy(around, token).length === 0) return true;
    if (wait?.on !== 'child' || depth >= DEPTH_MAX) continue;
    const child = await (await around.engine.get(wait.instance))?.inspect();
    if (child !== undefined && (await canMove(around, child, depth + 1))) return true;
    if (child === undefined && unknownTo(around, view, token).length === 0) return true;
  }
  return false;
}

/** Of one that nobody else can move: what keeps it, or else what it waits for. */
export async function whyForEver(
  around: Surroundings,
  view: InstanceView,
): Promise<readonly Standstill[]> {
  const found = await standstillsOf(around, view);
  if (found.length > 0) return found;
  return view.tokens.flatMap((token) => {
    const text = waitText(token, view.updatedAt);
    if (text === undefined) return [];
    const node = around.naming?.taskOf(token.node) ?? token.node;
    const name = around.naming?.nameOf(node) ?? node;
    return [{ code: 'instance.waiting', node, text: `"${name}" ${text}`, commands: [] }];
  });
}

/** Steps of a chain, or activities, that a file has no handler for, by the handlers' full names. */
export function missingHandlers({ handlers }: Defined, { name, definition }: Flow): string[] {
  const types = definition.draft.nodes.flatMap(({ kind, settings: { type } }) =>
    (kind === 'link' || kind === 'activity') && typeof type === 'string' ? [type] : [],
  );
  const isMissing = (type: string): boolean =>
    !Object.hasOwn(handlers, type) && !Object.hasOwn(handlers, `${name}/${type}`);
  return [...new Set(types.filter(isMissing))].map((type) => `${name}/${type}`);
}

function suspensionOf({ id, flow, status, pauses }: InstanceView): Standstill[] {
  if (status !== 'suspended') return [];
  const isHalted = pauses.at(-1)?.halt === true;
  const what = isHalted ? `--flow ${shellWord(flow)}` : shellWord(id);
  const command = `perdure resume ${what}`;
  const text = isHalted ? `the flow "${flow}" is suspended` : `instance ${id} is suspended`;
  return [{ code: 'instance.suspended', node: null, text, commands: [command] }];
}

function incidentsOf({ id, incidents }: InstanceView): Standstill[] {
  return incidents.map(({ token, node, fault, can }) => ({
    code: fault?.code ?? 'incident',
    node,
    text: `"${node}" failed and waits to be mended${fault === null ? '' : `: ${faultText(fault)}`}`,
    commands: can.map((remedy) => mendingCommand(remedy, id, token)),
  }));
}

/** People may do it sooner than its time is over, if it has one. */
function tasksOf({ id, tokens }: InstanceView): Standstill[] {
  return tokens.flatMap(({ id: token, node, wait }) => {
    if (wait?.on !== 'task') return [];
    const commands = taskCommands(id, token, wait.task);
    return [{ code: 'instance.waiting', node, text: `"${node}" ${taskText(wait.task)}`, commands }];
  });
}

function stallOf({ id, stalled }: InstanceView): Standstill[] {
  if (stalled === null) return [];
  if (stalled.reason === 'handler.missing') {
    const { handlers } = stalled;
    const named = handlers.map(handlerText).join(', ');
    const text = `no process has ${named}: ${handlerAdvice(handlers)}`;
    const node = stalled.tokens[0]?.node ?? null;
    return [{ code: stalled.reason, node, text, commands: [] }];
  }
  return stalled.joins.map(({ node, missing }) => ({
    code: 'instance.stalled',
    node,
    text: `"${node}" waits for what cannot come any more, by ${missing.join(', ')}`,
    commands: [`perdure show ${shellWord(id)}`],
  }));
}

/** Where nobody else works, a step that is due and has no handler here has none at all. */
function unservedBy({ defined, isAlone }: Surroundings, token: Token): Standstill[] {
  const { status, handler, node } = token;
  if (!isAlone || status !== 'ready' || handler === null) return [];
  const missing = flowsIn(defined).flatMap((flow) => missingHandlers(defined, flow));
  if (!missing.includes(handler)) return [];
  const text = `"${defined.file}" has no handler for ${handler}`;
  return [{ code: 'handler.missing', node, text, commands: [] }];
}

/** It calls a flow that is not here, and nobody else has begun it. */
function unknownTo(
  { defined, isAlone }: Surroundings,
  { flow, updatedAt }: InstanceView,
  { node, updatedAt: since }: Token,
): Standstill[] {
  const flows = flowsIn(defined);
  const caller = flows.find(({ name }) => name === flow);
  const call = caller?.definition.draft.nodes.find(({ id }) => id === node);
  const called = call?.settings['flow'] ?? null;
  const wanted = call?.settings['version'] ?? null;
  const isHere = flows.some(({ name, version }) => {
    return name === called && (wanted === null || version === wanted);
  });
  if (isHere) return [];
  if (!isAlone && Date.now() - Math.max(since, updatedAt) < PATIENCE_MS) return [];
  const which = typeof called === 'string' ? `the flow "${called}"` : 'a flow';
  const who = isAlone ? `"${defined.file}" does not have` : 'no process has begun';
  const text = `"${node}" calls ${which}, which ${who}`;
  return [{ code: 'call.unknown-flow', node, text, commands: [] }];
}

/** Those of a file, and those that they call. */
function flowsIn({ flows }: Defined): readonly Flow[] {
  const all = new Set(flows);
  // What is added while it is walked is walked, too.
  for (const { definition } of all) for (const flow of definition.calls ?? []) all.add(flow);
  return [...all];
}
