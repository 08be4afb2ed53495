/** What is open for the length of one test. */
import { onTestFinished } from 'vitest';

/** The same, and closed when the test that is running has ended. */
export function closed<Open extends { close(): unknown }>(open: Open): Open {
  onTestFinished(async () => void (await open.close()));
  return open;
}
