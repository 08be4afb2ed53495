/**
 * How long handlers really take in this process, whatever the clock of the engine says: where time
 * is skipped that one stands still while they run. It puts itself around the handlers of a file.
 */
import type { Flow, Handlers } from '../index.ts';
import type { Defined } from './modules.ts';

type Handler = (context: never) => unknown;
type Definition = Flow['definition'];

/** After the name of a handler: not a step, but a question about its failure. */
const WHEN = '/:when';

export class Stopwatch {
  /** By instance and token: since when it is at work, and how long it was before. */
  readonly #since = new Map<string, number>();
  readonly #took = new Map<string, number>();
  readonly #known = new Map<Definition, Definition>();

  /** The same definitions, with every handler's time taken. */
  around(defined: Defined): Defined {
    const handlers = Object.entries(defined.handlers).map(([name, handler]) => [
      name,
      // What is no function is for the engine to refuse.
      typeof handler === 'function' ? this.#timed(handler as Handler) : handler,
    ]);
    const flows = defined.flows.map((flow) => this.#flow(flow));
    return { ...defined, flows, handlers: Object.fromEntries(handlers) as Handlers };
  }

  /** How long it has been at work here by now; undefined if it is not. */
  atWorkMs(instance: string, token: number): number | undefined {
    const since = this.#since.get(`${instance}/${token}`);
    return since === undefined ? undefined : performance.now() - since;
  }

  /** How long its handler was at work here, in all its attempts; undefined if it never was. */
  tookMs(instance: string, token: number): number | undefined {
    const took = this.#took.get(`${instance}/${token}`);
    const runs = this.atWorkMs(instance, token);
    return took === undefined && runs === undefined ? undefined : (took ?? 0) + (runs ?? 0);
  }

  #flow(flow: Flow): Flow {
    return { ...flow, definition: this.#definition(flow.definition) };
  }

  /** One that two others call stays one: the engine would take a second for a mistake. */
  #definition(definition: Definition): Definition {
    const known = this.#known.get(definition);
    if (known !== undefined) return known;
    const { handlers, calls } = definition;
    const timed = [...handlers].map(([name, handler]): [string, Handler] => [
      name,
      name.endsWith(WHEN) ? handler : this.#timed(handler),
    ]);
    const made = {
      ...definition,
      handlers: new Map(timed),
      ...(calls === undefined ? {} : { calls: calls.map((flow) => this.#flow(flow)) }),
    };
    this.#known.set(definition, made);
    return made;
  }

  #timed(handler: Handler): Handler {
    return (context) => {
      const [instance, token] = keyIn(context);
      const key = `${instance}/${token}`;
      const since = performance.now();
      this.#since.set(key, since);
      const end = (): void => {
        this.#took.set(key, (this.#took.get(key) ?? 0) + performance.now() - since);
        // One that was given up may end while it is at work once more.
        if (this.#since.get(key) === since) this.#since.delete(key);
      };
      let isLater = false;
      try {
        const returned = handler(context);
        isLater = isThenable(returned);
        return isLater ? Promise.resolve(returned).finally(end) : returned;
      } finally {
        if (!isLater) end();
      }
    };
  }
}

/** The instance and the token: the key has both, and how often it came there. */
function keyIn(context: { readonly idempotencyKey: string }): readonly [string, string] {
  const [, instance = '', token = ''] = /^(.*)\/(\d+)\/\d+$/.exec(context.idempotencyKey) ?? [];
  return [instance, token];
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof Reflect.get(Object(value), 'then') === 'function';
}
