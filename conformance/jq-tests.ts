/**
 * Reads the format of jq's own test files, and judges an answer.
 *
 * A file is blocks of lines with blank lines between them: a program, its input, then one output
 * per line. `%%FAIL` in front of a program says that it must not compile; what follows is the
 * message of the real one, which nobody compares. A line that begins with `#` is a comment and ends
 * a block like a blank line; `# Runtime error` in the place of an output says that the run ends in
 * an error there. A run may end in an error after the last output without any such line, as with
 * jq itself, and it may not run into a limit of ours.
 *
 * Nothing here knows how a program is run: an answer comes in, a verdict goes out.
 */
import type { Json } from '../src/base/json.ts';

export interface JqCase {
  /** Where the program stands in its file, from 1. */
  readonly line: number;
  readonly program: string;
  /** Whether the program must not compile; then the rest is empty. */
  readonly refused: boolean;
  readonly input: string;
  readonly outputs: readonly string[];
  /** Whether the file says that the run ends in an error behind the outputs. */
  readonly fails: boolean;
}

/** What came of a case. */
export type JqAnswer =
  | { readonly end: 'refused'; readonly message: string }
  | { readonly end: 'done'; readonly outputs: readonly Json[] }
  | { readonly end: 'error'; readonly outputs: readonly Json[]; readonly message: string }
  | { readonly end: 'limit'; readonly outputs: readonly Json[]; readonly message: string };

export type Verdict =
  | { readonly passed: true }
  | { readonly passed: false; readonly expected: string; readonly got: string };

interface Line {
  readonly number: number;
  readonly text: string;
}

const BYTE_ORDER_MARK = /^\uFEFF/;
const ERROR_AHEAD = /^\s*#\s*Runtime error/;

export function readJqTests(text: string): readonly JqCase[] {
  const lines = text.replace(BYTE_ORDER_MARK, '').split(/\r?\n/);
  const cases: JqCase[] = [];
  for (let at = 0; at < lines.length; ) {
    if (isBetween(lines[at])) {
      at += 1;
      continue;
    }
    const { found, next } = readBlock(lines, at);
    cases.push(found);
    at = next;
  }
  return cases;
}

function readBlock(lines: readonly string[], start: number): { found: JqCase; next: number } {
  const refused = /^%%FAIL(\s|$)/.test(lines[start] ?? '');
  const program = findLine(lines, refused ? start + 1 : start);
  // The lines behind a program that must not compile are a message, and no input.
  const input = refused ? program : findLine(lines, program.number);
  const outputs: string[] = [];
  let next = input.number;
  for (; next < lines.length && !isBetween(lines[next]); next += 1) outputs.push(lines[next] ?? '');
  const found = {
    line: program.number,
    program: program.text,
    refused,
    input: refused ? '' : input.text.replace(BYTE_ORDER_MARK, ''),
    outputs: refused ? [] : outputs,
    fails: !refused && ERROR_AHEAD.test(lines[next] ?? ''),
  };
  return { found, next };
}

/** The next line of a block, with comments in between passed over. Blank if the block is over. */
function findLine(lines: readonly string[], from: number): Line {
  let at = from;
  while (/^\s*#/.test(lines[at] ?? '')) at += 1;
  return { number: at + 1, text: lines[at] ?? '' };
}

function isBetween(line: string | undefined): boolean {
  return /^\s*(#|$)/.test(line ?? '');
}

/** Whether an answer is what its case asks for; `agrees` compares an output with a line of it. */
export function judge(
  one: JqCase,
  answer: JqAnswer,
  agrees: (wanted: string, got: Json) => boolean,
): Verdict {
  const isRight =
    one.refused || answer.end === 'refused'
      ? one.refused && answer.end === 'refused'
      : answer.end !== 'limit' &&
        (answer.end === 'error' || !one.fails) &&
        answer.outputs.length === one.outputs.length &&
        one.outputs.every((wanted, at) => agrees(wanted, answer.outputs[at] ?? null));
  if (isRight) return { passed: true };
  return { passed: false, expected: tellExpected(one), got: tellAnswer(answer) };
}

function tellExpected(one: JqCase): string {
  if (one.refused) return 'the program does not compile';
  return tellOutputs(one.outputs, one.fails ? 'an error' : undefined);
}

function tellAnswer(answer: JqAnswer): string {
  if (answer.end === 'refused') return `the program does not compile: ${answer.message}`;
  const outputs = answer.outputs.map((output) => JSON.stringify(output));
  return tellOutputs(outputs, answer.end === 'done' ? undefined : answer.message);
}

function tellOutputs(outputs: readonly string[], end: string | undefined): string {
  const told = outputs.length === 0 ? 'nothing' : outputs.join(' ; ');
  return end === undefined ? told : `${told}, then ${end}`;
}

/**
 * What an engine that evaluates somebody's expressions leaves out on purpose: modules, the stream
 * of inputs behind the first, and the environment of the process. Told by the text of a program,
 * strings left aside, so that a key or a field of such a name is not taken for it.
 */
const LEFT_OUT: readonly RegExp[] = [
  /\b(import|include)\s*""/,
  /\$ENV\b/,
  /(?<![\w.$@])(modulemeta|get_search_list|env|inputs?|input_(filename|line_number))\b(?!\s*:)/,
];

export function isLeftOut(program: string): boolean {
  const bare = program.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return LEFT_OUT.some((pattern) => pattern.test(bare));
}
