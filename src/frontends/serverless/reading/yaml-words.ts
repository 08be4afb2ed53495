/** What the YAML package says of a text that is none, with what to do about the usual mistakes. */
import type { ErrorCode, YAMLError } from 'yaml';
import type { Diagnostic, Span } from '../../../model/draft.ts';
import type { ServerlessCode } from './codes.ts';

const ADVICE: Partial<Readonly<Record<ErrorCode, string>>> = {
  BLOCK_AS_IMPLICIT_KEY: 'if the text has a colon in it, put all of it in quotes',
  MULTILINE_IMPLICIT_KEY: 'the next line stands too far in, or this one needs quotes',
  TAB_AS_INDENT: 'use spaces',
  MISSING_CHAR: 'look for a bracket, a quote or a dash that is not there',
  BAD_INDENT: 'lines that belong together begin in the same column',
  BAD_SCALAR_START: 'put the text in quotes',
  UNEXPECTED_TOKEN: 'look at how far in this line and the one before stand',
  BAD_DQ_ESCAPE: 'write "\\\\" for a backslash, or put the text in single quotes',
};

/** All of them; one that only follows from another at the same place is left out. */
export function sayOfYaml(
  errors: readonly YAMLError[],
  at: (offset: number) => Span,
): readonly Diagnostic[] {
  const first = new Map<number, YAMLError>();
  for (const error of errors) {
    const [offset] = error.pos;
    // Of a line that stands too far in, this one says so, and comes second.
    if (!first.has(offset) || error.code === 'MULTILINE_IMPLICIT_KEY') first.set(offset, error);
  }
  return [...first.values()].map((error) => ({
    code: codeOf(error),
    message: messageOf(error),
    span: at(error.pos[0]),
  }));
}

function codeOf({ code }: YAMLError): ServerlessCode {
  switch (code) {
    case 'RESOURCE_EXHAUSTION':
      return 'serverless.too-deep';
    case 'NON_STRING_KEY':
      return 'serverless.bad-key';
    default:
      return 'serverless.bad-yaml';
  }
}

function messageOf({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'a file has one definition; remove what follows "---"';
  if (code === 'RESOURCE_EXHAUSTION') return 'values are nested deeper than can be read';
  if (code === 'NON_STRING_KEY') return 'a key is text, and neither a list nor an alias';
  const advice = ADVICE[code];
  const what = `this is no YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
  return advice === undefined ? what : `${what}; ${advice}`;
}
