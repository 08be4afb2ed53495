/**
 * What examples reach that is not HTTP, on this machine: opened when something first asks for it,
 * and closed with the take it was opened for.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type McpHouse, openHouse } from '../src/testing/mcp-house.ts';
import { type Broker, startBroker } from '../src/testing/mqtt-broker.ts';
import { type Greeter, openGreeter } from './examples-greeter.ts';
import { makeSlack } from './examples-slack.ts';
import { openSocket, type PushingSocket } from './examples-socket.ts';
import { layTools, type Tools } from './examples-tools.ts';

interface Closable {
  close(): Promise<void>;
}

export class Places {
  /** Gone with them. */
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), 'perdure-examples-')));
  readonly #open = new Map<string, Promise<Closable>>();
  #tools: Tools | undefined;

  /** gRPC. */
  greeter(): Promise<Greeter> {
    return this.#once('greeter', () => openGreeter(this.folder));
  }

  /** MQTT. */
  broker(): Promise<Broker> {
    return this.#once('broker', () => startBroker());
  }

  /** A WebSocket. */
  socket(): Promise<PushingSocket> {
    return this.#once('socket', openSocket);
  }

  /** MCP over HTTP. */
  slack(): Promise<McpHouse> {
    return this.#once('slack', () => openHouse({ make: makeSlack }));
  }

  /** Programs in the place of `docker`, `npx` and `sleep`. */
  get tools(): Tools {
    this.#tools ??= layTools(this.folder);
    return this.#tools;
  }

  async close(): Promise<void> {
    for (const opening of this.#open.values()) await (await opening).close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #once<Place extends Closable>(name: string, open: () => Promise<Place>): Promise<Place> {
    const opening = this.#open.get(name) ?? open();
    this.#open.set(name, opening);
    return opening as Promise<Place>;
  }
}
