/**
 * Which errors of Serverless Workflow each of its kinds can fail with. In its sources they are
 * `{ kind, detail }`, or a kind that is looked up in a table, before it is known where they happen.
 */
import type { Node } from 'oxc-parser';
import { ERROR_STATUS } from '../../src/model/workflow-error.ts';
import { isTest, sitesOf, type SourceFile } from '../tidy/source.ts';
import { Kinds } from './kinds.ts';
import { keyName, Program } from './program.ts';

const ROOM = 'src/nodes/serverless/';

/** The codes of each kind, in the order of the standard. */
export function troublesIn(files: readonly SourceFile[]): ReadonlyMap<string, readonly string[]> {
  const program = new Program(files.filter((file) => file.path.startsWith(ROOM) && !isTest(file)));
  const kinds = new Kinds(program);
  const found = new Map<string, Set<string>>();
  for (const file of program.files) {
    for (const { node, around } of sitesOf(file)) {
      const trouble = troubleAt(node, around);
      if (trouble === undefined) continue;
      for (const kind of kinds.using(file, program.namedAround(node))) {
        found.set(kind, (found.get(kind) ?? new Set()).add(trouble));
      }
    }
    // What a handler of the engine runs can fail in every way there is.
    if (file.text.includes('  ...BY_HANDLER,')) {
      for (const kind of kinds.using(file, undefined)) found.set(kind, new Set(STANDARD));
    }
  }
  return new Map(
    [...found].map(([kind, all]) => {
      return [kind, ORDER.filter((one) => all.has(one)).map((one) => `workflow.${one}`)];
    }),
  );
}

const STANDARD: readonly string[] = Object.keys(ERROR_STATUS);
const ORDER: readonly string[] = [...STANDARD, 'raised'];

function troubleAt(node: Node, around: readonly Node[]): string | undefined {
  if (node.type === 'CallExpression') {
    const { callee } = node;
    return callee.type === 'Identifier' && callee.name === 'raisedFault' ? 'raised' : undefined;
  }
  if (node.type !== 'Literal' || typeof node.value !== 'string') return undefined;
  if (!Object.hasOwn(ERROR_STATUS, node.value)) return undefined;
  const [parent] = around;
  const isKind = parent?.type === 'Property' && keyName(parent.key) === 'kind';
  const isOneOfTwo = parent?.type === 'ConditionalExpression' && parent.test !== node;
  return isKind || isOneOfTwo || parent?.type === 'ArrayExpression' ? node.value : undefined;
}
