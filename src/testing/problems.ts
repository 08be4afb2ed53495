/** What is wrong with a drawing, each as `code node: message`. */
import { compile } from '../compile/compile.ts';
import { kinds } from '../nodes/index.ts';
import type { Drawing } from './story.ts';

export function problemsOf({ draft }: Drawing): string[] {
  const compiled = compile(draft, kinds);
  if (compiled.ok) return [];
  return compiled.problem.map(({ code, node, message }) => `${code} ${node ?? '-'}: ${message}`);
}
