/** `perdure doctor`: looks at a store from all sides, and says what to do. Changes nothing. */
import { createEngine } from '../../index.ts';
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { EXIT, type ExitCode } from '../exit.ts';
import { symptomsInside } from '../health/examining.ts';
import { diskSymptoms, nodeSymptom, schemaSymptoms } from '../health/place.ts';
import type { Symptom } from '../health/symptoms.ts';
import { storeWords } from '../mending.ts';
import { plainLine } from '../plain.ts';
import { type Place, placeOf, talkLogger } from '../stores.ts';
import type { Paint } from '../terminal.ts';

interface DoctorOptions extends JsonOptions, StoreOptions {
  readonly full?: boolean;
}

export const doctor: Part = (program, desk) => {
  program
    .command('doctor')
    .description('look at a store from all sides, and say what to do')
    .option('--full', 'also what takes long: every instance, every page of a large file')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action(async (options: DoctorOptions) => {
      desk.end(await examine(desk, options));
    });
};

async function examine(desk: Desk, options: DoctorOptions): Promise<ExitCode> {
  const place = await placeOf(desk, options);
  const outside = [
    nodeSymptom(process.version),
    ...(await schemaSymptoms(place)),
    ...(await diskSymptoms(place)),
  ];
  // What is behind or away cannot be looked into: opening it would change it, or fail.
  const isOpen = outside.every(({ name, status }) => {
    return status !== 'fail' || (name !== 'store' && name !== 'schema');
  });
  const inside = isOpen ? await insideOf(desk, place, options) : [];
  const where = storeWords(desk, options, place);
  const checks = [...outside, ...inside].map((one) => withStore(one, where));
  const ok = checks.every(({ status }) => status !== 'fail');
  answer(desk, options, { ok, checks }, () => checks.map((one) => lineOf(desk, one)).join('\n'));
  return ok ? EXIT.fine : EXIT.failed;
}

/** Advice names commands in quotes: whoever copies one means this store. */
function withStore(symptom: Symptom, where: string): Symptom {
  const { advice } = symptom;
  if (advice === null) return symptom;
  const named = advice.replaceAll(/"(perdure [^"]+)"/g, (_, words: string) => {
    return `"${words}${where}"`;
  });
  return { ...symptom, advice: named };
}

async function insideOf(
  desk: Desk,
  place: Place,
  { full = false }: DoctorOptions,
): Promise<readonly Symptom[]> {
  const { store } = place;
  const logger = talkLogger(desk.terminal);
  try {
    const engine = await createEngine({ store, worker: false, logger });
    try {
      return await symptomsInside(engine, place, full);
    } finally {
      await engine.close();
    }
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown;
    const advice = 'see the code of this error in docs/errors.md';
    return [{ name: 'open', status: 'fail', found: thrown.message, advice }];
  }
}

const SIGNS: Readonly<Record<Symptom['status'], readonly [string, Paint]>> = {
  ok: ['✓', 'green'],
  warn: ['!', 'yellow'],
  fail: ['✗', 'red'],
};

function lineOf({ terminal }: Desk, { name, status, found, advice }: Symptom): string {
  const [sign, paint] = SIGNS[status];
  const line = `${terminal.paint(paint, sign)} ${name.padEnd(NAME_COLUMNS)} ${plainLine(found)}`;
  return advice === null ? line : `${line}\n  ${' '.repeat(NAME_COLUMNS)} → ${advice}`;
}

const NAME_COLUMNS = 13;
