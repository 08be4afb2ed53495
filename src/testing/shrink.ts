/**
 * Makes something that fails smaller while it still fails: greedy, from the biggest cut to the
 * smallest, again and again until no cut is left that keeps the failure.
 */

/** Tries, not steps: past this what is left is small enough to read. */
const SHRINK_TRIES_MAX = 3_000;

export async function shrink<Thing>(
  whole: Thing,
  smaller: (thing: Thing) => Iterable<Thing>,
  fails: (thing: Thing) => Promise<boolean>,
): Promise<Thing> {
  let least = whole;
  let tries = 0;
  for (let cut = true; cut && tries < SHRINK_TRIES_MAX; ) {
    cut = false;
    for (const candidate of smaller(least)) {
      tries += 1;
      if (tries > SHRINK_TRIES_MAX) break;
      if (await fails(candidate)) {
        least = candidate;
        cut = true;
        break;
      }
    }
  }
  return least;
}
