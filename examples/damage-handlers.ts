/**
 * What the activities of `damage.json` do, by their types:
 *
 *     perdure run examples/damage.json --handlers examples/damage-handlers.ts --skip-time \
 *       --input '{"amount":1200}'
 *
 * A claim that is unclear is asked about and assessed once more; both ways out of that meet again
 * where it is closed, whether or not there was something to pay.
 */
import { type ActivityHandler, outcome } from 'perdure/flowchart';

const assess: ActivityHandler = ({ input, results }) => {
  const { amount } = input as { amount: number };
  if (amount > 1_000 && results['ask'] === undefined) return outcome('Unclear');
  return outcome(amount > 5_000 ? 'Refused' : 'Granted', { amount });
};

const pay: ActivityHandler<{ currency: string }> = ({ config, results }) => {
  const { amount } = results['assess'] as { amount: number };
  return `${amount} ${config.currency}`;
};

const note: ActivityHandler = ({ activity }) => `${activity}: noted`;

export const handlers = { assess, pay, note };
