/** One transaction: all of the work, or none of it. */
import type { Driver } from './driver.ts';
import { begin, beginRead, commit, rollback } from './queries.ts';

/** Takes the write lock before anything is read, so that nothing read can have changed since. */
export function writing<Value>(driver: Driver, work: () => Value): Value {
  return within(driver, begin, work);
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
