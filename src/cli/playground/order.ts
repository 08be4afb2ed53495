/**
 * An order: reserved, approved by two, fulfilled on two ways at once, and paid for. The card "4000"
 * is declined, and then somebody has to do something about it: set the variable `card` to another
 * one and have the step tried again.
 */
import { Fatal, type Flow, flow } from '../../index.ts';

interface Order {
  readonly customer: string;
  readonly items: readonly { readonly sku: string; readonly price: number }[];
  readonly card: string;
}

const INPUT = {
  type: 'object',
  required: ['customer', 'items', 'card'],
  properties: {
    customer: { type: 'string', title: 'Customer', minLength: 1, default: 'Ada' },
    items: {
      type: 'array',
      title: 'Items',
      minItems: 1,
      items: {
        type: 'object',
        required: ['sku', 'price'],
        properties: {
          sku: { type: 'string', title: 'Article', default: 'A1' },
          price: { type: 'number', title: 'Price', minimum: 0, default: 12 },
        },
      },
      default: [{ sku: 'A1', price: 12 }],
    },
    card: {
      type: 'string',
      title: 'Card',
      description: '4000 is declined: mend it in the studio',
      enum: ['4242', '4000'],
      default: '4242',
    },
  },
} as const;

function problemsOf(value: unknown): readonly { readonly message: string }[] {
  const { customer, items, card } = Object(value) as Partial<Order>;
  return [
    ...(typeof customer === 'string' && customer !== '' ? [] : [{ message: 'who buys it?' }]),
    ...(Array.isArray(items) && items.length > 0 ? [] : [{ message: 'an order has items' }]),
    ...(typeof card === 'string' ? [] : [{ message: 'a card is text' }]),
  ];
}

/** A Standard Schema by hand: any library that makes them does as well. */
const schema = {
  '~standard': {
    version: 1,
    vendor: 'perdure',
    validate: (value: unknown) => {
      const issues = problemsOf(value);
      return issues.length === 0 ? { value: value as Order } : { issues };
    },
    jsonSchema: { input: () => INPUT, output: () => INPUT },
  },
} as const;

export const order: Flow = flow('order', {
  version: 1,
  input: schema,
  vars: { card: '' },
  onFailure: 'incident',
  search: ['input.customer'],
})
  .step(
    'reserve',
    ({ input, log }) => {
      log.info('looking for a shelf', { items: input.items.length });
      return { shelf: `S-${input.items.length}` };
    },
    { undo: ({ log }) => log.info('the shelf is free again') },
  )
  .approve('release', {
    approvers: ['finance', 'legal'],
    rule: 'unanimous',
    timeout: '7d',
    data: ({ input }) => input,
  })
  .parallel('fulfil', {
    goods: (b) =>
      b
        .map('pack', { over: ({ input }) => input.items, limit: 2 }, (item) =>
          item.step('wrap', ({ item: { sku }, log }) => {
            log.info(`wrapping ${sku}`);
            return `${sku}, wrapped`;
          }),
        )
        .step('ship', () => ({ tracking: 'T-4711' })),
    paper: (b) => b.sleep('cool-off', '5s').step('invoice', ({ input }) => total(input)),
  })
  .step(
    'charge',
    ({ input, vars, log }) => {
      const card = vars.card === '' ? input.card : vars.card;
      log.info('asking the bank', { card });
      if (card === '4000') throw new Fatal(`the card ${card} was declined`);
      return { charged: total(input) };
    },
    { undo: ({ log }) => log.info('the money is back') },
  )
  .task('thank', {
    title: 'Thank the customer',
    candidates: { groups: ['service'] },
    data: ({ input }) => ({ customer: input.customer }),
    form: {
      type: 'object',
      required: ['words'],
      properties: {
        words: { type: 'string', title: 'What you wrote', minLength: 3, maxLength: 500 },
        gift: { type: 'boolean', title: 'With a gift' },
      },
    },
  })
  .end(({ results }) => ({ tracking: results.ship.tracking, paid: results.charge.charged }));

function total({ items }: Order): number {
  return items.reduce((sum, { price }) => sum + price, 0);
}
