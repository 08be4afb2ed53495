/**
 * The node kinds an engine knows: ours, and those that the application has brought, alone or with a
 * flow. The list is a value: what is tried out is a copy, and what does not come about leaves no
 * trace.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Kinds } from '../kernel/kind.ts';
import {
  type CustomKind,
  describeKind,
  type KindDescriptor,
  kindProblem,
} from '../model/custom-kind.ts';
import { customKind } from '../nodes/custom.ts';
import { kinds as builtIn } from '../nodes/index.ts';
import { wrong } from './fields.ts';

export class KindShelf {
  /** All of them, as the kernel and the compiler take them. */
  readonly all: Kinds;
  readonly #own: ReadonlyMap<string, CustomKind>;

  constructor(own: ReadonlyMap<string, CustomKind> = new Map(), before?: KindShelf) {
    this.#own = own;
    const made = Array.from(own.values(), (kind) => {
      const isSame = before?.find(kind.kind) === kind;
      return [kind.kind, (isSame && before.all.get(kind.kind)) || customKind(kind)] as const;
    });
    this.all = made.length === 0 ? builtIn : new Map([...builtIn, ...made]);
  }

  find(name: string): CustomKind | undefined {
    return this.#own.get(name);
  }

  /** With these, each in the place of one of the same name. */
  with(kinds: readonly CustomKind[]): KindShelf {
    if (kinds.every((kind) => this.find(kind.kind) === kind)) return this;
    return new KindShelf(new Map([...this.#own, ...kinds.map((k) => [k.kind, k] as const)]), this);
  }

  without(name: string): KindShelf {
    return new KindShelf(new Map([...this.#own].filter(([kind]) => kind !== name)), this);
  }

  list(): readonly KindDescriptor[] {
    return Array.from(this.#own.values(), describeKind);
  }

  /** The name of the kind that whoever has this object may wake. JSON cannot be it. */
  provenBy(object: unknown): string {
    const name: unknown = Reflect.get(Object(object), 'kind');
    if (typeof name === 'string' && this.find(name) === object) return name;
    const rule = 'as is the very object that defineKind gave and that this engine knows';
    throw new EngineError('token.gated', `${rule}; this one is another`);
  }
}

function checkKind(kind: unknown): void {
  const problem = kindProblem(kind);
  if (problem !== undefined) throw wrong(`a kind ${problem}`, 'kinds');
}

export function checkKinds(kinds: unknown): void {
  if (!Array.isArray(kinds)) throw wrong('kinds is a list of what defineKind gives', 'kinds');
  for (const kind of kinds) checkKind(kind);
  const [twice] = clashesIn(kinds as readonly CustomKind[]);
  if (twice !== undefined) throw wrong(`two kinds are named "${twice}"`, 'kinds');
}

/** Names that two of them have. */
export function clashesIn(kinds: readonly CustomKind[]): readonly string[] {
  const seen = new Map<string, CustomKind>();
  const twice = kinds.filter((kind) => {
    const first = seen.get(kind.kind) ?? kind;
    seen.set(kind.kind, first);
    return first !== kind;
  });
  return [...new Set(twice.map(({ kind }) => kind))];
}

interface KindsHouse {
  kinds: KindShelf;
  /** The flows that can be started here and have nodes of the kind. */
  flowsWith(kind: string): readonly string[];
}

/** Kinds of nodes that the application has brought. */
export class NodeKinds {
  readonly #house: KindsHouse;
  readonly #onChange: () => void;

  constructor(house: KindsHouse, onChange: () => void) {
    this.#house = house;
    this.#onChange = onChange;
  }

  /** From now on flows may have nodes of it. One of the same name goes on by this one. */
  register(kind: CustomKind): void {
    checkKind(kind);
    this.#put(this.#house.kinds.with([kind]));
  }

  /** Refused while a flow of this engine has a node of it. False if there is none. */
  unregister(name: string): boolean {
    const { kinds } = this.#house;
    if (kinds.find(name) === undefined) return false;
    const flows = this.#house.flowsWith(name);
    if (flows.length > 0) {
      const message = `"${name}" is the kind of nodes of ${flows.join(', ')}`;
      throw new EngineError('operation.refused', message, { details: { flows } });
    }
    this.#put(kinds.without(name));
    return true;
  }

  list(): readonly KindDescriptor[] {
    return this.#house.kinds.list();
  }

  /** What has been met before can be gone on with, perhaps. */
  #put(kinds: KindShelf): void {
    this.#house.kinds = kinds;
    this.#onChange();
  }
}
