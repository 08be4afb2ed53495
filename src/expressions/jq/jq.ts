/**
 * jq: a small language in which people say what they want of a JSON value. This is our own,
 * complete but for what reaches outside (`input`, `env`, modules, exits), compiled to closures, and
 * bounded.
 *
 * `compileJq` says all it finds wrong with a text, with line and column. A program that compiles
 * can be run any number of times; a run is synchronous, reads no clock, and does the same on every
 * machine. It ends with its outputs, or with an error: one of jq's own, or a limit of the budget.
 * Nothing it is given is altered.
 */
import type { Json } from '../../base/json.ts';
import { no, ok, type Result } from '../../base/result.ts';
import { budgetOf, JQ_BUDGET_DEFAULT, type JqBudget, type JqLimit, type Meter } from './budget.ts';
import { BUILTINS, UNSUPPORTED } from './builtins/builtins.ts';
import { type Code, ROOT } from './compile/code.ts';
import { FORMS } from './compile/compile.ts';
import { Compiler } from './compile/compiler.ts';
import { type JqDiagnostic, spanAt, Unreadable } from './diagnostics.ts';
import { exceed, Exceeded, Raised } from './faults.ts';
import { checkOutput } from './outputs.ts';
import { parse } from './syntax/parser.ts';
import { ROOT_SCOPE } from './compile/scope.ts';
import { printStart } from './values/json-print.ts';

export type { JqBudget, JqDiagnostic, JqLimit };

const LANGUAGE = { forms: FORMS, builtins: BUILTINS, unsupported: UNSUPPORTED };

export interface JqOptions {
  /** Names of variables that each run brings along, without the dollar. */
  readonly vars?: readonly string[];
}

export interface JqProgram {
  /**
   * Variables that are not given are null. What the budget does not say is as by default. `now` is
   * in milliseconds since 1970; a program that asks for it without one being given fails.
   */
  run(
    value: Json,
    vars?: Readonly<Record<string, Json>>,
    budget?: Partial<JqBudget>,
    nowMs?: number,
  ): Result<readonly Json[], JqError>;
}

export interface JqError {
  readonly code: 'jq.error' | 'jq.limit';
  readonly message: string;
  /** What the program raised, which need not be a text; for a limit, the message. */
  readonly value: Json;
  readonly limit?: JqLimit;
  /** Outputs that came before it. */
  readonly outputs: readonly Json[];
}

export function compileJq(
  text: string,
  options: JqOptions = {},
): Result<JqProgram, readonly JqDiagnostic[]> {
  const { vars = [] } = options;
  const compiler = new Compiler(text, LANGUAGE, vars);
  let code: Code;
  try {
    code = compiler.code(parse(text), ROOT_SCOPE);
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown;
    const { message, at } = thrown;
    return no([{ code: thrown.code, message, span: spanAt(text, at) }]);
  }
  if (compiler.diagnostics.length > 0) return no(inOrder(compiler.diagnostics));
  return ok({
    run: (value, given, budget, nowMs) => {
      compiler.run.vars = vars.length === 0 ? NO_VARS : varsOf(vars, given ?? {});
      compiler.run.nowMs = nowMs;
      compiler.meter.begin(budget === undefined ? JQ_BUDGET_DEFAULT : budgetOf(budget));
      return runCode(code, value, compiler.meter);
    },
  });
}

const NO_VARS: readonly Json[] = [];

function varsOf(names: readonly string[], given: Readonly<Record<string, Json>>): Json[] {
  return names.map((name) => (Object.hasOwn(given, name) ? (given[name] as Json) : null));
}

function inOrder(diagnostics: readonly JqDiagnostic[]): JqDiagnostic[] {
  return diagnostics.toSorted((a, b) => a.span.line - b.span.line || a.span.column - b.span.column);
}

function runCode(code: Code, value: Json, meter: Meter): Result<readonly Json[], JqError> {
  const outputs: Json[] = [];
  const most = meter.budget.outputs;
  try {
    if (code.yields === 'one' && most > 0) {
      outputs.push(checkOutput(code.one(value, ROOT), meter));
      return ok(outputs);
    }
    code.many(value, ROOT, (output) => {
      if (outputs.length >= most) exceed('outputs', most);
      outputs.push(checkOutput(output, meter));
      return true;
    });
    return ok(outputs);
  } catch (thrown) {
    return no(errorOf(thrown, outputs, meter));
  }
}

/** What a program raises may be large; as a message its start is enough. */
const MESSAGE_CHARS_MAX = 1_000;

function errorOf(thrown: unknown, outputs: readonly Json[], meter: Meter): JqError {
  if (thrown instanceof Raised) return raisedError(thrown.value, outputs, meter);
  if (thrown instanceof Exceeded) return limitError(thrown.limit, thrown.most, outputs);
  // Arguments are compiled for paths when they are first asked for them; no limit of a run is that.
  if (thrown instanceof Unreadable) {
    const { message } = thrown;
    return { code: 'jq.limit', message, value: message, outputs };
  }
  const limit = thrown instanceof RangeError ? limitOf(thrown) : undefined;
  if (limit === undefined) throw thrown;
  return limitError(limit, undefined, outputs);
}

/** What is raised leaves the program as an output does, and must be as plain. */
function raisedError(raised: Json, outputs: readonly Json[], meter: Meter): JqError {
  let value: Json;
  try {
    value = checkOutput(raised, meter);
  } catch (thrown) {
    return errorOf(thrown, outputs, meter);
  }
  const text = typeof value === 'string' ? value : printStart(value, MESSAGE_CHARS_MAX);
  return { code: 'jq.error', message: text.slice(0, MESSAGE_CHARS_MAX), value, outputs };
}

/**
 * The limits are chosen so that the machine's own do not come first; but a budget may be larger
 * than it holds, and the stack of a caller may be deep already.
 */
function limitOf({ message }: RangeError): JqLimit | undefined {
  if (message.includes('call stack')) return 'depth';
  if (message.includes('string length')) return 'stringBytes';
  return message.includes('array length') ? 'elements' : undefined;
}

function limitError(limit: JqLimit, most: number | undefined, outputs: readonly Json[]): JqError {
  const bound = most === undefined ? 'this machine holds' : `its limit of ${most}`;
  const message = `the program took more than ${bound} (${limit})`;
  return { code: 'jq.limit', message, value: message, limit, outputs };
}
