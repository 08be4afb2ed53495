/** A page for every code, and the list of them. */
import { type Code, codesIn, FAMILIES, type Family } from './codes.ts';
import { errorPage, pathOf } from './error-page.ts';
import { moved, pageOf, sentence, table } from './parts.ts';
import type { SourceFile } from '../tidy/source.ts';

const INDEX = 'docs/errors/README.md';

const TITLES: Readonly<Record<Family, string>> = {
  error: 'Errors that a call throws',
  problem: 'Problems of the HTTP API',
  fault: 'Faults inside an instance',
  diagnostic: 'Diagnostics of a definition',
  warning: 'Warnings about a definition',
  reason: 'Reasons for which a migration is refused',
  elsewhere: 'Codes in other places',
};

export function errorPages(files: readonly SourceFile[]): ReadonlyMap<string, string> {
  const codes = codesIn(files);
  return new Map([
    [INDEX, index(codes)],
    ...codes.map((code) => [pathOf(code.code), errorPage(code)] as const),
  ]);
}

function index(codes: readonly Code[]): string {
  const intro =
    'Every code that you can meet has a page that says what it means and what to do: ' +
    `${codes.length} of them. ` +
    '[errors.md](../errors.md) says what the kinds of codes are.';
  return pageOf(['# Codes', intro, ...FAMILIES.flatMap((family) => listOf(family, codes))]);
}

function listOf(family: Family, codes: readonly Code[]): readonly string[] {
  const rows = codes.flatMap(({ code, roles }) => {
    const [first] = roles.find((role) => role.family === family)?.means ?? [];
    if (first === undefined) return [];
    return [[`[\`${code}\`](${code}.md)`, sentence(moved(first.text, first.page, INDEX))]];
  });
  return [`## ${TITLES[family]}`, table(['code', 'what it means'], rows)];
}
