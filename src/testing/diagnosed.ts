/** Definitions with mistakes, and what is said of them, with its place and word for word. */
import { describe, expect, test } from 'vitest';
import { readWorkflow } from '../frontends/serverless/reading/reading.ts';
import type { Diagnostic } from '../model/draft.ts';
import { definition } from './serverless-snippets.ts';

export interface Diagnosed {
  readonly what: string;
  /** What follows a head of five lines; or else the whole text. */
  readonly body?: string;
  readonly text?: string;
  /** `line:column (code) pointer` and the message, which may go on in further lines. */
  readonly errors?: string;
  readonly warnings?: string;
}

export function diagnosedCases(subject: string, cases: readonly Diagnosed[]): void {
  describe(subject, () => {
    for (const { what, body, text = '', errors, warnings } of cases) {
      test(`${errors === undefined ? 'warns of' : 'refuses'} ${what}`, () => {
        const read = readWorkflow(body === undefined ? text.replace(/^\n/, '') : definition(body));
        expect(said(read.errors)).toEqual(expected(errors ?? ''));
        expect(said(read.warnings)).toEqual(expected(warnings ?? ''));
      });
    }
  });
}

function expected(text: string): readonly string[] {
  return text
    .split(/\n(?=\s*\d+:\d+ \()/)
    .map((one) => one.replaceAll(/\s+/g, ' ').trim())
    .filter((one) => one !== '');
}

function said(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code, message, node, span }) => {
    const place = `${span?.line}:${span?.column} (${code.replace('serverless.', '')})`;
    return `${place} ${node ?? ''} ${message}`.replaceAll(/\s+/g, ' ');
  });
}
