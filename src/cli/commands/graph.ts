/** `perdure graph`: draws a flow of a file or of a store, or an instance and where it stands. */
import {
  createEngine,
  type Engine,
  EngineError,
  type Flow,
  type InstanceView,
  type Json,
  memory,
} from '../../index.ts';
import {
  answer,
  choiceOption,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { drawMermaid } from '../drawing/mermaid.ts';
import { type Marks, type Picture, pictureOf } from '../../drawing/picture.ts';
import { type Sketch, sketchOfFlow, sketchOfPlan } from '../../drawing/sketch.ts';
import { drawSvg } from '../drawing/svg.ts';
import { drawText } from '../drawing/text.ts';
import { workflowPicture } from '../../drawing/workflow.ts';
import { checkDefined } from '../diagnostics.ts';
import { badCommand } from '../failing.ts';
import { chosenFlow, isFile, readDefinitions } from '../modules.ts';
import { meant } from '../../base/nearest.ts';
import { type Place, talkLogger, withEngine } from '../stores.ts';
import type { Terminal } from '../terminal.ts';
import { readFlowName } from '../words.ts';

interface GraphOptions extends JsonOptions, StoreOptions {
  readonly format: string;
  readonly flow?: string;
}

const FORMATS: Readonly<Record<string, (picture: Picture) => string>> = {
  text: drawText,
  mermaid: drawMermaid,
  svg: drawSvg,
};

export const graph: Part = (program, desk) => {
  program
    .command('graph <file-flow-or-id>')
    .description('draw a flow, or an instance and where it stands')
    .addOption(choiceOption('--format <format>', 'how', Object.keys(FORMATS)).default('text'))
    .option('--flow <name>', 'which flow, if the file has several')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((what: string, options: GraphOptions) => draw(desk, what, options));
};

async function draw(desk: Desk, what: string, options: GraphOptions): Promise<void> {
  const { format } = options;
  const drawing = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (drawing === undefined) {
    throw badCommand(`there is no format "${format}": ${meant(format, Object.keys(FORMATS))}`);
  }
  const { sketch, marks } = isFile(desk.terminal, what)
    ? { sketch: await fromFile(desk, what, options), marks: new Map<string, string>() }
    : await withEngine(desk, options, (engine, place) => fromStore(engine, place, what));
  const text = drawing(workflowPicture(sketch, marks) ?? pictureOf(sketch, marks));
  answer(desk, options, { format, text }, () => text);
}

async function fromFile({ terminal }: Desk, file: string, { flow }: GraphOptions): Promise<Sketch> {
  const defined = await readDefinitions(terminal, file);
  const chosen = chosenFlow(defined, flow);
  await checkDefined(terminal, { ...defined, flows: [chosen] });
  // Nothing is fetched to draw a workflow: it is drawn as it is written.
  if (defined.workflow !== undefined) return sketchOfFlow(chosen);
  return sketchOfPlan(await bodyOf(terminal, chosen));
}

/** The body of its plan, as it would be stored. */
export async function bodyOf(terminal: Terminal, flow: Flow): Promise<Json> {
  const store = memory();
  const logger = talkLogger(terminal);
  const engine = await createEngine({ store, flows: [flow], worker: false, logger });
  try {
    return await planBody({ store }, `${flow.name}@${flow.version}`);
  } finally {
    await engine.close();
  }
}

async function fromStore(
  engine: Engine,
  place: Place,
  what: string,
): Promise<{ sketch: Sketch; marks: Marks }> {
  const view = await (await engine.get(what))?.inspect();
  if (view === undefined) {
    return { sketch: sketchOfPlan(await planBody(place, what)), marks: new Map() };
  }
  const plan = await place.store.loadPlan(view.plan);
  return { sketch: sketchOfPlan(plan?.body ?? {}), marks: marksOf(view) };
}

/** The body of a stored plan, by the name of its flow: the newest version, or the one named. */
export async function planBody({ store }: Pick<Place, 'store'>, word: string): Promise<Json> {
  const { name, version } = readFlowName(word);
  const all = await store.plans();
  const mine = all.filter(
    (plan) => plan.name === name && plan.version === (version ?? plan.version),
  );
  const newest = mine.toSorted((a, b) => b.version - a.version)[0];
  const found = newest && (await store.loadPlan(newest.hash));
  if (found !== undefined) return found.body;
  const known = all.map((plan) =>
    version === undefined ? plan.name : `${plan.name}@${plan.version}`,
  );
  const hint = meant(word, [...new Set(known)]);
  const message = `there is no file, instance or flow "${word}": ${hint}`;
  throw new EngineError('definition.not-found', message, { details: { known } });
}

/** How many tokens are at each node, and in what state; blocks are none that anybody is. */
function marksOf({ tokens, fault }: InstanceView): Marks {
  const states = new Map<string, string[]>();
  for (const { node, status, wait } of tokens) {
    if (wait?.on === 'merge' && wait.block === true) continue;
    const words = { incident: 'failed', merge: 'arrived' } as const;
    const state = wait?.on === 'incident' || wait?.on === 'merge' ? words[wait.on] : status;
    if (state !== 'created') states.set(node, [...(states.get(node) ?? []), state]);
  }
  if (typeof fault?.node === 'string') states.set(fault.node, ['failed here']);
  return new Map([...states].map(([node, list]) => [node, countsOf(list)]));
}

function countsOf(states: readonly string[]): string {
  const kinds = [...new Set(states)];
  const count = (kind: string): number => states.filter((one) => one === kind).length;
  const said = kinds.map((kind) => (count(kind) === 1 ? kind : `${count(kind)} ${kind}`));
  return `● ${said.join(', ')}`;
}
