/**
 * Values of a definition as templates: which texts are expressions is decided here, once.
 *
 * In strict mode a text is one if it is `${ … }` from its beginning to its end; in loose mode every
 * text is tried. Where the language expects an expression (`when`, `from`, `as`, `in` …) the braces
 * may be left out. Every program is compiled, so that what is wrong with it is said when the
 * definition is read.
 */
import { isJsonObject, type Json } from '../../base/json.ts';
import { compileJq } from '../../expressions/jq/jq.ts';
import type { Template } from '../../model/serverless.ts';
import { expressionIn } from './reading/expression-text.ts';

/** What every expression may ask for; variables of loops and handlers come on top. */
export const BUILT_IN_VARIABLES: readonly string[] = [
  ...['context', 'input', 'output', 'secrets', 'secret', 'authorization'],
  ...['task', 'workflow', 'runtime'],
];

export interface TemplateDesk {
  readonly mode: 'strict' | 'loose';
  /** Something is wrong with what stands at a pointer. */
  complain(code: string, message: string, pointer: string): void;
}

/** Where a value stands, and which variables there are. */
export interface Spot {
  readonly at: string;
  readonly vars: readonly string[];
}

export function templateOf(desk: TemplateDesk, value: Json, spot: Spot): Template {
  if (typeof value === 'string') return textOf(desk, value, spot);
  if (Array.isArray(value)) {
    const list = (value as readonly Json[]).map((part, n) =>
      templateOf(desk, part, inside(spot, n)),
    );
    return list.every(isLiteral) ? { lit: value } : { list };
  }
  if (!isJsonObject(value)) return { lit: value };
  const map = Object.entries(value).map(
    ([name, part]) => [name, templateOf(desk, part, inside(spot, name))] as const,
  );
  return map.every(([, part]) => isLiteral(part)) ? { lit: value } : { map };
}

function isLiteral(template: Template): boolean {
  return 'lit' in template;
}

export function inside({ at, vars }: Spot, step: string | number): Spot {
  return { at: `${at}/${escaped(String(step))}`, vars };
}

/** A step of an RFC 6901 pointer. */
export function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

function textOf(desk: TemplateDesk, text: string, spot: Spot): Template {
  const program = expressionIn(text);
  if (program !== undefined) return { jq: checked(desk, program, spot) };
  const isTried = desk.mode === 'loose' && text.trim() !== '' && compiles(text, spot);
  return isTried ? { loose: text } : { lit: text };
}

/** A text where the language expects an expression: with its braces or without. */
export function programOf(desk: TemplateDesk, text: string, spot: Spot): string {
  return checked(desk, expressionIn(text) ?? text, spot);
}

/** `from`, `as`, `in`: an expression, or a value with expressions in it. */
export function expressionOrValue(desk: TemplateDesk, value: Json, spot: Spot): Template {
  return typeof value === 'string'
    ? { jq: programOf(desk, value, spot) }
    : templateOf(desk, value, spot);
}

function compiles(program: string, { vars }: Spot): boolean {
  return compileJq(program, { vars: [...BUILT_IN_VARIABLES, ...vars] }).ok;
}

function checked(desk: TemplateDesk, program: string, { at, vars }: Spot): string {
  const compiled = compileJq(program, { vars: [...BUILT_IN_VARIABLES, ...vars] });
  if (compiled.ok) return program;
  for (const { message, span } of compiled.problem) {
    const where = program.includes('\n') ? ` (line ${span.line} of the expression)` : '';
    desk.complain('serverless.bad-expression', `${message}${where}`, at);
  }
  return program;
}
