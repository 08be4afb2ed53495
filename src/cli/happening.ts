/** What is told of a run: what happened, to which node, and how that went. */

/** Something that happened. */
export interface Happening {
  /** Null if it happened to the instance as a whole. */
  readonly node: string | null;
  readonly token: number | null;
  /** How it went: of one that is over, how it ended. */
  readonly state: 'begun' | 'done' | 'failed' | 'stopped' | 'waits' | 'goes on' | 'said';
  readonly text: string;
  /** How long it took, if it is over. */
  readonly tookMs: number | null;
  /** Its place in a chain, or the pass of a loop it belongs to. */
  readonly place: number | null;
}

/** A task whose work failed ends with it: that is one thing, and told once. */
export function withoutEchoes(happenings: readonly Happening[]): readonly Happening[] {
  return happenings.filter(({ node, state }, at) => {
    const isEcho = (before: Happening): boolean =>
      before.node === node && before.state === 'failed';
    return node === null || state !== 'stopped' || !happenings.slice(0, at).some(isEcho);
  });
}
