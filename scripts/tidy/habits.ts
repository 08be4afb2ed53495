/** Habits of the house that belong to no single room. */
import { posix } from 'node:path';
import type { Node } from 'oxc-parser';
import { testWord } from './shape.ts';
import {
  commentsOf,
  isCode,
  isTest,
  judgeFiles,
  judgeLines,
  judgeSites,
  lineAt,
  type Rule,
  type SourceFile,
} from './source.ts';

/** How a statement begins; single words (`commit`) are too common in our own vocabulary. */
const SQL = new RegExp(
  [
    String.raw`select\s[\s\S]*\sfrom\s`,
    String.raw`select\s+(\d|\w+\()`,
    String.raw`insert\s+(or\s+\w+\s+)?into\s`,
    String.raw`update\s+\w+(\s+as\s+\w+)?\s+set\s`,
    String.raw`delete\s+from\s`,
    String.raw`with\s+(recursive\s+)?\w+(\s*\([^)]*\))?\s+as\s`,
    String.raw`(create|alter|drop)\s+(unique\s+)?(table|index|view|trigger|schema)\s`,
    String.raw`pragma\s+\w`,
    String.raw`begin\s+(immediate|exclusive|transaction)`,
    String.raw`(rollback\s+to|release|savepoint)\s+\w`,
  ]
    .map((start) => `^\\s*(--.*\\s+)*${start}`)
    .join('|'),
  'i',
);

export const sqlLivesInQueries: Rule = (files) =>
  judgeSites(
    files.filter((file) => isCode(file) && !isTest(file) && !mayHoldSql(file)),
    ({ node }) => {
      const text = textOf(node);
      return text !== undefined && SQL.test(text) ? 'SQL lives in queries.ts' : undefined;
    },
  );

/**
 * Beside the stores, three files of the test kit: two remove what tests made, which no store does,
 * and one has a table such as programs have beside ours.
 */
const TEST_KIT = /^src\/testing\/(postgres-(schema|till)|sqlite-shared)\.ts$/;

function mayHoldSql({ path }: SourceFile): boolean {
  if (!path.startsWith('src/') || TEST_KIT.test(path)) return true;
  return /^src\/stores\/(.+\/)?queries\.ts$/.test(path);
}

function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map(({ value }) => value.cooked ?? value.raw).join('x');
}

const NOTE = /\b(FIXME|TODO|XXX|HACK)\b/;

/** In code only comments count; a string may well say these words. */
export const noNotesToSelf: Rule = (files) => [
  ...files.filter(isCode).flatMap((file) =>
    commentsOf(file)
      .filter(({ value }) => NOTE.test(value))
      .map(({ start }) => `${file.path}:${lineAt(file, start)}: a note to self is left behind`),
  ),
  ...judgeLines(
    files.filter(({ path }) => path.endsWith('.md')),
    (line) => (NOTE.test(line) ? 'a note to self is left behind' : undefined),
  ),
];

export const everyTestRuns: Rule = (files) =>
  judgeSites(files.filter(isCode), ({ node }) => {
    if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return undefined;
    const { name } = node.property;
    return testWord(node.object) !== undefined && /^(only|skip|todo)$/.test(name)
      ? `.${name} keeps tests from running`
      : undefined;
  });

export const aTestNameIsAClaim: Rule = (files) =>
  judgeSites(files.filter(isTest), ({ node }) => {
    if (node.type !== 'CallExpression' || testWord(node.callee) === undefined) return undefined;
    const [title] = node.arguments;
    const text = title === undefined ? undefined : textOf(title);
    return text !== undefined && /\bshould\b/i.test(text)
      ? 'a test name says what is, not what should be'
      : undefined;
  });

/** Time is a number the test sets; a test that waits is slow today and flaky tomorrow. */
export const noTestWaitsOnTime: Rule = (files) =>
  judgeSites(files.filter(isTest), ({ node }) => {
    if (node.type !== 'CallExpression') return undefined;
    const { callee } = node;
    const isSleep = callee.type === 'Identifier' && /^(setTimeout|sleep|delay)$/.test(callee.name);
    const isMember =
      callee.type === 'MemberExpression' &&
      callee.object.type === 'Identifier' &&
      /^(globalThis|timers|scheduler)$/.test(callee.object.name);
    const hasTime = node.arguments.some((argument) => isTimeSpan(argument));
    return (isSleep || isMember) && hasTime ? 'a test that waits on time is a bug' : undefined;
  });

function isTimeSpan(node: Node): boolean {
  return node.type === 'Literal' && typeof node.value === 'number' && node.value > 0;
}

/** Where somebody's checkout or home lies is nobody else's business, and breaks elsewhere. */
const MACHINE = /(?<![\w.$}])\/(work\/(main|shared)|root|home\/\w+|Users\/\w+)(?![\w-])/;

export const noPathOfOneMachine: Rule = (files) =>
  judgeLines(files, (line) => {
    const found = MACHINE.exec(line)?.[0];
    return found === undefined ? undefined : `"${found}" is a path of one machine`;
  });

/** One rule, one file, one test, one page, all of the same name. */
export const everyKindIsComplete: Rule = (files) => {
  const paths = new Set(files.map(({ path }) => path));
  const list = files.find(({ path }) => path === 'src/nodes/index.ts')?.text ?? '';
  return files.filter(isKind).flatMap(({ path, text }) => {
    const name = posix.basename(path, '.ts');
    const missing = [`src/nodes/${name}.test.ts`, `docs/nodes/${name}.md`].filter(
      (file) => !paths.has(file),
    );
    if (!list.includes(`./${name}.ts'`)) missing.push('its line in src/nodes/index.ts');
    if (!text.includes(`kind: '${name}'`)) missing.push(`kind: '${name}', its own name`);
    return missing.map((what) => `${path}: lacks ${what}`);
  });
};

function isKind(file: SourceFile): boolean {
  return (
    /^src\/nodes\/[^/]+\.ts$/.test(file.path) &&
    !isTest(file) &&
    /^export const \w+: NodeKind\b/m.test(file.text)
  );
}

const SECTIONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /^docs\/nodes\/(?!README)[^/]+\.md$/,
    ['Meaning', 'In each language', 'A run', 'When it faults', 'Not supported, and why'],
  ],
  [/^docs\/adr\/\d+-.*\.md$/, ['Context', 'Decision', 'What follows', 'What we turned down']],
];

export const everyPageHasItsSkeleton: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    SECTIONS.filter(([pages]) => pages.test(path)).flatMap(([, sections]) =>
      sections
        .filter((section) => !text.split('\n').includes(`## ${section}`))
        .map((section) => `${path}: lacks the section "## ${section}"`),
    ),
  );

export const adrsAreNumberedInARow: Rule = (files) => {
  const numbers = files.flatMap(({ path }) => /^docs\/adr\/(\d{4})-/.exec(path)?.[1] ?? []);
  return numbers
    .sort()
    .filter((number, index) => Number(number) !== index + 1)
    .map((number) => `docs/adr/${number}-: the numbers run from 0001, each once`);
};

/** Every limit is a plain claim about the file, so a page may not outgrow its page either. */
export const anAdrIsAPage: Rule = (files) =>
  judgeFiles(files, ({ path, text }) =>
    path.startsWith('docs/adr/') && text.split('\n').length > 60
      ? 'a decision fits on one page'
      : undefined,
  );
