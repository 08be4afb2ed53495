/** `perdure diff A B`: what is otherwise in one version of a flow than in another. */
import { diffPlans, type Difference, type Json, type PlanDiff } from '../../index.ts';
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { checkDefined } from '../diagnostics.ts';
import { storeWords } from '../mending.ts';
import { chosenFlow, isFile, readDefinitions } from '../modules.ts';
import { checkThere, type Place, placeOf } from '../stores.ts';
import type { Paint } from '../terminal.ts';
import { bodyOf, planBody } from './graph.ts';

interface DiffOptions extends JsonOptions, StoreOptions {
  readonly flow?: string;
}

export const diff: Part = (program, desk) => {
  program
    .command('diff <from> <to>')
    .description('what differs between two versions: files, or FLOW@VERSION of a store')
    .option('--flow <name>', 'which flow, if a file has several')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((from: string, to: string, options: DiffOptions) => compare(desk, from, to, options));
};

async function compare(desk: Desk, from: string, to: string, options: DiffOptions): Promise<void> {
  const bodies: Json[] = [];
  for (const word of [from, to]) {
    bodies.push(
      isFile(desk.terminal, word)
        ? await fromFile(desk, word, options)
        : await fromStore(desk, word, options),
    );
  }
  const [before, after] = bodies;
  const found = diffPlans(before ?? null, after ?? null);
  answer(desk, options, found, () => diffText(desk, found));
}

/** As it would be stored: what is wrong with it is said as ever. */
async function fromFile(desk: Desk, file: string, { flow }: DiffOptions): Promise<Json> {
  const defined = await readDefinitions(desk.terminal, file);
  const chosen = chosenFlow(defined, flow);
  await checkDefined(desk.terminal, { ...defined, flows: [chosen] });
  return bodyOf(desk.terminal, chosen);
}

async function fromStore(desk: Desk, word: string, options: DiffOptions): Promise<Json> {
  const place: Place = await placeOf(desk, options);
  await checkThere(place, storeWords(desk, options, place));
  await place.store.open();
  try {
    return await planBody(place, word);
  } finally {
    await place.store.close();
  }
}

const IMPACTS: Readonly<Record<Difference['impact'], readonly [string, Paint]>> = {
  safe: ['no instance minds', 'green'],
  later: ['what comes later goes otherwise', 'yellow'],
  mapping: ['an instance that stands there needs a mapping', 'red'],
};

function diffText({ terminal }: Desk, { from, to, differences, renames }: PlanDiff): string {
  const title = `${from.name}@${from.version} → ${to.name}@${to.version}`;
  if (differences.length === 0) return `${title}: no difference`;
  const lines = differences.map(({ message, impact }) => {
    const [words, paint] = IMPACTS[impact];
    return `  ${message} ${terminal.paint(paint, `(${words})`)}`;
  });
  const same = renames.map((one) => `  --map ${one.from}=${one.to}  ${one.why}`);
  return [title, ...lines, ...(same.length === 0 ? [] : ['probably the same:', ...same])].join(
    '\n',
  );
}
