/** Server-sent events, read one after the other as they come. */

export interface HeardEvent {
  readonly id: string;
  readonly event: string;
  readonly data: HeardCommit;
  /** As it came. */
  readonly text: string;
}

export interface HeardCommit {
  readonly instance: string;
  readonly flow: string;
  readonly n: number;
  readonly changes: readonly { readonly did: string }[];
}

/** A stream that is being read. What is not asked for is not read. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #text = new TextDecoder();
  #rest = '';
  /** Lines that mean nothing but that somebody is there. */
  beats = 0;

  constructor(response: Response) {
    const type = response.headers.get('content-type');
    if (response.body === null || type !== 'text/event-stream') {
      throw new Error(`${response.status} ${type} is no stream of events`);
    }
    this.#reader = response.body.getReader();
  }

  /** The next event; undefined if the stream has ended. */
  async next(): Promise<HeardEvent | undefined> {
    for (;;) {
      const block = await this.#block();
      if (block === undefined) return undefined;
      if (block.startsWith(':')) this.beats += 1;
      else return eventOf(block);
    }
  }

  /** The next line that means nothing. */
  async beat(): Promise<void> {
    const block = await this.#block();
    if (block?.startsWith(':') !== true) throw new Error(`no beat came, but ${block}`);
    this.beats += 1;
  }

  /** All that come until one is as it is said; with it. */
  async until(isLast: (event: HeardEvent) => boolean): Promise<readonly HeardEvent[]> {
    const all: HeardEvent[] = [];
    for (;;) {
      const event = await this.next();
      if (event === undefined) throw new Error(`it ended after ${all.length} events`);
      all.push(event);
      if (isLast(event)) return all;
    }
  }

  /** All that come until the stream ends. */
  async rest(): Promise<readonly HeardEvent[]> {
    const all: HeardEvent[] = [];
    for (let event = await this.next(); event !== undefined; event = await this.next()) {
      all.push(event);
    }
    return all;
  }

  async close(): Promise<void> {
    await this.#reader.cancel();
  }

  /** What stands between two empty lines. */
  async #block(): Promise<string | undefined> {
    for (let end = this.#rest.indexOf('\n\n'); end === -1; end = this.#rest.indexOf('\n\n')) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#rest += this.#text.decode(value, { stream: true });
    }
    const end = this.#rest.indexOf('\n\n');
    const block = this.#rest.slice(0, end);
    this.#rest = this.#rest.slice(end + 2);
    return block;
  }
}

function eventOf(text: string): HeardEvent {
  const fields = new Map(
    text.split('\n').map((line): [string, string] => {
      const at = line.indexOf(': ');
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const data = JSON.parse(fields.get('data') ?? 'null') as HeardCommit;
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data, text };
}
