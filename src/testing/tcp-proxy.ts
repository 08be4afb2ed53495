/**
 * A network that fails when a test tells it to: stands between clients and a Postgres server, and
 * passes everything on until it is asked to cut, to refuse, to hold back or to be slow.
 *
 * It can also fail at the one moment that matters most, around a commit. With `lose-request` the
 * server never hears of it, so the transaction is undone; with `lose-reply` the server has done it
 * and the client never learns. To the client both look the same.
 *
 * A chunk is passed on in the order it came and not before its time; only whole messages are, so
 * that nothing of a lost one gets through.
 */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { listenLocally } from './local-port.ts';
import { type Address, detour, textsOf, type WireMessage, WireReader } from './postgres-wire.ts';
import { Gate } from './stage.ts';

export type CommitLoss = 'lose-reply' | 'lose-request';

/** A statement of its own, or one among several in a text. A table may be called commit, too. */
const COMMIT = /(^|;)\s*commit(\s+(work|transaction))?\s*(;|$)/i;
/** Our own commits are one call, and outside of a transaction that is one. */
const CALL = /\.commit_(one|round)\(/;
const BEGIN = /(^|;)\s*begin\b/i;
const END = /(^|;)\s*(commit|rollback|end)\b(?!\s+to\b)/i;

export class TcpProxy {
  /** How many commits were lost, of either kind. */
  lost: number = 0;
  readonly #listener: Server;
  readonly #links = new Set<Link>();
  readonly #losses = new Map<CommitLoss, () => boolean>();
  #port = 0;
  #refuses = false;
  #delayMs = 0;
  #gate: Gate | undefined;

  private constructor(target: Address) {
    this.#listener = createServer({ noDelay: true }, (client) => this.#join(client, target));
  }

  static async start(target: Address): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#port = await listenLocally(proxy.#listener);
    return proxy;
  }

  get port(): number {
    return this.#port;
  }

  /** The same URL by way of this proxy. */
  url(of: string): string {
    return detour(of, this.#port);
  }

  /** Every connection breaks now. New ones are welcome. */
  cut(): void {
    for (const link of this.#links) link.cut();
  }

  /** New connections break at once, until they are accepted again. Those there are stay. */
  refuse(): void {
    this.#refuses = true;
  }

  accept(): void {
    this.#refuses = false;
  }

  /** Nothing gets through, in either direction, until `resume`. Nothing is lost either. */
  pause(): void {
    this.#gate ??= new Gate();
  }

  resume(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  /** Whatever comes from now on takes so long, in each direction. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /**
   * Breaks the connection around a commit: around the next one, or whenever `decide` says so, which
   * is asked about each. Both kinds can be armed at once.
   */
  armCommitLoss(kind: CommitLoss, decide: () => boolean = this.#once(kind)): void {
    this.#losses.set(kind, decide);
  }

  disarm(): void {
    this.#losses.clear();
  }

  async close(): Promise<void> {
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    this.cut();
    await closed;
  }

  #once(kind: CommitLoss): () => boolean {
    return () => this.#losses.delete(kind);
  }

  #join(client: Socket, target: Address): void {
    if (this.#refuses) {
      client.destroy();
      return;
    }
    const link = new Link(client, connect({ ...target, noDelay: true }));
    this.#links.add(link);
    link.onceClosed(() => this.#links.delete(link));
    this.#carry(link.client, link.server, (chunk) =>
      link.forward(link.fromClient(chunk), link.server, (message) =>
        this.#isLost('lose-request', link.asksForCommit(message)),
      ),
    );
    this.#carry(link.server, link.client, (chunk) =>
      link.forward(link.fromServer(chunk), link.client, (message) =>
        this.#isLost('lose-reply', link.tellsOfCommit(message)),
      ),
    );
  }

  /** One after the other: a chunk waits for its time, for the gate, and for those before it. */
  #carry(from: Socket, to: Socket, pass: (chunk: Buffer) => void): void {
    let last: Promise<void> = Promise.resolve();
    const queue = (act: () => void): void => {
      const due = performance.now() + this.#delayMs;
      last = last.then(async () => {
        if (due > performance.now()) await setTimeout(due - performance.now());
        while (this.#gate !== undefined) await this.#gate.opened;
        act();
      });
    };
    from.on('data', (chunk) => queue(() => pass(chunk)));
    // That it broke is all there is to know; 'close' follows.
    from.on('error', () => {});
    from.once('close', () => queue(() => to.destroySoon()));
  }

  #isLost(kind: CommitLoss, isCommit: boolean): boolean {
    const lost = isCommit && this.#losses.get(kind)?.() === true;
    if (lost) this.lost += 1;
    return lost;
  }
}

/** A connection of a client, and the one to the server that was made for it. */
class Link {
  readonly client: Socket;
  readonly server: Socket;
  readonly #clientReader = new WireReader('client');
  readonly #serverReader = new WireReader('server');
  /** Names of prepared statements that commit, and of those that do outside of a transaction. */
  readonly #commits = new Set<string>();
  readonly #calls = new Set<string>();
  /** As the client has it, who may be ahead of the server by several queries. */
  #isOpen = false;
  /** Of the query the client is saying, and of those that the server has yet to answer. */
  #said: 'call' | 'commit' | null = null;
  readonly #unanswered: ('call' | 'commit' | null)[] = [];

  constructor(client: Socket, server: Socket) {
    this.client = client;
    this.server = server;
  }

  cut(): void {
    this.client.destroy();
    this.server.destroy();
  }

  /** Both ends: one may outlive the other while traffic is held back. */
  onceClosed(act: () => void): void {
    for (const socket of [this.client, this.server]) {
      socket.once('close', () => {
        if (this.client.closed && this.server.closed) act();
      });
    }
  }

  *fromClient(chunk: Buffer): Generator<WireMessage> {
    for (const message of this.#clientReader.read(chunk)) {
      if (message.type === 'may-encrypt') this.#serverReader.expectAgreement();
      yield message;
    }
  }

  *fromServer(chunk: Buffer): Generator<WireMessage> {
    for (const message of this.#serverReader.read(chunk)) {
      if (message.type === 'agreement' && message.body.toString() !== 'N') {
        this.#clientReader.seal();
        this.#serverReader.seal();
      }
      yield message;
    }
  }

  /** Passes messages on up to the one that is lost, with which everything ends. */
  forward(
    messages: Iterable<WireMessage>,
    to: Socket,
    isLost: (message: WireMessage) => boolean,
  ): void {
    // What came as one chunk leaves as one.
    to.cork();
    for (const message of messages) {
      if (isLost(message)) {
        this.cut();
        return;
      }
      if (to.writable) to.write(message.bytes);
    }
    to.uncork();
  }

  /** A query, or the use of a statement that was prepared. To prepare it does nothing yet. */
  asksForCommit({ type, body }: WireMessage): boolean {
    const [first = '', second = ''] = /^[QPB]$/.test(type) ? textsOf(body, 2) : [];
    switch (type) {
      case 'Q':
        if (BEGIN.test(first)) this.#isOpen = true;
        if (END.test(first)) this.#isOpen = false;
        this.#unanswered.push(COMMIT.test(first) ? 'commit' : null);
        return COMMIT.test(first);
      case 'P':
        note(this.#commits, first, COMMIT.test(second));
        note(this.#calls, first, CALL.test(second));
        return false;
      case 'B':
        if (this.#commits.has(second)) this.#isOpen = false;
        if (this.#commits.has(second)) this.#said = 'commit';
        else this.#said = this.#calls.has(second) && !this.#isOpen ? 'call' : null;
        return this.#said !== null;
      case 'S':
        this.#unanswered.push(this.#said);
        this.#said = null;
        return false;
      default:
        return false;
    }
  }

  /** A commit of what had failed is answered with ROLLBACK, and is none. */
  tellsOfCommit({ type, body }: WireMessage): boolean {
    const [said = null] = this.#unanswered;
    // Ready for the next query.
    if (type === 'Z') this.#unanswered.shift();
    if (type !== 'C' || said === null) return false;
    return said === 'call' || textsOf(body, 1)[0] === 'COMMIT';
  }
}

function note(names: Set<string>, name: string, isOne: boolean): void {
  if (isOne) names.add(name);
  else names.delete(name);
}
