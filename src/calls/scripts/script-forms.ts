/**
 * The forms in which a script may be meant, as sources to be tried one after the other.
 *
 * Like Node, we take a script for the body of a function, in which `return` and `await` may stand,
 * and for a module if it cannot be that. Imports at the beginning may also be followed by a body
 * with `return`. In each form a line of the script is the line of the source with that number.
 */

export interface Forms {
  /** An expression that is the function. */
  readonly body: string;
  /** The module with the most to say about what is wrong comes first. */
  readonly modules: readonly string[];
  /** Whether it is meant as a module: then what is wrong with it as a body says nothing. */
  readonly isModule: boolean;
}

/** Spaces, comments and imports: what may come before a body. */
const LEADING =
  /^(?:\s+|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|import\b(?!\s*[(.])[^'"]*(['"])[^'"\n]*\1[ \t]*;?)*/;
const IMPORT = /^[ \t]*import\b(?!\s*[(.])/m;
/** For a shell that would run it. */
const HASHBANG = /^#!/;

export function formsOf(script: string): Forms {
  const code = script.replace(HASHBANG, '//');
  const [leading = ''] = LEADING.exec(code) ?? [];
  const isModule = IMPORT.test(leading);
  const body = asBody(code);
  if (!isModule) return { body, modules: [code], isModule };
  const both = `${leading};export default await ${asBody(code.slice(leading.length))}();`;
  return { body, modules: [both, code], isModule };
}

function asBody(code: string): string {
  return `(async function () {${code}\n})`;
}
