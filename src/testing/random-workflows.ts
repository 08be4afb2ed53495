/**
 * Random Serverless Workflows, whose output does not depend on when anything happens: what runs
 * side by side never shares data, branches that compete wait for times of their own, and what is
 * called answers with what it was asked.
 *
 * Every task adds its name to the data, so that an output tells which tasks ran and in which order.
 */
import type { Json, JsonObject } from '../base/json.ts';
import { luck, lucky } from './random-luck.ts';

/** A definition, as JSON; `server` is where its calls go. */
export function randomWorkflow(seed: number, server: string): JsonObject {
  const maker = new Maker(seed, server);
  const tasks = maker.list(2 + luck(4, seed, 'length'), 0, '');
  const document = { dsl: '1.0.3', namespace: 'random', name: `w${seed}`, version: '1.0.0' };
  const shaped = luck(4, seed, 'shape') === 0 ? { output: { as: '{ all: . }' } } : {};
  const limit = luck(5, seed, 'timeout') === 0 ? { timeout: { after: { days: 300 } } } : {};
  return { document, ...shaped, ...limit, ...maker.use, do: tasks };
}

const CHILD = { namespace: 'random', name: 'child', version: '1.0.0' };

/** The workflow that random ones run. */
export function randomChild(): JsonObject {
  const pause = { wait: 'PT5M' };
  const mark = { set: { log: '${ .log + ["child"] }' } };
  return { document: { dsl: '1.0.3', ...CHILD }, do: [{ pause }, { mark }] };
}

type Task = JsonObject;

const KINDS = [
  ...['set', 'set', 'set', 'do', 'for', 'fork', 'race', 'switch', 'try', 'retry', 'wait'],
  ...['call', 'call', 'emit', 'caught', 'timed', 'function', 'listen', 'each', 'run', 'ended'],
] as const;

const LEAVES = ['set', 'wait', 'call', 'emit', 'caught', 'timed'] as const;
const DEPTH_MAX = 3;

class Maker {
  readonly #seed: number;
  readonly #server: string;

  constructor(seed: number, server: string) {
    this.#seed = seed;
    this.#server = server;
  }

  get use(): JsonObject {
    const extended = luck(6, this.#seed, 'extensions') === 0;
    const aside = { set: { dropped: true } };
    const extension = { extend: 'set', before: [{ aside }], after: [{ aside }] };
    const functions = { echo: { set: { log: '${ .log + ["echo"] }' } } };
    return { use: { functions, ...(extended ? { extensions: [{ noise: extension }] } : {}) } };
  }

  list(length: number, depth: number, path: string): readonly Json[] {
    return Array.from({ length }, (_, n) => {
      const name = `t${path}${path === '' ? '' : '-'}${n}`;
      return { [name]: this.#dress(name, this.#task(name, depth, `${path}${n}`)) };
    });
  }

  /** A condition, a shape, an export, where luck has it. */
  #dress(name: string, task: Task): Task {
    const draw = luck(12, this.#seed, name, 'dress');
    if (draw === 0) return { ...task, if: '(.log | length) % 2 == 0' };
    if (draw === 1)
      return { ...task, export: { as: `$context + { "${name}": (.log | length)? }` } };
    if (draw === 2 && !('output' in task)) return { ...task, output: { as: '{ log: .log }' } };
    if (draw === 3) return { ...task, input: { from: '{ log: (.log // []) }' } };
    return task;
  }

  #task(name: string, depth: number, path: string): Task {
    const kinds = depth >= DEPTH_MAX ? LEAVES : KINDS;
    const kind = lucky(kinds, this.#seed, name, 'kind');
    const inner = (length: number, mark: string): readonly Json[] =>
      this.list(length, depth + 1, `${path}${mark}`);
    const some = 1 + luck(3, this.#seed, name, 'some');
    switch (kind) {
      case 'set':
        return this.#mark(name);
      case 'do':
        return { do: inner(some, 'd') };
      case 'for':
        return {
          for: { each: 'it', in: JSON.stringify([1, 2, 3].slice(0, some)) },
          do: inner(some, 'f'),
        };
      case 'fork':
        return this.#fork(name, inner);
      case 'race':
        return this.#race(name);
      case 'switch':
        return this.#switch(name);
      case 'try':
        return this.#try(name, inner);
      case 'retry':
        return this.#retry(name, inner);
      case 'caught':
        return {
          try: [{ [`${name}r`]: this.#raise(418) }],
          catch: { do: [{ [`${name}c`]: this.#mark(`${name}c`) }] },
        };
      case 'wait':
        return { wait: { seconds: 1 + luck(3_600, this.#seed, name, 'wait') } };
      case 'timed':
        return { wait: 'PT10M', timeout: { after: 'PT1H' } };
      case 'call':
        return this.#call(name);
      case 'emit':
        return { ...this.#emit(name), output: { as: `{ log: ($input.log + ["${name}"]) }` } };
      case 'function':
        return { call: 'echo', with: { log: '${ .log }' } };
      case 'listen':
        return this.#listen(name);
      case 'each':
        return this.#each(name);
      case 'run':
        return { run: { workflow: { ...CHILD, input: { log: '${ .log }' } } } };
      case 'ended':
        return this.#ended(name);
    }
  }

  #mark(name: string): Task {
    return { set: { log: `\${ (.log // []) + ["${name}"] }` } };
  }

  #raise(status: number): Task {
    return { raise: { error: { type: 'https://example.org/odd', status, title: 'Odd' } } };
  }

  #fork(name: string, inner: (length: number, mark: string) => readonly Json[]): Task {
    const branches = Array.from({ length: 2 + luck(2, this.#seed, name, 'branches') }, (_, n) => ({
      [`${name}b${n}`]: { do: inner(1 + luck(2, this.#seed, name, n), `k${n}`) },
    }));
    return { fork: { branches }, output: { as: '{ log: [.[] | .log] }' } };
  }

  /** Whoever waits for the shortest time wins. */
  #race(name: string): Task {
    const branches = [1, 2, 3].map((n) => ({
      [`${name}b${n}`]: {
        do: [
          { [`${name}w${n}`]: { wait: { hours: n } } },
          { [`${name}m${n}`]: this.#mark(`${name}m${n}`) },
        ],
      },
    }));
    return { fork: { compete: true, branches } };
  }

  #switch(name: string): Task {
    const then = lucky(['continue', 'exit', 'continue'], this.#seed, name, 'then');
    return {
      switch: [
        // oxlint-disable-next-line unicorn/no-thenable -- a word of the language, and no promise
        { odd: { when: '((.log // []) | length) % 2 == 1', then } },
        // oxlint-disable-next-line unicorn/no-thenable -- as above
        { even: { then: 'continue' } },
      ],
    };
  }

  #try(name: string, inner: (length: number, mark: string) => readonly Json[]): Task {
    const fails = luck(2, this.#seed, name, 'fails') === 0;
    const raised = fails ? [{ [`${name}r`]: this.#raise(500) }] : [];
    return {
      try: [...inner(1, 't'), ...raised],
      catch: {
        as: 'oops',
        do: [{ [`${name}h`]: { set: { log: `\${ (.log // []) + [$oops.title] }` } } }],
      },
    };
  }

  /** It fails until its context has counted enough attempts. */
  #retry(name: string, inner: (length: number, mark: string) => readonly Json[]): Task {
    const count = `($context["${name}n"] // 0)`;
    return {
      try: [
        {
          [`${name}n`]: {
            ...this.#mark(`${name}n`),
            export: { as: `$context + { "${name}n": (${count} + 1) }` },
          },
        },
        ...inner(1, 'r'),
        { [`${name}r`]: { ...this.#raise(503), if: `${count} < 3` } },
      ],
      catch: {
        errors: { with: { status: 503 } },
        retry: {
          delay: { minutes: 1 },
          backoff: { exponential: {} },
          limit: { attempt: { count: 5 } },
        },
      },
    };
  }

  #call(name: string): Task {
    const endpoint = `${this.#server}/echo`;
    const body = { name, log: '${ .log }' };
    return {
      call: 'http',
      with: { method: 'post', endpoint, body },
      output: { as: '{ log: .log }' },
    };
  }

  #emit(name: string): Task {
    return {
      emit: { event: { with: { type: `org.example.${this.#seed}.${name}`, data: { name } } } },
    };
  }

  /** Now and then the whole workflow ends here. */
  #ended(name: string): Task {
    const isEnd = luck(5, this.#seed, name, 'end') === 0;
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the language, and no promise
    return isEnd ? { ...this.#mark(name), then: 'end' } : this.#mark(name);
  }

  /** Something is done for each of two events, which come one after the other. */
  #each(name: string): Task {
    const type = `org.example.${this.#seed}.${name}`;
    const later = [1, 2].flatMap((n) => [
      { [`${name}w${n}`]: { wait: 'PT1M' } },
      { [`${name}e${n}`]: this.#emit(name) },
    ]);
    const heard = {
      listen: { to: { any: [{ with: { type } }], until: 'length == 2' } },
      foreach: {
        item: 'heard',
        do: [{ [`${name}d`]: { set: { got: '${ $heard.name }' } } }],
        output: { as: '.got' },
      },
    };
    return {
      fork: { branches: [{ [`${name}l`]: heard }, { [`${name}x`]: { do: later } }] },
      output: { as: '{ log: ($input.log + .[0]) }' },
    };
  }

  /** What it listens to comes from a branch beside it, after a while. */
  #listen(name: string): Task {
    const type = `org.example.${this.#seed}.${name}`;
    const later = { do: [{ [`${name}w`]: { wait: 'PT1M' } }, { [`${name}e`]: this.#emit(name) }] };
    const heard = { listen: { to: { one: { with: { type } } } } };
    return {
      fork: { branches: [{ [`${name}l`]: heard }, { [`${name}x`]: later }] },
      output: { as: `{ log: ($input.log + [.[0][0].name]) }` },
    };
  }
}
