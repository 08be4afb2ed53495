/**
 * Flows for tests of the HTTP API: something of everything a route is about. Nothing in them runs
 * by itself, so that an instance stays where it is until somebody asks for more.
 */
import type { Json } from '../base/json.ts';
import { flow } from '../frontends/builder/flow.ts';
import { remote } from '../frontends/builder/remote.ts';
import { chain } from '../frontends/chain/chain.ts';
import { flowchart } from '../frontends/flowchart/flowchart.ts';
import type { Flow } from '../model/definition.ts';

export interface Secret {
  /** What nobody of another tenant may ever read. */
  readonly secret: string;
  /** Who may recall the approval. */
  readonly submitter?: string;
}

const waits = flow<Secret>('waits')
  .waitFor('paid', { event: 'paid' })
  .end(({ input, results }) => ({ input, paid: results.paid }));

const office = flow<Secret>('office')
  .task('fill', { title: ({ input }) => input.secret, data: ({ input }) => input.secret })
  .end();

const board = flow<Secret>('board')
  .approve('release', {
    approvers: ['office'],
    data: ({ input }) => input.secret,
    submitter: ({ input }) => input.submitter ?? 'nobody',
  })
  .end();

const job = flow<Secret>('job')
  .step('work', remote<Json>(), { retry: { maxAttempts: 3, delay: '1m' } })
  .end();

const line = chain<Secret>('line', 1, ['ONE', 'TWO'], { maxAttempts: 2 });

const chart = flowchart<Secret>({
  id: 'chart',
  version: 1,
  activities: [
    { id: 'look', type: 'look' },
    { id: 'seen', type: 'event', config: { type: 'seen' } },
  ],
  connections: [{ from: 'look', to: 'seen' }],
});

export type ApiFlow = 'waits' | 'office' | 'board' | 'job' | 'line' | 'chart';

export const API_FLOWS: readonly Flow[] = [...[waits, office, board, job, line, chart]];
