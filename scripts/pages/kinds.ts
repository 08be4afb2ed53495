/** Which node kinds use what: a kind is a file of src/nodes, and several share functions. */
import type { SourceFile } from '../tidy/source.ts';
import type { Named, Program } from './program.ts';

export class Kinds {
  readonly #program: Program;
  readonly #byPath: ReadonlyMap<string, string>;

  constructor(program: Program) {
    this.#program = program;
    this.#byPath = new Map(program.files.flatMap((file) => kindIn(file)));
  }

  /** The kind that a file is about, and all that use this function of it. */
  using(file: SourceFile, named: Named | undefined): readonly string[] {
    const known = this.#byPath.get(file.path);
    const users = this.#reached(named, new Set());
    return [...new Set(known === undefined ? users : [known, ...users])];
  }

  #reached(named: Named | undefined, seen: Set<Named>): readonly string[] {
    if (named === undefined || seen.has(named)) return [];
    seen.add(named);
    return this.#program.usersOf(named).flatMap(({ file, within }) => {
      const kind = this.#byPath.get(file.path);
      return [...(kind === undefined ? [] : [kind]), ...this.#reached(within, seen)];
    });
  }
}

function kindIn(file: SourceFile): readonly (readonly [string, string])[] {
  if (!file.path.startsWith('src/nodes/')) return [];
  const found = /^export const \w+: NodeKind\b[\s\S]*?^ {2}kind: '([a-z-]+)'/m.exec(file.text)?.[1];
  return found === undefined ? [] : [[file.path, found]];
}
