/** Who is to hear when a value has changed that screens show: for `useSyncExternalStore`. */
export class Hearers {
  readonly #all = new Set<() => void>();

  readonly listen = (hear: () => void): (() => void) => {
    this.#all.add(hear);
    return () => void this.#all.delete(hear);
  };

  tell(): void {
    for (const hear of this.#all) hear();
  }
}
