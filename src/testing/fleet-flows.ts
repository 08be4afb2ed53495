/**
 * The flows that a fleet of processes works on while it is killed: one for each way in which a
 * token comes to rest. Every handler says what it does before it returns, to a ledger that the
 * engine knows nothing of.
 */
import { flow } from '../frontends/builder/flow.ts';
import type { HandlerTools } from '../frontends/builder/views.ts';
import type { Flow } from '../model/definition.ts';
import { Fatal } from '../runtime/fatal.ts';

export interface Errand {
  readonly flow: string;
  /** The id and the business key of the instance. */
  readonly key: string;
  /** How long each of its handlers takes. */
  readonly takesMs: number;
  /** Whether its saga has something to undo. */
  readonly fails: boolean;
}

/** One execution of a handler. */
export interface LedgerLine {
  readonly key: string;
  readonly step: string;
  readonly idempotencyKey: string;
  readonly attempt: number;
}

/** What must have come of an errand. */
export interface Expected {
  /** Every step that is run, as often as it is entered. */
  readonly steps: readonly string[];
  /** Whatever has a result, as often as it has one. */
  readonly results: readonly string[];
  readonly output: unknown;
}

type Tools = HandlerTools & { readonly input: Errand };

export const ANSWER = 'answer';

export const FLOW_NAMES: readonly string[] = [
  'sequence',
  'parallel',
  'loop',
  'saga',
  'timer',
  'message',
];

export function fleetFlows(note: (line: LedgerLine) => void): readonly Flow[] {
  const says = (step: string, { input, idempotencyKey, attempt }: Tools): string => {
    note({ key: input.key, step, idempotencyKey, attempt });
    return `${step} of ${input.key}`;
  };
  const does = (step: string) => (tools: Tools) => after(tools, () => says(step, tools));
  const sequence = flow<Errand>('sequence')
    .step('one', does('one'))
    .step('two', does('two'))
    .step('three', does('three'))
    .end(({ results }) => [results.one, results.two, results.three]);
  const parallel = flow<Errand>('parallel')
    .parallel('fork', {
      left: (b) => b.step('left', does('left')),
      right: (b) => b.step('right', does('right')),
    })
    .step('both', does('both'))
    .end(({ results }) => [results.left, results.right, results.both]);
  const loop = flow<Errand>('loop')
    .repeat('thrice', { times: 3 }, (b) => b.step('pass', does('pass')))
    .end(({ results }) => results.pass);
  const saga = flow<Errand>('saga')
    .step('book', does('book'), { undo: does('unbook') })
    .step('pay', async (tools) => {
      const said = await does('pay')(tools);
      if (tools.input.fails) throw new Fatal('the card is not taken');
      return said;
    })
    .end(({ results }) => [results.book, results.pay]);
  const timer = flow<Errand>('timer')
    .step('before', does('before'))
    .sleep('nap', '100ms')
    .step('after', does('after'))
    .end(({ results }) => [results.before, results.after]);
  const message = flow<Errand>('message')
    .step('ask', does('ask'))
    .waitFor('heard', { event: ANSWER })
    .step('thank', does('thank'))
    .end(({ results }) => [results.ask, results.heard, results.thank]);
  return [sequence, parallel, loop, saga, timer, message];
}

/** At once where it takes no time: a step without a promise is another way through the engine. */
function after<Value>({ input }: Tools, act: () => Value): Value | Promise<Value> {
  if (input.takesMs === 0) return act();
  return new Promise((resolve) => void setTimeout(() => resolve(act()), input.takesMs));
}

export function expectedOf({ flow: name, key, fails }: Errand): Expected {
  const all = (...steps: readonly string[]): Expected => ({
    steps,
    results: steps,
    output: steps.map((step) => `${step} of ${key}`),
  });
  switch (name) {
    case 'sequence':
      return all('one', 'two', 'three');
    case 'parallel':
      return all('left', 'right', 'both');
    case 'loop':
      return { ...all('pass', 'pass', 'pass'), output: `pass of ${key}` };
    case 'saga':
      return fails
        ? { steps: ['book', 'pay', 'unbook'], results: ['book'], output: null }
        : all('book', 'pay');
    case 'timer':
      return all('before', 'after');
    default:
      return {
        steps: ['ask', 'thank'],
        results: ['ask', 'heard', 'thank'],
        output: [`ask of ${key}`, `${ANSWER} to ${key}`, `thank of ${key}`],
      };
  }
}
