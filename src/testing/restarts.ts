/**
 * A program that is ended and started again, as often as a test likes: each time an engine that
 * knows nothing but its flows opens the same database and goes on with what is there.
 */
import type { Flow } from '../model/definition.ts';
import type { Run } from '../runtime/run.ts';
import type { Lab, LabOptions, OpenLab } from './lab.ts';

export class Restarts {
  readonly #begin: () => Promise<Lab>;
  lab: Lab;

  private constructor(begin: () => Promise<Lab>, lab: Lab) {
    this.#begin = begin;
    this.lab = lab;
  }

  static async of(
    open: OpenLab,
    flows: readonly Flow[],
    options: LabOptions = {},
  ): Promise<Restarts> {
    // It keeps the database open between two programs, and has no flow that it could go on with.
    const base = await open([]);
    const begin = (): Promise<Lab> => base.beside(flows, options);
    return new Restarts(begin, await begin());
  }

  /** Whatever was at work is left as it is; the next program has it all from the database. */
  async again(): Promise<Lab> {
    await this.lab.close();
    this.lab = await this.#begin();
    return this.lab;
  }

  /** The instance, in the program that runs now. */
  async run(id: string): Promise<Run> {
    const run = await this.lab.engine.get(id);
    if (run === undefined) throw new Error(`there is no instance ${id}`);
    return run;
  }

  /** Everything that can happen by itself has. */
  async settled(id: string): Promise<Run> {
    await this.lab.settle();
    return this.run(id);
  }
}
