/**
 * An insurance claim as a flowchart: missing papers are asked for, and it is checked again; a small
 * claim is paid at once, a large one as soon as one of two people has looked at it.
 *
 * Kill it at any moment and run it again, as with the order: it is given a database and a name.
 */
import { createEngine } from 'perdure';
import { type ActivityHandler, flowchart, outcome, waiting } from 'perdure/flowchart';
import { sqlite } from 'perdure/sqlite';

const [, , file = 'claims.db', name = 'claim-1'] = process.argv;

type Claim = { amount: number; papers: boolean };

const claims = flowchart<Claim>({
  id: 'claim',
  version: 1,
  activities: [
    { id: 'check', type: 'check', config: { small: 100 } },
    { id: 'papers', type: 'event', config: { type: 'papers.sent' } },
    { id: 'anna', type: 'review' },
    { id: 'ben', type: 'review' },
    { id: 'pay', type: 'pay', mergeMode: 'race', retry: { maxAttempts: 3, delay: '1s' } },
  ],
  connections: [
    { from: 'check', outcome: 'Incomplete', to: 'papers' },
    { from: 'papers', to: 'check' },
    { from: 'check', outcome: 'Small', to: 'pay' },
    { from: 'check', outcome: 'Large', to: 'anna' },
    { from: 'check', outcome: 'Large', to: 'ben' },
    { from: 'anna', to: 'pay' },
    { from: 'ben', to: 'pay' },
  ],
});

const check: ActivityHandler<{ small: number }, Claim> = ({ input, results, config }) => {
  if (!input.papers && results['papers'] === undefined) return outcome('Incomplete');
  return outcome(input.amount <= config.small ? 'Small' : 'Large', { amount: input.amount });
};

const engine = await createEngine({
  store: sqlite(file),
  flows: [claims],
  handlers: {
    check,
    review: ({ activity, wake, event }) =>
      wake.reason === 'event' ? { by: activity, says: event } : waiting(`review.${activity}`, '7d'),
    'claim/pay': ({ results }) => `paid ${results.check.amount}`,
  },
});
const options = { key: name, id: name, onConflict: 'existing' } as const;
const run = await engine.start(claims, { amount: 500, papers: false }, options);
// Stands for the world outside. What comes before anyone waits for it is kept.
const say = (type: string, data: string) =>
  engine.publish({ type, key: name, id: `${name} ${type}`, data });
await say('papers.sent', 'a receipt');
await say('review.anna', 'fine');
console.log(JSON.stringify(await run.result()));
await engine.close();
