/**
 * A chain for the command line, with the handlers its steps need: goods that come back are
 * received, looked at, and refunded once the bank says so.
 *
 *     perdure run examples/returns.ts --id return-7 --key return-7 --input '{"price":42}'
 *     perdure publish refund.done --key return-7 --data '{"amount":42}'
 */
import { chain, type ChainHandlers, completed, dead, waiting } from 'perdure';

export const returns = chain<{ price: number; refunded?: number }>('return', 1, [
  'RECEIVE',
  'INSPECT',
  'REFUND',
]);

export const handlers: ChainHandlers = {
  RECEIVE: () => completed(),
  INSPECT: ({ context }) => (context['price'] > 0 ? completed() : dead('nothing to refund')),
  REFUND: ({ context, wake, event, taskType }) => {
    if (taskType === 'WAITING_TIMEOUT') return dead('the bank is silent');
    if (wake.reason !== 'event') return waiting('refund.done', '7d');
    context['refunded'] = (event as { amount: number }).amount;
    return completed();
  },
};
