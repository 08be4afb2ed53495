/**
 * Random requests for the HTTP API: good ones for every route, made from what there is, and then
 * bent in one way or several. The same seed makes the same requests, but for ids.
 */
import { z } from 'zod';
import type { Json } from '../base/json.ts';
import type { Route } from '../server/route.ts';
import { CASES } from './api-cases.ts';
import { type ApiWorld, type Asking, type Caller, TENANTS } from './api-world.ts';
import type { Dice } from './dice.ts';
import { RandomJson } from './random-json.ts';

export interface RandomRequest extends Asking {
  readonly caller: Caller | null;
}

/** While it is bent. */
interface Bent {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: unknown;
}

const BENDS_MAX = 3;
/** What was seen of ids, tasks and the like. */
const SEEN_MAX = 200;

export class RandomRequests {
  readonly #world: ApiWorld;
  readonly #dice: Dice;
  readonly #routes: readonly Route[];
  readonly #json: RandomJson;
  readonly #seen: string[] = ['waits', 'office', 'board', 'job', 'line', 'chart', 'acme', 'bolt'];

  constructor(world: ApiWorld, dice: Dice, routes: readonly Route[]) {
    this.#world = world;
    this.#dice = dice;
    this.#routes = routes;
    this.#json = new RandomJson(dice, () => this.#seen);
  }

  async next(): Promise<RandomRequest> {
    const route = this.#dice.pick(this.#routes);
    const caller = this.#caller();
    const good = await this.#good(route, caller);
    // Every other is as it is to be; the rest are bent, once or several times.
    const bends = this.#dice.roll(2) * (1 + this.#dice.roll(BENDS_MAX));
    for (let count = 0; count < bends; count += 1) this.#bend(good, route);
    return { ...good, caller, body: textOf(good) };
  }

  /** Mostly somebody who may do it. */
  #caller(): Caller | null {
    const { callers } = this.#world;
    switch (this.#dice.roll(8)) {
      case 0:
        return this.#dice.roll(2) === 0 ? null : this.#dice.pick(callers);
      case 1:
      case 2:
      case 3:
        return this.#world.caller('admin', this.#dice.pick(['acme', 'bolt']));
      default:
        return this.#world.caller('admin', null);
    }
  }

  /** About what there is, as is or with what the route takes; or all of it made from the route. */
  async #good(route: Route, caller: Caller | null): Promise<Bent> {
    const { method, path, query } = route;
    const made = this.#dice.roll(3) === 0 ? undefined : await this.#case(route, caller);
    if (made !== undefined) {
      return this.#dice.roll(2) === 0 ? made : { ...made, body: this.#body(route) ?? made.body };
    }
    return {
      method,
      path: path.replaceAll(/\{(\w+)\}/g, (_, name) => this.#part(name as string)),
      query: query === undefined ? '' : this.#query(query),
      headers: {},
      body: this.#body(route),
    };
  }

  #body({ body, raw }: Route): Json | undefined {
    return body === undefined || raw === true ? undefined : this.#fitting(body);
  }

  async #case(route: Route, caller: Caller | null): Promise<Bent | undefined> {
    const who = caller ?? this.#world.caller('admin', null);
    const tenant = this.#dice.roll(4) === 0 ? this.#dice.pick(TENANTS) : who.tenant;
    try {
      const about = await CASES[route.operation]?.({ world: this.#world, caller: who, tenant });
      if (about === undefined) return undefined;
      this.#note(about);
      const { method, path, query = '', headers = {}, body } = about;
      return { method, path, query, headers: { ...headers }, body };
    } catch {
      // Somebody has suspended the flow that it would be about.
      return undefined;
    }
  }

  /** What was named once is named again, also by others. */
  #note({ path, run }: { readonly path: string; readonly run?: { readonly id: string } }): void {
    const parts = path.split('/').slice(2, 3).map(decodeURIComponent);
    this.#seen.push(...parts, ...(run === undefined ? [] : [run.id]));
    if (this.#seen.length > SEEN_MAX) this.#seen.splice(8, this.#seen.length - SEEN_MAX);
  }

  #part(name: string): string {
    if (['token', 'n', 'version'].includes(name)) return `${this.#dice.roll(5)}`;
    return encodeURIComponent(this.#json.name());
  }

  #fitting(of: z.ZodType): Json {
    return this.#json.fitting(z.toJSONSchema(of, { io: 'input', unrepresentable: 'any' }));
  }

  #query(of: z.ZodType): string {
    const params = new URLSearchParams();
    for (const [name, value] of Object.entries(this.#fitting(of) as Record<string, Json>)) {
      for (const each of [value].flat()) params.append(name, wordOf(each));
    }
    return params.toString();
  }

  #bend(asked: Bent, route: Route): void {
    switch (this.#dice.roll(9)) {
      case 0:
        asked.method = this.#dice.pick([
          'get',
          'post',
          'put',
          'delete',
          'patch',
          'head',
          'options',
        ]);
        return;
      case 1:
        asked.path = this.#bentPath(asked.path);
        return;
      case 2:
        asked.query = this.#bentQuery(asked.query);
        return;
      case 3:
      case 4:
        this.#bendHeaders(asked.headers);
        return;
      case 5:
        if (route.raw !== true) asked.body = this.#bentText(asked.body);
        return;
      default:
        asked.body = this.#bentValue(asked.body);
    }
  }

  #bentPath(path: string): string {
    const parts = path.split('/');
    const at = 1 + this.#dice.roll(parts.length);
    const odd = this.#json.odd();
    const part =
      this.#dice.roll(2) === 0 ? this.#json.name() : wordOf(odd).replaceAll(/\p{Surrogate}/gu, '?');
    parts[at] = encodeURIComponent(part.slice(0, 600));
    return parts.join('/');
  }

  #bentQuery(query: string): string {
    const params = new URLSearchParams(query);
    const known = ['limit', 'cursor', 'tenant', 'key', 'status', 'after', 'wait', 'flow', 'odd'];
    const name = this.#dice.pick([...params.keys(), ...known]);
    const value = this.#dice.roll(2) === 0 ? this.#json.name() : wordOf(this.#json.odd());
    params[this.#dice.roll(2) === 0 ? 'append' : 'set'](name, value.slice(0, 600));
    return params.toString();
  }

  #bendHeaders(headers: Record<string, string>): void {
    const [name, ...values] = this.#dice.pick([
      ['content-type', 'text/plain', 'application/json; charset=utf-8', 'application/x+json', ''],
      ['idempotency-key', 'k1', 'k2', 'k3', 'k'.repeat(256), 'ä'],
      ['perdure-tenant', 'acme', 'bolt', 'nobody', '', 'x'.repeat(600)],
      ['last-event-id', '0', '3', 'x', '1/2/3', '9'.repeat(20)],
      ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'odd'],
      ['content-encoding', 'gzip', 'identity'],
      ['origin', 'null', 'https://evil.example', 'http://localhost'],
      ['authorization', 'Bearer x', 'Basic YTpi', 'Bearer a.b.c', 'Bearer pdr_admin.all_x'],
      ['accept', 'text/html', '*/*'],
      ['x-forwarded-for', '10.0.0.1'],
    ] as const);
    headers[name] = this.#dice.pick<string>(values);
  }

  /** What is no JSON any more, or other JSON. */
  #bentText(body: unknown): string {
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
    const at = this.#dice.roll(text.length + 1);
    const extra = this.#dice.pick(['', '{', '"', ',', '\u0000', 'null', ']', '\\u', '1e999']);
    const rest = this.#dice.roll(2) === 0 ? text.slice(at) : text.slice(at + 1);
    return `${text.slice(0, at)}${extra}${rest}`;
  }

  /** One value in it is another, gone, or one too many. */
  #bentValue(body: unknown): unknown {
    if (typeof body !== 'object' || body === null) return this.#json.odd();
    const names = Object.keys(body);
    const bent = structuredClone(body) as Record<string, unknown>;
    const name = this.#dice.pick([...names, this.#json.name()]);
    switch (this.#dice.roll(4)) {
      case 0:
        delete bent[name];
        return bent;
      case 1:
        bent[name] = this.#json.odd();
        return bent;
      case 2:
        bent[name] = this.#json.any();
        return bent;
      default:
        bent[name] = this.#bentValue(bent[name]);
        return bent;
    }
  }
}

/** As it stands in a path or a query. */
function wordOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Marks stand only in what was there before: a mark that is sent proves nothing. */
function textOf({ method, body }: Bent): string | undefined {
  if (body === undefined || method === 'get' || method === 'head') return undefined;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text.replaceAll(/mark-of-\w+-5d1c/g, 'unmarked');
}
