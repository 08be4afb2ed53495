/** From the call that sends a message to the first line of the handler that it is for, alone. */
import type { ContenderName } from '../contenders.ts';
import { spreadOf } from '../../measure.ts';
import { type House, quantileOf } from '../house.ts';
import { aloneInTurn, quantileTable } from './latency.ts';

const RUNNERS: readonly ContenderName[] = [
  'perdure-postgres',
  'perdure-sqlite',
  'graphile',
  'pg-boss',
  'dbos',
];

export async function messages(house: House): Promise<void> {
  const { times } = house.sizes;
  const found = await aloneInTurn(house, RUNNERS, async (side) => {
    return (await side.ask({ do: 'messages', times })).ms;
  });
  house.report.table('(h) A message, from sending to its handler, ms', quantileTable(found));
  for (const [contender, rounds] of found) {
    const middles = spreadOf(rounds.map((ms) => quantileOf(ms, 0.5)));
    house.report.rate(`${contender}-message-ms`, middles.median);
  }
  house.report.note(
    'Messages: Perdure publishes to a flow that waits, whose next step is the handler; DBOS ' +
      'sends to a workflow in `recv`; graphile-worker adds a job; pg-boss sends one to a worker ' +
      'that is told by NOTIFY.',
  );
}
