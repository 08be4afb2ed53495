/**
 * A program for the tests to kill: works on instances of `tellerFlow` until its input ends, and
 * says how far each transaction is, in numbered lines.
 *
 *     node src/testing/postgres-teller.ts PLACE STATEMENT
 *
 * PLACE is where the store lies, and STATEMENT puts one text into a table of the test's own.
 */
import { assert } from '../base/assert.ts';
import { createEngine } from '../runtime/engine.ts';
import type { Transaction } from '../stores/store.ts';
import { storeAt } from './place.ts';
import { tellerFlow } from './postgres-teller-flow.ts';
import { wrappedStore } from './wrapped-store.ts';

const [place, statement] = process.argv.slice(2);
assert(place !== undefined && statement !== undefined, 'a place and a statement are named');
process.stdin.once('end', () => process.exit()).resume();

let lines = 0;
function say(what: string): void {
  lines += 1;
  process.stdout.write(`${lines} ${what}\n`);
}

const store = storeAt(place);

async function begin(): Promise<Transaction> {
  const transaction = await store.begin();
  say('begun');
  return {
    tx: transaction.tx,
    commit: async (commit) => {
      say('put');
      const outcome = await transaction.commit(commit);
      say('written');
      return outcome;
    },
    publish: (message) => transaction.publish(message),
    end: async () => {
      const ended = transaction.end();
      say('ending');
      await ended;
      say('ended');
    },
    cancel: () => transaction.cancel(),
  };
}

await createEngine({
  store: wrappedStore(store, { begin }),
  flows: [tellerFlow(statement)],
  worker: { lease: '1s', poll: '200ms', concurrency: 8 },
});
