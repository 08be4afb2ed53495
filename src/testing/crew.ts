/** Worker processes of a test, each of which can be killed and is started again. */
import type { Program } from './program.ts';

export class Crew {
  kills = 0;
  readonly #launch: () => Program;
  readonly #workers: Program[];

  constructor(count: number, launch: () => Program) {
    this.#launch = launch;
    this.#workers = Array.from({ length: count }, launch);
  }

  async atWork(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.atWork()));
  }

  worker(place: number): Program | undefined {
    return this.#workers[place];
  }

  async kill(place: number): Promise<void> {
    await this.#workers[place]?.kill();
    this.#workers[place] = this.#launch();
    this.kills += 1;
  }
}
