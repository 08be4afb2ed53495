/** Sizes and names: what keeps a file readable on one screen and findable by its folder. */
import { posix } from 'node:path';
import type { Node } from 'oxc-parser';
import {
  isCode,
  isTest,
  judgeFiles,
  judgeLines,
  judgeSites,
  lineAt,
  type Rule,
  type Site,
  sitesOf,
  type SourceFile,
} from './source.ts';

export const LINE_COLUMNS_MAX = 100;
export const FILE_LINES_MAX = 400;
/** All SQL of a store is in one file, however many statements it has: they are a list. */
export const QUERIES_LINES_MAX = 3_300;
export const FUNCTION_LINES_MAX = 70;
const FOLDERS_UNDER_SRC_MAX = 3;

export const everyLineFits: Rule = (files) =>
  judgeLines(files.filter(isCode), (line) => {
    const columns = Array.from(line).length;
    return columns > LINE_COLUMNS_MAX ? `${columns} columns, over ${LINE_COLUMNS_MAX}` : undefined;
  });

export const everyFileFits: Rule = (files) =>
  judgeFiles(files.filter(isCode), ({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    const most = posix.basename(path) === 'queries.ts' ? QUERIES_LINES_MAX : FILE_LINES_MAX;
    return lines > most ? `${lines} lines, over ${most}` : undefined;
  });

/**
 * A function that declares tests is a list and not a function; each test in it counts alone. So is
 * a region of a flow in a test (`(b) => b.step(…)`, however long).
 */
export const everyFunctionFits: Rule = (files) =>
  files.filter(isCode).flatMap((file) => {
    const lists = functionsThatDeclareTests(file);
    return judgeSites([file], ({ node }) => {
      if (!isFunction(node) || lists.has(node)) return undefined;
      if (isTest(file) && node.type === 'ArrowFunctionExpression' && node.expression)
        return undefined;
      const lines = lineAt(file, node.end) - lineAt(file, node.start) + 1;
      return lines > FUNCTION_LINES_MAX
        ? `a function of ${lines} lines, over ${FUNCTION_LINES_MAX}`
        : undefined;
    });
  });

function functionsThatDeclareTests(file: SourceFile): Set<Node> {
  const calls = sitesOf(file).filter(({ node }) => isTestCall(node));
  return new Set(calls.flatMap(({ around }) => around.find(isFunction) ?? []));
}

function isFunction({ type }: Node): boolean {
  return (
    type === 'FunctionDeclaration' ||
    type === 'FunctionExpression' ||
    type === 'ArrowFunctionExpression'
  );
}

function isTestCall(node: Node): boolean {
  return node.type === 'CallExpression' && testWord(node.callee) !== undefined;
}

/** `test` in `test(…)`, `test.each(…)(…)` and the like. */
export function testWord(callee: Node): string | undefined {
  switch (callee.type) {
    case 'Identifier':
      return /^(test|it|describe|suite)$/.test(callee.name) ? callee.name : undefined;
    case 'MemberExpression':
      return testWord(callee.object);
    case 'CallExpression':
    case 'TaggedTemplateExpression':
      return testWord(callee.type === 'CallExpression' ? callee.callee : callee.tag);
    default:
      return undefined;
  }
}

export const noIndexFiles: Rule = (files) =>
  judgeFiles(files, ({ path }) =>
    posix.basename(path) === 'index.ts' && !/^src\/(nodes\/)?index\.ts$/.test(path)
      ? 'only the front door and the list of node kinds are called index.ts'
      : undefined,
  );

export const noBarrels: Rule = (files) =>
  judgeSites(files.filter(isCode), ({ node }) =>
    node.type === 'ExportAllDeclaration' ? 'a door names what it exports, one by one' : undefined,
  );

export const noDefaultExports: Rule = (files) =>
  judgeSites(
    files.filter((file) => isCode(file) && !file.path.endsWith('.config.ts')),
    (site) => (isDefaultExport(site) ? 'an export has a name' : undefined),
  );

function isDefaultExport({ node }: Site): boolean {
  if (node.type === 'ExportDefaultDeclaration') return true;
  if (node.type !== 'ExportSpecifier') return false;
  return node.exported.type === 'Identifier' && node.exported.name === 'default';
}

/** Folders are named after subjects; these are names of nothing in particular. */
const NO_SUBJECT = /^(utils?|helpers?|common|misc|shared|interfaces|models|types)$/;

export const everyFolderHasASubject: Rule = (files) =>
  judgeFiles(files.filter(isCode), ({ path }) => {
    const folders = posix.dirname(path).split('/');
    const stem = posix.basename(path).replace(/\..*$/, '');
    const vague = folders.find((name) => NO_SUBJECT.test(name));
    if (vague !== undefined) return `the folder "${vague}" does not say what its subject is`;
    return /^(utils?|helpers?|common|misc)$/.test(stem)
      ? `"${stem}" does not say what is inside`
      : undefined;
  });

/** In brackets are parts of a URL that vary, as Next.js names their folders. */
const KEBAB_CASE = /^([a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*|\[[a-z]+\])$/;

export const everyNameIsKebabCase: Rule = (files) =>
  judgeFiles(files.filter(isCode), ({ path }) =>
    path.split('/').every((name) => KEBAB_CASE.test(name))
      ? undefined
      : 'files and folders are kebab-case',
  );

export const theTreeIsFlat: Rule = (files) => [
  ...judgeFiles(files, ({ path }) => {
    const folders = path.split('/').length - 2;
    return path.startsWith('src/') && folders > FOLDERS_UNDER_SRC_MAX
      ? `${folders} folders under src/, over ${FOLDERS_UNDER_SRC_MAX}`
      : undefined;
  }),
  ...lonelyFolders(files),
];

/** Below a room, a folder with one file of code is that file; its test is no company. */
function lonelyFolders(files: readonly SourceFile[]): string[] {
  const paths = files.filter((file) => !isTest(file)).map(({ path }) => path);
  const folders = new Set(paths.map((path) => posix.dirname(path)));
  return [...folders]
    .filter((folder) => /^src\/[^/]+\//.test(folder))
    .filter((folder) => {
      const [first, ...others] = paths.filter((path) => path.startsWith(`${folder}/`));
      return first?.endsWith('.ts') === true && others.length === 0;
    })
    .map((folder) => `${folder}: a folder with one file is that file`);
}
