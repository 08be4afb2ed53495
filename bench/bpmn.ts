/**
 * bpmn-engine, given its best: the source is parsed and serialized once, its logger does nothing,
 * a task's service calls back at once, and one engine is made per run, as its documentation does.
 */
import { type Contender, runInLanes } from './measure.ts';
import { importPackage } from './packages.ts';

interface BpmnEngine {
  waitFor(event: 'end'): Promise<unknown>;
  execute(): Promise<unknown>;
}

interface BpmnActivity {
  readonly type: string;
  readonly behaviour: { Service?: new () => Immediate };
}

interface Peer {
  readonly Engine: new (options: object) => BpmnEngine;
  readonly parse: (source: string) => Promise<object>;
}

export interface Model {
  readonly name: string;
  readonly source: string;
  /** How often the conditional flow of the model is taken before it is not. */
  readonly passes?: number;
  /** How many runs are under way at a time. */
  readonly lanes: number;
}

/** A contender that runs one model again and again. */
export async function bpmnContender(model: Model): Promise<Contender> {
  const one = await bpmnRunner(model);
  const go = (ms: number): Promise<number> => runInLanes(model.lanes, ms, one);
  return { name: model.name, prepare: async () => ({ go, close: async () => {} }) };
}

/** One run of a model, as often as it is called. */
export async function bpmnRunner({
  name,
  source,
  passes,
}: Omit<Model, 'lanes'>): Promise<() => Promise<void>> {
  const { Engine, parse } = await loadPeer();
  const sourceContext = await parse(source);
  const extensions = { service: serveTasks(passes !== undefined) };
  return async () => {
    let left = passes ?? 0;
    const more = (): boolean => {
      left -= 1;
      return left > 0;
    };
    const options = { name, sourceContext, extensions, Logger: silent, services: { more } };
    const engine = new Engine(options);
    const end = engine.waitFor('end');
    await engine.execute();
    await end;
  };
}

async function loadPeer(): Promise<Peer> {
  const { Engine } = await importPackage<Pick<Peer, 'Engine'>>('bpmn-engine');
  const elements = await importPackage<object>('bpmn-elements');
  const moddle = await importPackage<{
    default: new () => { fromXML(source: string): Promise<object> };
  }>('bpmn-moddle');
  const serializer = await importPackage<{
    default: (context: object, types: object) => object;
    TypeResolver: (types: object) => object;
  }>('moddle-context-serializer');
  const types = serializer.TypeResolver({ ...elements });
  const parse = async (source: string): Promise<object> =>
    serializer.default(await new moddle.default().fromXML(source), types);
  return { Engine, parse };
}

/** Every task does nothing. */
function serveTasks(loops: boolean): (activity: BpmnActivity) => void {
  return ({ type, behaviour }) => {
    if (type === 'bpmn:ServiceTask') behaviour.Service = loops ? Deferred : Immediate;
  };
}

class Immediate {
  execute(_message: unknown, callback: () => void): void {
    callback();
  }
}

/**
 * What calls back at once is called deeper each time: a loop of 1,000 passes then runs out of
 * stack. In loops the callback is a microtask, which costs next to nothing.
 */
class Deferred {
  execute(_message: unknown, callback: () => void): void {
    queueMicrotask(callback);
  }
}

function silent(): object {
  const nothing = (): void => {};
  return { debug: nothing, error: nothing, warn: nothing };
}

/** Tasks one after another. */
export function sequenceSource(length: number): string {
  const ids = taskIds(length);
  const stops = ['start', ...ids, 'end'];
  const flows = stops.slice(1).map((to, index) => flowTag(stops[index] ?? '', to));
  return definitions([...ids.map((id) => taskTag(id)), ...flows]);
}

/** A fork into so many tasks, and their join. */
export function forkSource(width: number): string {
  const ids = taskIds(width);
  return definitions([
    '<parallelGateway id="fork"/><parallelGateway id="join"/>',
    ...ids.map((id) => taskTag(id)),
    ...ids.flatMap((id) => [flowTag('fork', id), flowTag(id, 'join')]),
    flowTag('start', 'fork'),
    flowTag('join', 'end'),
  ]);
}

/** A task and a gateway that leads back to it for as long as `services.more` says so. */
export function backEdgeSource(): string {
  const condition =
    '<conditionExpression xsi:type="tFormalExpression">' +
    '${environment.services.more()}</conditionExpression>';
  return definitions([
    taskTag('task'),
    '<exclusiveGateway id="gateway" default="gateway-end"/>',
    flowTag('start', 'task'),
    flowTag('task', 'gateway'),
    flowTag('gateway', 'task', condition),
    flowTag('gateway', 'end'),
  ]);
}

/** A subprocess of one task that loops by its marker. */
export function loopedBodySource(passes: number): string {
  return definitions([
    `<subProcess id="body">${loopMarker(passes)}${taskTag('task')}</subProcess>`,
    flowTag('start', 'body'),
    flowTag('body', 'end'),
  ]);
}

/** A single task that loops by its marker: no token moves between the passes. */
export function loopedTaskSource(passes: number): string {
  const task = taskTag('task', loopMarker(passes));
  return definitions([task, flowTag('start', 'task'), flowTag('task', 'end')]);
}

function loopMarker(passes: number): string {
  return `<standardLoopCharacteristics loopMaximum="${passes}"/>`;
}

function taskIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `task${index + 1}`);
}

function taskTag(id: string, inner = ''): string {
  return `<serviceTask id="${id}">${inner}</serviceTask>`;
}

function flowTag(from: string, to: string, inner = ''): string {
  const ends = `sourceRef="${from}" targetRef="${to}"`;
  return `<sequenceFlow id="${from}-${to}" ${ends}>${inner}</sequenceFlow>`;
}

function definitions(elements: readonly string[]): string {
  const body = `<startEvent id="start"/>${elements.join('')}<endEvent id="end"/>`;
  return (
    '<definitions id="bench" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<process id="process" isExecutable="true">${body}</process></definitions>`
  );
}
