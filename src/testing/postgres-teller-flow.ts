/** Two entries, one after the other, each in a transaction with its step. */
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { Tx } from '../model/tx.ts';

/** `statement` puts one text into a table of the test's own. */
export function tellerFlow(statement: string): Flow<string, readonly string[]> {
  const put = async (tx: Tx, entry: string): Promise<string> => {
    await tx.query(statement, [entry]);
    return entry;
  };
  return flow<string>('teller')
    .step('first', ({ tx, input }) => put(tx, `${input} first`), { transactional: true })
    .step('second', ({ tx, input }) => put(tx, `${input} second`), { transactional: true })
    .end(({ results }) => [results.first, results.second]);
}
