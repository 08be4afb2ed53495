/**
 * The glass floor: below it there is no clock, no chance and no promise, so that the same arguments
 * give the same stride on every machine. `tsconfig.pure.json` removes the names that Node brings;
 * this rule bans by name what the language itself still offers.
 */
import type { Node } from 'oxc-parser';
import { isCode, isTest, judgeSites, type Rule, roomOf, type Site } from './source.ts';

const BELOW: ReadonlySet<string | undefined> = new Set([
  'base',
  'model',
  'kernel',
  'expressions',
  'nodes',
  'compile',
  'frontends',
  'drawing',
]);

/** Values that know the time, the machine, chance or the future. As types they do no harm. */
const BANNED: ReadonlySet<string> = new Set([
  'Atomics',
  'Buffer',
  'Date',
  'FinalizationRegistry',
  'Function',
  'Intl',
  'Promise',
  'SharedArrayBuffer',
  'WeakRef',
  'Worker',
  'clearInterval',
  'clearTimeout',
  'console',
  'crypto',
  'eval',
  'fetch',
  'globalThis',
  'navigator',
  'performance',
  'process',
  'queueMicrotask',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);

export const noClockChanceOrPromiseBelowTheFloor: Rule = (files) =>
  judgeSites(
    files.filter((file) => isCode(file) && !isTest(file) && BELOW.has(roomOf(file.path))),
    (site) => {
      const found = impurity(site);
      return found === undefined ? undefined : `${found} has no place below the glass floor`;
    },
  );

function impurity(site: Site): string | undefined {
  const { node } = site;
  switch (node.type) {
    case 'AwaitExpression':
      return 'await';
    case 'ImportExpression':
      return 'import()';
    case 'MetaProperty':
      return node.meta.name === 'import' ? 'import.meta' : undefined;
    case 'ForOfStatement':
      return node.await ? 'for await' : undefined;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return node.async ? 'async' : undefined;
    case 'MemberExpression':
      return impureMember(node);
    case 'Identifier':
      return isReference(site) && BANNED.has(node.name) ? bannedName(site, node.name) : undefined;
    default:
      return undefined;
  }
}

/** A type named Promise is a promise to come; the other names are harmless as types. */
function bannedName({ around }: Site, name: string): string | undefined {
  const [parent] = around;
  const isType = parent?.type.startsWith('TS') === true && !parent.type.endsWith('Expression');
  return isType && name !== 'Promise' ? undefined : name;
}

function impureMember(node: Extract<Node, { type: 'MemberExpression' }>): string | undefined {
  if (node.property.type !== 'Identifier' || node.computed) return undefined;
  const { name } = node.property;
  if (/^(localeCompare|toLocale\w+)$/.test(name))
    return `${name}, which asks the machine's locale,`;
  const { object } = node;
  return object.type === 'Identifier' && object.name === 'Math' && name === 'random'
    ? 'Math.random'
    : undefined;
}

/** Whether an identifier stands for a value or a type, and is not merely a key of something. */
function isReference({ node, around }: Site): boolean {
  const [parent] = around;
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.property !== node || parent.computed;
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return parent.key !== node || parent.computed;
    case 'ImportSpecifier':
    case 'ExportSpecifier':
      return false;
    default:
      return true;
  }
}
