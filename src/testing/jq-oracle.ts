/**
 * The real jq as an oracle. Questions are asked many at once; if one of them does not compile, the
 * others are not answered either, and all are asked again one by one. So it is if jq breaks down
 * (it runs out of memory and cannot be used any more) or does not come to an end: its thread is
 * given up, and the question that did it gets no answer.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Answer, Question } from './jq-asking.ts';

/** More in one call hardly make it cheaper: 0.15 ms a question with 20, 0.12 with 40. */
const BATCH_MAX = 40;
/** A batch takes some ten milliseconds; one that takes so long will never end. */
const ANSWER_MS_MAX = 2_000;

const SILENCE: Answer = { end: 'silent' };

export class Oracle {
  #thread: Worker | undefined;

  async ask(questions: readonly Question[]): Promise<readonly Answer[]> {
    const answers = new Map<Question, Answer>();
    for (const batch of batchesOf(questions)) {
      const said = await this.#askBatch(batch);
      for (const [at, question] of batch.entries()) answers.set(question, said[at] ?? SILENCE);
    }
    return questions.map((question) => answers.get(question) ?? SILENCE);
  }

  async #askBatch(questions: readonly Question[]): Promise<readonly Answer[]> {
    const together = await this.#askAtOnce(questions);
    if (together !== undefined) return together;
    if (questions.length < 2) return [SILENCE];
    const answers: Answer[] = [];
    for (const question of questions) answers.push(...(await this.#askBatch([question])));
    return answers;
  }

  /** Undefined if they must be asked one by one, or if there is no answer. */
  async #askAtOnce(questions: readonly Question[]): Promise<readonly Answer[] | undefined> {
    const thread = (this.#thread ??= await openThread());
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), ANSWER_MS_MAX);
    // Only what is asked: the rest of a case is of no use there.
    thread.postMessage(questions.map(({ program, input, given }) => ({ program, input, given })));
    try {
      const [answers] = await once(thread, 'message', { signal: stop.signal });
      return answers as readonly Answer[] | undefined;
    } catch {
      this.#thread = undefined;
      await thread.terminate();
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function openThread(): Promise<Worker> {
  // What it says as it breaks down is of no interest to anyone.
  const file = new URL('./jq-oracle-worker.ts', import.meta.url);
  const thread = new Worker(file, { stderr: true, stdout: true });
  await once(thread, 'message');
  // An oracle that nobody asks any more keeps no process alive; a timer does while one is asked.
  thread.unref();
  return thread;
}

/** A question about a place in the program is asked alone: in a batch the place is another. */
function batchesOf(questions: readonly Question[]): readonly (readonly Question[])[] {
  const isLocal = ({ program }: Question): boolean => program.includes('$__loc__');
  const others = questions.filter((question) => !isLocal(question));
  const batches = questions.filter(isLocal).map((question) => [question]);
  for (let from = 0; from < others.length; from += BATCH_MAX) {
    batches.push(others.slice(from, from + BATCH_MAX));
  }
  return batches;
}
