/** Handlers that are at work until a test lets them go, and that are counted meanwhile. */
import { Gate } from './stage.ts';

interface Sitting {
  readonly name: string;
  readonly gate: Gate<unknown>;
}

export class Booths {
  /** Everyone who ever began, in order. */
  readonly begun: string[] = [];
  readonly #sitting: Sitting[] = [];

  /** Sits down and stays until it is let go of; what it is let go with is the result. */
  async sit(name: string): Promise<unknown> {
    const gate = new Gate<unknown>();
    this.begun.push(name);
    this.#sitting.push({ name, gate });
    const value = await gate.opened;
    if (value instanceof Error) throw value;
    return value;
  }

  get atWork(): readonly string[] {
    return this.#sitting.map(({ name }) => name);
  }

  letGo(name: string, value: unknown = null): void {
    const at = this.#sitting.findIndex((one) => one.name === name);
    const [found] = this.#sitting.splice(at, at < 0 ? 0 : 1);
    if (found === undefined) throw new Error(`${name} is not at work`);
    found.gate.open(value);
  }

  letAllGo(): void {
    for (const name of this.atWork) this.letGo(name);
  }
}
