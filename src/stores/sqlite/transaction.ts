/** One transaction: all of the work, or none of it. */
import type { Driver } from './driver.ts';
import { begin, beginRead, commit, rollback } from './queries.ts';

/** Takes the write lock before anything is read, so that nothing read can have changed since. */
export function writing<Value>(driver: Driver, work: () => Value): Value {
  return within(driver, begin, work);
}

/**
 * The same, told the time: it is read once the lock is held, since a lease must not run out while
 * we queue for it. Null has the clock of this machine decide.
 */
export function writingAt<Value>(
  driver: Driver,
  told: number | null,
  work: (now: number) => Value,
): Value {
  return writing(driver, () => work(told ?? Date.now()));
}

/** Several reads that all see the same moment. */
export function reading<Value>(driver: Driver, work: () => Value): Value {
  return within(driver, beginRead, work);
}

function within<Value>(driver: Driver, first: string, work: () => Value): Value {
  driver.run(first);
  try {
    const value = work();
    driver.run(commit);
    return value;
  } finally {
    // Whatever went wrong, in the work or in the commit itself, nothing of it stays.
    if (driver.inTransaction) driver.run(rollback);
  }
}
