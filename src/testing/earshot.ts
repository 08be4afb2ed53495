/** What several programs say, in the order in which it is heard: for tests that wait for any. */
import type { Program } from './program.ts';

export interface Heard {
  readonly by: Program;
  readonly line: string;
}

export class Earshot {
  readonly heard: Heard[] = [];
  readonly #listeners = new Set<() => void>();

  /** From now on, until it is gone. */
  listen(program: Program): void {
    void this.#follow(program);
  }

  /** What is found in all that was heard, now or as soon as it is there. */
  until<Value>(find: (heard: readonly Heard[]) => Value | undefined): Promise<Value> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find(this.heard);
        if (found === undefined) return;
        this.#listeners.delete(look);
        resolve(found);
      };
      this.#listeners.add(look);
      look();
    });
  }

  async #follow(by: Program): Promise<void> {
    for (let next = 0, isGone = false; !isGone; ) {
      for (const line of by.lines.slice(next)) this.heard.push({ by, line });
      next = by.lines.length;
      for (const look of [...this.#listeners]) look();
      isGone = await by.saysNext(/^/).then(
        () => false,
        () => by.lines.length === next,
      );
    }
  }
}
