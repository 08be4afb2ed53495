/**
 * Ten thousand messages, from three processes at a time, for readers that arrive before, while and
 * after them: none is lost, and none is had twice.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createEngine, type Engine } from '../runtime/engine.ts';
import { type Bed, onBothDatabases } from './databases.ts';
import { MAIL_EACH, mailFor, PROCESSES, reader, readersOf } from './mail-plan.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';

const SEED = 20_261_116;
/** On each of the two: ten thousand together. `MAIL=10000` has as many as that on each. */
const MESSAGES = Number(process.env['MAIL'] ?? 5_000);
/** Readers that are waited for at the same time. */
const WAITED_FOR = 50;
/** A machine that is busy with other tests takes a multiple of the usual time. */
const TEST_MS_MAX = 300_000;

onBothDatabases('three processes that publish', (make) => {
  const messages = MESSAGES;
  const readers = readersOf(messages / MAIL_EACH);
  test(
    `${messages} messages are had by whom they are for, each of them once (seed ${SEED})`,
    async () => {
      const bed = make();
      const engine = await createEngine({
        store: storeAt(bed.place),
        flows: [reader],
        worker: false,
      });
      const programs = Array.from({ length: PROCESSES }, (_, number) =>
        launch(bed, readers.length, number),
      );
      await Promise.all(programs.map((program) => program.atWork()));
      for (const program of programs) program.tell('begin');
      await Promise.all(programs.map((program) => program.said(/^done$/)));

      const all = readers.flatMap(mailFor);
      // Whoever publishes an id first is the only one whose message is kept.
      const kept = programs.flatMap((_, number) => keptBy(bed, number));
      expect(kept.toSorted()).toEqual(all.toSorted());
      await checkReaders(engine, readers);
      expect(await engine.inbox.list()).toEqual({ messages: [], cursor: null });
      expect(await engine.check()).toMatchObject({ ok: true, instances: readers.length });
      await Program.killAll();
      await engine.close();
    },
    TEST_MS_MAX,
  );
});

function launch({ place, folder }: Bed, count: number, number: number): Program {
  return new Program('mail-worker', [place, folder, `${SEED}`, `${count}`, `${number}`]);
}

function keptBy({ folder }: Bed, number: number): readonly string[] {
  return JSON.parse(readFileSync(join(folder, `${number}.kept`), 'utf8')) as string[];
}

/** Each has had what was for it and nothing else, and nothing of it twice. */
async function checkReaders(engine: Engine, names: readonly string[]): Promise<void> {
  for (let from = 0; from < names.length; from += WAITED_FOR) {
    const some = names.slice(from, from + WAITED_FOR).map(async (name) => {
      const had = (await (await engine.get(name))?.result()) as readonly string[];
      expect(had.toSorted()).toEqual(mailFor(name));
    });
    await Promise.all(some);
  }
}
