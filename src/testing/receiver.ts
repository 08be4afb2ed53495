/** A target of the outbox that keeps what it is given, and fails or hangs as a test wants it to. */
import type { OutboxEvent, SendTools } from '../calls/target.ts';

/** What becomes of an attempt: it arrives, it throws, or it never ends. */
export type Fate = 'take' | 'hang' | Error;

export class Receiver {
  /** Every attempt, in order. */
  readonly attempts: OutboxEvent[] = [];
  readonly signals: AbortSignal[] = [];
  /** Those that arrived. */
  readonly taken: OutboxEvent[] = [];
  readonly #fateOf: (event: OutboxEvent) => Fate | Promise<Fate>;

  constructor(fateOf: (event: OutboxEvent) => Fate | Promise<Fate> = () => 'take') {
    this.#fateOf = fateOf;
  }

  readonly send = async (event: OutboxEvent, { signal }: SendTools): Promise<void> => {
    this.attempts.push(event);
    this.signals.push(signal);
    const fate = await this.#fateOf(event);
    if (fate === 'hang') await new Promise<never>(() => {});
    if (fate instanceof Error) throw fate;
    this.taken.push(event);
  };

  /** What arrived, short enough to compare. */
  get had(): readonly unknown[] {
    return this.taken.map(({ data }) => data);
  }

  /** Each attempt as its data and its number. */
  get tries(): readonly string[] {
    return this.attempts.map(({ data, attempt }) => `${JSON.stringify(data)} ${attempt}`);
  }
}
