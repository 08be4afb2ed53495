/** What is wrong with the text of a program, and where. */
import type { Span } from '../../model/draft.ts';

export type JqDiagnosticCode =
  | 'jq.syntax'
  | 'jq.too-big'
  | 'jq.too-deep'
  | 'jq.undefined-function'
  | 'jq.undefined-label'
  | 'jq.undefined-variable'
  | 'jq.unsupported';

export interface JqDiagnostic {
  readonly code: JqDiagnosticCode;
  readonly message: string;
  readonly span: Span;
}

/** A mistake that makes the rest of the text unreadable; caught where a program is compiled. */
export class Unreadable {
  readonly code: JqDiagnosticCode;
  readonly message: string;
  readonly at: number;

  constructor(at: number, message: string, code: JqDiagnosticCode = 'jq.syntax') {
    this.at = at;
    this.message = message;
    this.code = code;
  }
}

export function refuse(at: number, message: string, code?: JqDiagnosticCode): never {
  // oxlint-disable-next-line typescript/only-throw-error -- it never leaves this room
  throw new Unreadable(at, message, code);
}

/** Lines and columns count from 1, columns in characters as people count them. */
export function spanAt(text: string, at: number): Span {
  const before = text.slice(0, at).split('\n');
  const last = before.at(-1) ?? '';
  return { line: before.length, column: Array.from(last).length + 1 };
}
