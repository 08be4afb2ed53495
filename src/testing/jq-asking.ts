/**
 * How the real jq (jq-wasm) is asked what it says to a program, an input and a variable `$given`.
 *
 * A call costs a millisecond and more, nearly all of it for compiling jq's own builtins, so many
 * questions are put in one program: each becomes one array, with each output in an array of its own
 * and an error in an object.
 */
import type { Jq } from 'jq-wasm';
import type { Json } from '../base/json.ts';

export interface Question {
  readonly program: string;
  readonly input: Json;
  readonly given: Json;
}

export type Answer =
  | { readonly end: 'refused'; readonly message: string }
  | { readonly end: 'done'; readonly outputs: readonly Json[] }
  | { readonly end: 'error'; readonly outputs: readonly Json[]; readonly error: Json }
  /** The oracle broke down. */
  | { readonly end: 'silent' };

/** The exit code of jq if a program does not compile. */
const EXIT_REFUSED = 3;

/** Undefined if one of several does not compile, or ends as none should. Throws if jq breaks. */
export function askJq(jq: Jq, questions: readonly Question[]): readonly Answer[] | undefined {
  const [first, ...more] = questions;
  if (first !== undefined && more.length === 0) {
    // In parentheses, `1) | (2` would be a program. Without any input it is only compiled.
    const flags = ['--argjson', 'given', JSON.stringify(first.given)];
    const { exitCode, stderr } = jq.raw('', first.program, flags);
    if (exitCode === EXIT_REFUSED) return [{ end: 'refused', message: stderr }];
  }
  const input = JSON.stringify(questions.map(({ input: value, given }) => [value, given]));
  const { stdout, exitCode } = jq.raw(input, programOf(questions), ['-c']);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return exitCode === 0 && lines.length === questions.length ? lines.map(readAnswer) : undefined;
}

function programOf(questions: readonly Question[]): string {
  // The line end closes a comment at the end of a program.
  const parts = questions.map(
    ({ program }, at) =>
      `[.[${at}] | .[1] as $given | .[0] | try ((${program}\n) | [.]) catch {error: .}]`,
  );
  return parts.join(',');
}

function readAnswer(line: string): Answer {
  const items = JSON.parse(line) as readonly (readonly [Json] | { readonly error: Json })[];
  const outputs = items.flatMap((item) => ('error' in item ? [] : [item[0]]));
  const error = items.find((item) => 'error' in item);
  if (error === undefined) return { end: 'done', outputs };
  return { end: 'error', outputs, error: error.error };
}
