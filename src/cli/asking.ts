/** A question to a person at a keyboard, which is answered by yes or by anything else. */
import { createInterface } from 'node:readline/promises';
import { Stopped } from './stopping.ts';

/** Ctrl-C is thrown as `Stopped`; the end of the input is no yes. */
export async function ask(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<boolean> {
  const reader = createInterface({ input, output, terminal: true });
  try {
    const answer = await new Promise<string | null>((resolve, reject) => {
      reader.once('SIGINT', () => reject(new Stopped('SIGINT')));
      reader.once('close', () => resolve(null));
      reader.question(`${question} [y/N] `).then(resolve, reject);
    });
    if (answer === null) output.write('\n');
    return answer !== null && /^y(es)?$/i.test(answer.trim());
  } catch (thrown) {
    output.write('\n');
    throw thrown;
  } finally {
    reader.close();
  }
}
