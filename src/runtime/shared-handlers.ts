/**
 * Handlers that are given to the engine and not to a flow: by the type of a chain's step or of a
 * flowchart's activity, for all that have one (`SHIP`), or for one flow alone
 * (`order.process/SHIP`), which goes before.
 *
 * A worker claims by full names, so that it never takes what it cannot run. Which chains there are
 * it knows from those it was given, and from those that others have stored.
 */
import { EngineError } from '../base/engine-error.ts';
import { isRemote } from '../model/remote-handler.ts';
import type { Doing, Handler } from './handlers.ts';
import type { ActivityContext } from './activities.ts';
import type { ChainStep } from './links.ts';

/**
 * Whether a handler is for a step of a chain or for an activity its name does not say: so it is
 * offered what both are given, about anything.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type SharedStep = ChainStep<any> & ActivityContext<any>;

export type Handlers = Readonly<Record<string, (step: SharedStep) => unknown>>;

export class SharedHandlers {
  readonly #doings: ReadonlyMap<string, Doing>;
  /** Full names of links, known from plans. */
  readonly #links = new Set<string>();
  readonly #handlers: Handlers;
  readonly #works: boolean;
  /** Those that the engine brings itself, by type: they begin with a `$`, as nobody else's do. */
  readonly #own: ReadonlyMap<string, Doing>;
  #names: readonly string[];

  /** `works`: whoever has them runs what comes, so that a type that is not among them is wrong. */
  constructor(handlers: Handlers, works = false, own: ReadonlyMap<string, Doing> = new Map()) {
    this.#handlers = handlers;
    this.#own = own;
    this.#works = works;
    this.#doings = new Map(
      Object.entries(handlers).map(([name, handler]) => [name, doingOf(name, handler)]),
    );
    this.#names = this.#fullNames();
  }

  /** The same handlers, and nothing learnt. */
  copy(): SharedHandlers {
    return new SharedHandlers(this.#handlers, this.#works, this.#own);
  }

  /** Whether a type that is not among them is a mistake, or a matter for others. */
  get isAsked(): boolean {
    return this.#works || !this.isEmpty;
  }

  /** Every type there is a handler for, in that flow. */
  typesFor(flow: string): readonly string[] {
    const own = `${flow}/`;
    return [...this.#doings.keys()].flatMap((name) => {
      if (name.startsWith(own)) return [name.slice(own.length)];
      return name.includes('/') ? [] : [name];
    });
  }

  get isEmpty(): boolean {
    return this.#doings.size === 0;
  }

  /** Only those that are for one chain alone need nobody to be told of it. */
  get servesUnknown(): boolean {
    return [...this.#doings.keys()].some((name) => !name.includes('/'));
  }

  /** What runs it here; what was said to be run elsewhere is not. */
  find(name: string): Doing | undefined {
    const given = this.#given(name);
    return given === undefined || isRemote(given.handler) ? undefined : given;
  }

  /** Whether somebody runs it, here or elsewhere. */
  knows(name: string): boolean {
    return this.#given(name) !== undefined;
  }

  #given(name: string): Doing | undefined {
    if (this.#doings.size === 0 && this.#own.size === 0) return undefined;
    const slash = name.indexOf('/');
    // A step of a flow has the version before the slash, and brings its handler itself.
    if (name.lastIndexOf('@', slash) >= 0) return undefined;
    const type = name.slice(slash + 1);
    return this.#doings.get(name) ?? this.#doings.get(type) ?? this.#own.get(type);
  }

  /** Those for one chain alone that fit no link that is known. */
  idle(): readonly string[] {
    const own = [...this.#doings.keys()].filter((name) => name.includes('/'));
    return own.filter((name) => !this.#links.has(name));
  }

  learn(links: readonly string[]): void {
    const before = this.#links.size;
    for (const link of links) this.#links.add(link);
    if (this.#links.size > before) this.#names = this.#fullNames();
  }

  /** Every link that was heard of, by its full name. */
  links(): readonly string[] {
    return [...this.#links];
  }

  /** What can be claimed with them. */
  names(): readonly string[] {
    return this.#names;
  }

  #fullNames(): readonly string[] {
    const own = [...this.#doings]
      .filter(([name, { handler }]) => name.includes('/') && !isRemote(handler))
      .map(([name]) => name);
    const met = [...this.#links].filter((link) => this.find(link) !== undefined);
    return [...new Set([...own, ...met])];
  }
}

function doingOf(name: string, handler: unknown): Doing {
  if (typeof handler === 'function' && name.trim() !== '') {
    return { handler: handler as unknown as Handler, ask: undefined };
  }
  const message = `handlers: "${name}" is the type of a step, or chain/type, with a function`;
  throw new EngineError('engine.option-invalid', message);
}
