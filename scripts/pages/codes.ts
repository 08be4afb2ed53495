/** Everything that is known of each code: from the pages, from the sources and from the tests. */
import { posix } from 'node:path';
import { exitCodes } from '../../src/cli/exit.ts';
import { explanationOf } from '../../src/cli/dev/explanations.ts';
import { APPROVAL_PARTS, TASK_PARTS } from '../../src/model/task-parts.ts';
import { STATUSES } from '../../src/server/problem.ts';
import type { SourceFile } from '../tidy/source.ts';
import { type Evidence, evidenceIn } from './evidence.ts';
import { isMade } from './parts.ts';
import { type Saying, sayingsIn } from './sayings.ts';
import { type Row, rowsIn } from './tables.ts';
import { troublesIn } from './troubles.ts';

/** What a code is, which says where it is met. */
export type Family =
  | 'error'
  | 'problem'
  | 'fault'
  | 'diagnostic'
  | 'warning'
  | 'reason'
  | 'elsewhere';

export const FAMILIES: readonly Family[] = [
  ...(['error', 'problem', 'fault', 'diagnostic', 'warning', 'reason', 'elsewhere'] as const),
];

/** A sentence of a page, and where it stands. */
export interface Told {
  readonly text: string;
  readonly page: string;
  readonly heading: string;
}

/** A code as one of its families has it. */
export interface Role {
  readonly family: Family;
  readonly means: readonly Told[];
  readonly when: readonly Told[];
  readonly advice: readonly Told[];
}

export interface Code {
  readonly code: string;
  readonly roles: readonly Role[];
  readonly messages: readonly string[];
  readonly details: readonly string[];
  /** How many of the places that say it set the flag, of how many. */
  readonly flags: ReadonlyMap<string, 'always' | 'sometimes'>;
  readonly paths: readonly string[];
  /** The first that names it, nearest to where it is said. */
  readonly test: Evidence | undefined;
  /** Of the kinds of Serverless Workflow, those that can fail with it. */
  readonly kinds: readonly string[];
  readonly status: number | undefined;
  readonly exit: number | undefined;
}

const PAGES = /^docs\/(nodes\/)?[a-z-]+\.md$/;
/** What the word above the codes of a table makes of them. */
const HEADS: Readonly<Record<string, Family>> = {
  fault: 'fault',
  diagnostic: 'diagnostic',
  warning: 'warning',
  elsewhere: 'elsewhere',
};
const OF_PAGES: Readonly<Record<string, Family>> = {
  'docs/errors.md': 'error',
  'docs/http.md': 'problem',
  'docs/jq.md': 'diagnostic',
  'docs/operating.md': 'error',
  'docs/serverless.md': 'diagnostic',
  'docs/versions.md': 'reason',
};

/** What is said in the table that is for every place, and not of one among several. */
const GENERAL = new Set(['docs/errors.md', 'docs/http.md', 'docs/versions.md']);

export function codesIn(files: readonly SourceFile[]): readonly Code[] {
  const rows = rowsOf(files);
  const sayings = sayingsIn(files);
  const evidence = evidenceIn(files);
  const troubles = troublesIn(files);
  const all = new Set(rows.flatMap(({ codes }) => codes));
  return [...all].sort().map((code) => {
    const own = sayings.filter((saying) => isSaidOf(saying, code, sayings));
    return {
      code,
      roles: FAMILIES.flatMap((family) => roleOf(code, family, rows) ?? []),
      messages: messagesOf(code, own),
      details: [...new Set(own.flatMap(({ details }) => details))],
      flags: flagsOf(own),
      paths: pathsOf(code, own, files),
      test: nearestFirst(evidence.get(code) ?? [], own)[0],
      kinds: [...troubles].filter(([, codes]) => codes.includes(code)).map(([kind]) => kind),
      status: (STATUSES as Readonly<Record<string, number>>)[code],
      exit: new Map<string, number>(exitCodes()).get(code),
    };
  });
}

/** The rows about codes of all pages that are written by hand. */
export function rowsOf(files: readonly SourceFile[]): readonly Row[] {
  const pages = files.filter(({ path, text }) => PAGES.test(path) && !isMade(text));
  const rows = pages.flatMap(rowsIn).filter((row) => familyOf(row) !== undefined);
  return rows.map((row) => {
    const parts = PARTS[row.all ?? ''];
    return parts === undefined ? row : { ...row, codes: partCodes(row, parts) };
  });
}

/** What may be worked out by a closure, of what is given in parts. */
const PARTS: Readonly<Record<string, object>> = {
  'approve.bad-': APPROVAL_PARTS,
  'task.bad-': TASK_PARTS,
};

function partCodes({ all }: Row, parts: object): readonly string[] {
  return Object.keys(parts).map((name) => `${all}${name}`);
}

function familyOf({ head, page }: Row): Family | undefined {
  return HEADS[head] ?? (head === 'code' ? OF_PAGES[page] : undefined);
}

function roleOf(code: string, family: Family, rows: readonly Row[]): Role | undefined {
  const own = rows.filter((row) => familyOf(row) === family && row.codes.includes(code));
  if (own.length === 0) return undefined;
  const meant = (row: Row): Told[] => {
    const text = ['what it means', 'means', 'when', 'because', '']
      .map((word) => row.cells.get(word))
      .find((cell) => cell !== undefined);
    return text === undefined ? [] : [{ ...row, text }];
  };
  const general = own.filter(({ page }) => GENERAL.has(page)).flatMap(meant);
  const others = own.filter(({ page }) => !GENERAL.has(page)).flatMap(meant);
  return {
    family,
    means: general.length > 0 ? general : others,
    when: general.length > 0 ? others : [],
    advice: adviceOn(code, family, own),
  };
}

function adviceOn(code: string, family: Family, rows: readonly Row[]): readonly Told[] {
  if (family === 'diagnostic' || family === 'warning') {
    const text = explanationOf(code);
    return text === null ? [] : [{ text, page: '', heading: '' }];
  }
  return rows.flatMap((row) => {
    const text = row.cells.get('what to do');
    return text === undefined ? [] : [{ ...row, text }];
  });
}

/** By its own name; or by one that is open, if nobody says it by its own at the same place. */
function isSaidOf(saying: Saying, code: string, all: readonly Saying[]): boolean {
  if (saying.code === code) return true;
  if (!saying.code.includes('<')) return false;
  const open = saying.code.replaceAll(/[.]/g, '\\.').replaceAll(/<[^<>]*>/g, '[\\w-]+');
  if (!new RegExp(`^${open}$`).test(code)) return false;
  return !all.some((one) => one.code === code && one.path === saying.path);
}

/** What only a run knows of a code that is open is known of this one. */
function messagesOf(code: string, own: readonly Saying[]): readonly string[] {
  const texts = own.flatMap((saying) => {
    const [hole] = /<[^<>]*>/.exec(saying.code) ?? [];
    const [before = '', after = ''] = saying.code.split(/<[^<>]*>/);
    const known = code.slice(before.length, code.length - after.length);
    return saying.messages.map((text) => (hole === undefined ? text : text.replace(hole, known)));
  });
  return [...new Set(texts)];
}

function flagsOf(own: readonly Saying[]): Code['flags'] {
  const flags = new Map<string, 'always' | 'sometimes'>();
  for (const flag of ['retryable', 'fatal', 'guard'] as const) {
    const count = own.filter((one) => one.flags.has(flag)).length;
    if (count > 0) flags.set(flag, count === own.length ? 'always' : 'sometimes');
  }
  return flags;
}

/** Where it is said; where nothing was found that says it, where it is written. */
function pathsOf(
  code: string,
  own: readonly Saying[],
  files: readonly SourceFile[],
): readonly string[] {
  const said = [...new Set(own.map(({ path }) => path))].sort();
  if (said.length > 0) return said;
  const written = files.filter(({ path, text }) => {
    const isSource = /^src\/.*\.ts$/.test(path) && !/\.(test|gen)\.ts$|^src\/testing\//.test(path);
    return isSource && text.includes(`'${code}'`) && !TABLES.test(path);
  });
  return written.map(({ path }) => path);
}

/** These name codes and say none. */
const TABLES = /(engine-error|problem|exit|explanations|codes|skipping)\.ts$/;

/** Tests beside what says it come first. */
function nearestFirst(tests: readonly Evidence[], own: readonly Saying[]): readonly Evidence[] {
  const folders = new Set(own.map(({ path }) => posix.dirname(path)));
  const rank = ({ path, title }: Evidence): number =>
    (title === null ? 2 : 0) + (folders.has(posix.dirname(path)) ? 0 : 1);
  return tests.toSorted((a, b) => rank(a) - rank(b));
}
