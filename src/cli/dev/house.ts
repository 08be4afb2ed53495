/**
 * What `perdure dev` runs: an engine on a store that stays open, and the API over it. When files
 * have changed they are read again, and if all of them can be run, another engine with what they
 * define takes the place of the first, which comes to the end of what it is at. If something is
 * wrong in one of them, what ran goes on, and the sources say what it is.
 */
import type { ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { createEngine, type Engine, type EngineOptions, type Logger } from '../../index.ts';
import { type Api, api, ROLES } from '../../server.ts';
import type { Desk } from '../desk.ts';
import { type Hosted, type HostFlags, hostOf } from '../host.ts';
import type { Defined } from '../modules.ts';
import { DRAIN_MS } from '../running.ts';
import { type Place, talkLogger } from '../stores.ts';
import { FileWatch } from './file-watch.ts';
import { FreshImports } from './fresh-imports.ts';
import { LogLines } from './log-lines.ts';
import { SharedStore } from './shared-store.ts';
import { type ReadSource, readSource, type Source } from './sources.ts';
import { hasToken } from './start-token.ts';

export interface HouseOptions extends HostFlags {
  readonly files: readonly string[];
  readonly handlers?: string;
  /** Definitions that are no files of the user's: examples. */
  readonly given?: () => Promise<readonly ReadSource[]>;
}

interface Running {
  readonly engine: Engine;
  readonly api: Api;
}

const BEAT_MS = 15_000;

export class DevHouse {
  readonly logs: LogLines = new LogLines();
  readonly #desk: Desk;
  readonly #place: Place;
  readonly #options: HouseOptions;
  readonly #token: string;
  readonly #store: SharedStore;
  readonly #imports = new FreshImports();
  readonly #watch = new FileWatch(() => this.#reloadSoon());
  readonly #listeners = new Set<ServerResponse>();
  readonly #ending = new Set<Promise<void>>();
  #running: Running | null = null;
  #sources: readonly Source[] = [];
  #revision = 0;
  #turn: Promise<void> = Promise.resolve();

  private constructor(desk: Desk, place: Place, options: HouseOptions, token: string) {
    this.#desk = desk;
    this.#place = place;
    this.#options = options;
    this.#token = token;
    this.#store = new SharedStore(place.store);
  }

  static async open(
    desk: Desk,
    place: Place,
    options: HouseOptions,
    token: string,
  ): Promise<DevHouse> {
    const house = new DevHouse(desk, place, options, token);
    const read = await house.#read();
    // At first whatever can be run is: the rest is said, and comes when it is mended.
    await house.#run(read.flatMap(({ defined }) => defined ?? []));
    house.#show(read);
    return house;
  }

  get engine(): Engine {
    return this.#now.engine;
  }

  get api(): Api {
    return this.#now.api;
  }

  get sources(): readonly Source[] {
    return this.#sources;
  }

  get revision(): number {
    return this.#revision;
  }

  get hasWorker(): boolean {
    return this.#options.files.length > 0 || this.#options.given !== undefined;
  }

  /** Whoever listens is told of every reload. */
  listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write(`event: hello\ndata: {"revision":${this.#revision}}\n\n`);
    this.#listeners.add(response);
    // Whoever stands in between ends what is silent for long.
    const beat = setInterval(() => response.write(':\n\n'), BEAT_MS);
    response.once('close', () => {
      clearInterval(beat);
      this.#listeners.delete(response);
    });
  }

  async close(): Promise<void> {
    this.#watch.close();
    this.#imports.close();
    await this.#turn;
    for (const response of this.#listeners) response.end();
    if (this.#running !== null) await end(this.#running);
    await Promise.all(this.#ending);
    await this.#place.store.close();
  }

  get #now(): Running {
    if (this.#running === null) throw new Error('a house that is open has an engine');
    return this.#running;
  }

  async #read(): Promise<readonly ReadSource[]> {
    const { files, handlers, given } = this.#options;
    const read = [...((await given?.()) ?? [])];
    for (const file of files) read.push(await readSource(this.#desk.terminal, file, handlers));
    return read;
  }

  async #run(defined: readonly Defined[]): Promise<void> {
    const before = this.#running;
    const { terminal } = this.#desk;
    const logger: Logger = this.logs.around(talkLogger(terminal));
    const engine = await createEngine({
      ...partsOf(defined),
      ...this.#hosted(),
      store: this.#store.forEngine(),
      ...(this.hasWorker ? {} : { worker: false }),
      logger,
    });
    this.#running = { engine, api: apiOver(engine, this.#token, terminal.user) };
    if (before === null) return;
    const ending = end(before).then(
      () => void this.#ending.delete(ending),
      (thrown: unknown) => this.#complain(thrown),
    );
    this.#ending.add(ending);
  }

  /** Schedules of workflows are kept: somebody is there to keep them. */
  #hosted(): Hosted {
    const { terminal } = this.#desk;
    const { serverless = {}, ...hosted } = hostOf(
      terminal,
      this.#options,
      this.#options.files[0] ?? '.',
    );
    const { schedules: _, ...rest } = serverless;
    return { ...hosted, serverless: rest };
  }

  #show(read: readonly ReadSource[]): void {
    this.#sources = read.map(({ source }) => source);
    this.#revision += 1;
    const { terminal } = this.#desk;
    for (const { file, diagnostics } of this.#sources) {
      const first = diagnostics.find(({ severity }) => severity === 'error');
      if (first === undefined) continue;
      const place = first.line === null ? file : `${file}:${first.line}`;
      terminal.talk(`${terminal.paint('red', '✗')} ${place}: ${first.message} (${first.code})\n`);
    }
    const { files, handlers } = this.#options;
    const named = [...files, ...(handlers === undefined ? [] : [handlers])];
    const paths = named.map((file) => resolve(terminal.folder, file));
    this.#watch.of(new Set([...paths, ...(files.length === 0 ? [] : this.#imports.files)]));
    const text = `event: sources\ndata: {"revision":${this.#revision}}\n\n`;
    for (const response of this.#listeners) response.write(text);
  }

  #reloadSoon(): void {
    this.#turn = this.#turn
      .then(() => this.#reload())
      .catch((thrown: unknown) => this.#complain(thrown));
  }

  #complain(thrown: unknown): void {
    const { terminal } = this.#desk;
    const { message } = thrown instanceof Error ? thrown : new Error(String(thrown));
    terminal.talk(`${terminal.paint('red', '✗')} ${message}\n`);
  }

  async #reload(): Promise<void> {
    this.#imports.turn();
    const read = await this.#read();
    const defined = read.flatMap((one) => one.defined ?? []);
    const isWhole = defined.length === read.length;
    if (isWhole) await this.#run(defined);
    this.#show(read);
    if (isWhole) this.#desk.terminal.talk('read again: new instances run by what is written now\n');
  }
}

function partsOf(
  defined: readonly Defined[],
): Pick<EngineOptions, 'flows' | 'handlers' | 'outbox'> {
  const outbox = defined.find((one) => one.outbox !== undefined)?.outbox;
  return {
    flows: defined.flatMap(({ flows }) => flows),
    handlers: Object.assign({}, ...defined.map(({ handlers }) => handlers)) as Defined['handlers'],
    ...(outbox === undefined ? {} : { outbox }),
  };
}

/** Whoever has the token sits at this machine, and may do everything. */
export function apiOver(engine: Engine, token: string, user: string): Api {
  const principal = { id: user, tenant: null, scopes: new Set(ROLES.admin), groups: [] };
  return api(engine, {
    access: {
      authenticate: ({ headers }) =>
        hasToken(headers.get('authorization'), token) ? principal : null,
    },
    rate: false,
  });
}

async function end({ engine, api: server }: Running): Promise<void> {
  await server.close();
  await engine.close({ timeout: DRAIN_MS });
}
