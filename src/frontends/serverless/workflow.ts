/** A document as a flow: one node for the whole, and all of its tasks in the region of that. */
import type { Json, JsonObject } from '../../base/json.ts';
import type { Definition, Flow, Wanted } from '../../model/definition.ts';
import type { Draft, Span } from '../../model/draft.ts';
import type { WorkflowConfig } from '../../model/serverless.ts';
import { ERROR_FAMILIES } from '../../model/workflow-error.ts';
import { dataFlow } from '../builder/data-flow.ts';
import { Drawing } from './drawing.ts';
import { type Desk, stageOf } from './envelopes.ts';
import { wantsOf } from './links.ts';
import { drawList, type Region } from './lists.ts';
import { flowNameOf, versionNumber } from './names.ts';
import { scheduleOf } from './scheduling.ts';
import { listIn, objectIn, type Shelf, textIn } from './shelf.ts';
import { drawRace, timeoutOf } from './sketch.ts';
import { drawTask } from './tasks.ts';
import { templateOf } from './templates.ts';

export const ROOT = '/';

/** Nothing that stands elsewhere is there. */
export const NOTHING_FETCHED: Pick<Shelf, 'functions' | 'schemas'> = Object.freeze({
  functions: new Map(),
  schemas: new Map(),
});

/** A flow, and what it is made of that is not there yet. */
export interface Drawn<Input, Output> {
  readonly flow: Flow<Input, Output>;
  readonly wants: readonly Wanted[];
}

/** The same flow, of which more is known. */
export function withMore<Input, Output>(
  flow: Flow<Input, Output>,
  more: Partial<Definition>,
): Flow<Input, Output> {
  const definition = Object.freeze({ ...flow.definition, ...more });
  return Object.freeze({ ...flow, definition });
}

/** A document that has been read, and where in its text everything stands. */
export interface Document {
  readonly document: JsonObject | null;
  readonly spanOf: (pointer: string) => Span | undefined;
}

/** The flow of a document, with what stands elsewhere put in its place. */
export function drawWorkflow<Input, Output>(
  { document, spanOf }: Document,
  fetched: Pick<Shelf, 'functions' | 'schemas'>,
): Drawn<Input, Output> {
  const definition = document ?? {};
  const mode = textIn(objectIn(definition, 'evaluate'), 'mode') === 'loose' ? 'loose' : 'strict';
  const drawing = new Drawing(mode, spanOf);
  const desk: Desk = { drawing, shelf: { definition, ...fetched } };
  const start = { id: ROOT, kind: 'sw-workflow', settings: wholeOf(desk), hidden: true };
  const { namespace, name, version } = headOf(definition);
  const draft: Draft = {
    ...{ name: flowNameOf(namespace, name), version: versionNumber(version), start: ROOT },
    ...{ nodes: [start, ...drawing.nodes], edges: drawing.edges },
    saga: 'none',
  };
  const keep = (keeper: JsonObject): Flow =>
    drawWorkflow<never, unknown>({ document: keeper, spanOf: () => undefined }, NOTHING_FETCHED)
      .flow;
  const schedule = scheduleOf(definition, keep);
  const flow = dataFlow<Input, Output>(draft, drawing.diagnostics);
  const more = schedule === undefined ? {} : { schedule, calls: schedule.keepers };
  return { flow: withMore(flow, more), wants: wantsOf(desk.shelf) };
}

function headOf(definition: JsonObject): { namespace: string; name: string; version: string } {
  const document = objectIn(definition, 'document');
  const [namespace = '', name = '', version = ''] = ['namespace', 'name', 'version'].map((part) =>
    textIn(document, part),
  );
  return { namespace, name, version };
}

function wholeOf(desk: Desk): JsonObject {
  const { drawing, shelf } = desk;
  const { definition } = shelf;
  const after = timeoutOf(desk, definition['timeout']);
  const limit = after === undefined ? undefined : templateOf(drawing, after, TIMEOUT);
  const owner = limit === undefined ? ROOT : `${ROOT}#do`;
  const region: Region = { owner, prefix: '', vars: [], exit: 'list', whole: true, calling: [] };
  const body = drawList(drawing, listIn(definition, 'do'), '/do', region, drawTask(desk));
  const input = stageOf(desk, definition['input'], { at: '/input', vars: [] });
  const output = stageOf(desk, definition['output'], { at: '/output', vars: [] });
  const secrets = listIn(objectIn(definition, 'use'), 'secrets').filter(isText);
  const config: WorkflowConfig = {
    ...{ definition, secrets, errors: familyOf(definition), body: body as WorkflowConfig['body'] },
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(shelf.functions.size === 0 ? {} : { fetched: Object.fromEntries(shelf.functions) }),
  };
  if (limit === undefined) return config as unknown as JsonObject;
  drawRace(drawing, ROOT, '', { at: '/timeout', after: limit, whole: true });
  const task = { name: '', at: '', next: null, prevails: true };
  const whole = { task, body };
  drawing.add({ id: owner, kind: 'sw-do', settings: whole, parent: ROOT, hidden: true, at: '' });
  drawing.lead(`${ROOT}#start`, owner);
  return { ...config, body: `${ROOT}#start` } as unknown as JsonObject;
}

const TIMEOUT = { at: '/timeout/after', vars: [] };

function isText(value: Json): value is string {
  return typeof value === 'string';
}

/** Errors are named as the definition's version had it: the domain changed after 1.0.3. */
function familyOf(definition: JsonObject): string {
  const dsl = textIn(objectIn(definition, 'document'), 'dsl') ?? '1.0.0';
  const [major = 1, minor = 0, patch = 0] = (dsl.split(/[-+]/)[0] ?? '').split('.').map(Number);
  const isLater = major > 1 || minor > 0 || patch > 3;
  return ERROR_FAMILIES[isLater ? 1 : 0] as string;
}
