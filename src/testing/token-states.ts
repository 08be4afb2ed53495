/**
 * A flow for every state a token can be in, that gets there by itself within seconds and stays
 * there for as long as a test wants: what an operator may do to it is a table (`runtime/`).
 */
import type { Json } from '../base/json.ts';
import { chain } from '../frontends/chain/chain.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Flow } from '../model/definition.ts';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { Run } from '../runtime/run.ts';
import { broken } from './diary.ts';
import { handIn } from './hand-in.ts';
import type { Lab } from './lab.ts';
import { Gate } from './stage.ts';

/** Handlers that answer only when the test is over. */
export class Held {
  readonly #gates: Gate<string>[] = [];

  readonly hold = (): Promise<string> => {
    const gate = new Gate<string>();
    this.#gates.push(gate);
    return gate.opened;
  };

  readonly fail = (): Promise<string> => this.hold().then(broken);

  get count(): number {
    return this.#gates.length;
  }

  letGo(): void {
    for (const gate of this.#gates.splice(0)) gate.open('late');
  }
}

export interface State {
  readonly flow: (held: Held) => Flow;
  /** The token it is about; the first that is alive if not said. */
  readonly token?: (token: Token) => boolean;
  /** Where it can be moved to, and where it can be run again from. */
  readonly to?: string;
  readonly from?: string;
  readonly prepare?: (run: Run, lab: Lab) => Promise<void>;
  /** What its handlers are at comes to its end, once all are prepared. */
  readonly letsGo?: true;
  /** Of the instance with this number. */
  readonly input?: (n: number) => Json;
  /** Nobody has a hand free for it. */
  readonly busy?: true;
  /** One of its handlers is at work. */
  readonly atWork?: true;
}

const begin = (name: string) => flow(name, { vars: { colour: 'red' } }).set('first', () => ({}));
const waits = (on: string) => (token: Token) => token.wait?.on === on;
const undoes = ({ mode }: Token): boolean => mode === 'compensation';
const GO = { event: 'go', key: () => 'k' } as const;
const later = { maxAttempts: 3, delay: '1h' } as const;

/** Fails the first time in each instance. */
function failing(): (step: { idempotencyKey: string }) => string {
  const failed = new Set<string>();
  return ({ idempotencyKey }) => {
    if (failed.has(idempotencyKey)) return 'worked';
    failed.add(idempotencyKey);
    throw new Error('busy');
  };
}

/** A map whose items wait. */
function mapped(name: string): Flow {
  return begin(name)
    .map('each', { over: ['a', 'b'], limit: 1 }, (b) => b.waitFor('go', GO).step('after', () => 1))
    .step('last', () => 2)
    .end();
}

function approving(name: string): Flow {
  return begin(name)
    .approve('ask', { approvers: ['ann', 'bob'], rule: 'unanimous', submitter: 'cat' })
    .step('last', () => 2)
    .end();
}

const inner = flow('inner').waitFor('go', GO).end();

export const STATES: Readonly<Record<string, State>> = {
  'created link': {
    flow: () => chain('line', 1, ['A', 'B', 'C']),
    token: ({ status }) => status === 'created',
    ...{ to: 'C', from: 'A' },
  },
  ready: {
    flow: () =>
      begin('ready')
        .step('work', () => 1)
        .step('last', () => 2)
        .end(),
    busy: true,
  },
  backoff: {
    token: ({ attempts }) => attempts === 1,
    flow: () =>
      begin('backoff')
        .step('work', failing(), { retry: later })
        .step('last', () => 2)
        .end(),
  },
  executing: {
    atWork: true,
    flow: ({ hold }) =>
      begin('executing')
        .step('work', hold)
        .step('last', () => 2)
        .end(),
  },
  time: {
    token: waits('time'),
    flow: () =>
      begin('time')
        .sleep('nap', '1h')
        .step('last', () => 2)
        .end(),
  },
  message: {
    token: waits('message'),
    flow: () =>
      begin('message')
        .waitFor('go', GO)
        .step('last', () => 2)
        .end(),
  },
  first: {
    token: waits('first'),
    flow: () =>
      begin('first')
        .firstOf('one', { a: GO, b: { after: '1h' } })
        .step('last', () => 2)
        .end(),
  },
  child: {
    token: waits('child'),
    flow: () =>
      begin('child')
        .call('ask', inner, null)
        .step('last', () => 2)
        .end(),
  },
  join: {
    flow: () =>
      begin('join')
        .parallel('both', { a: (b) => b.set('quick', () => ({})), b: (b) => b.waitFor('go', GO) })
        .step('last', () => 2)
        .end(),
    token: waits('join'),
  },
  inclusive: {
    flow: () =>
      begin('inclusive')
        .choose(
          'many',
          {
            a: { when: () => true, do: (b) => b.set('quick', () => ({})) },
            b: { when: () => true, do: (b) => b.waitFor('go', GO) },
          },
          { otherwise: (b) => b.set('none', () => ({})), many: true },
        )
        .step('last', () => 2)
        .end(),
    token: waits('inclusive'),
  },
  scope: {
    flow: () =>
      begin('scope')
        .scope('in', (s) => s.waitFor('go', GO))
        .step('last', () => 2)
        .end(),
    token: waits('scope'),
  },
  map: {
    flow: () => mapped('map'),
    token: waits('scope'),
  },
  item: {
    flow: () => mapped('item'),
    token: ({ node }) => node === 'each/:item',
    to: 'each/:item',
    from: 'each/:item',
  },
  'inside an item': {
    flow: () => mapped('inside-an-item'),
    token: waits('message'),
    ...{ to: 'after', from: 'go' },
  },
  task: {
    token: waits('task'),
    flow: () =>
      begin('task')
        .task('look', { assignee: 'ann' })
        .step('last', () => 2)
        .end(),
  },
  approval: {
    token: waits('task'),
    flow: () => approving('approval'),
  },
  'approval returned': {
    token: waits('task'),
    flow: () => approving('approval-returned'),
    prepare: async (run, lab) => {
      const [token] = await run.tokens();
      const ask = { do: 'decide', decision: 'revise', by: 'ann', groups: [] } as const;
      await handIn(lab, run.id, token?.id as TokenId, ask);
    },
  },
  saga: {
    atWork: true,
    flow: ({ hold }) =>
      begin('saga')
        .scope('in', (s) => s.step('one', () => 1, { undo: hold }).step('bad', broken), {
          saga: 'scope',
        })
        .step('last', () => 2)
        .end(),
    token: waits('saga'),
  },
  incident: {
    token: waits('incident'),
    flow: () =>
      begin('incident')
        .step('work', failing(), { onFailure: 'incident' })
        .step('last', () => 2)
        .end(),
  },
  undoing: {
    atWork: true,
    flow: ({ hold }) =>
      begin('undoing')
        .step('one', () => 1, { undo: hold })
        .step('last', broken)
        .end(),
    token: undoes,
  },
  'undoing later': {
    flow: () =>
      begin('undoing-later')
        .step('one', () => 1, { undo: { do: failing(), retry: later } })
        .step('last', broken)
        .end(),
    token: (token) => undoes(token) && token.attempts === 1,
  },
  'undoing incident': {
    flow: () =>
      flow('undoing-incident', { onUndoFailure: 'halt', vars: { colour: 'red' } })
        .set('first', () => ({}))
        .step('one', () => 1, { undo: broken })
        .step('last', broken)
        .end(),
    token: (token) => undoes(token) && token.wait?.on === 'incident',
  },
  draining: {
    atWork: true,
    flow: ({ hold }) =>
      begin('draining')
        .race('run', {
          slow: (b) => b.step('slow', hold, { undo: () => null }),
          quick: (b) => b.sleep('nap', '1s'),
        })
        .waitFor('go', GO)
        .step('last', () => 2)
        .end(),
    token: ({ node }) => node === 'slow',
  },
  suspended: {
    flow: () =>
      begin('suspended')
        .waitFor('go', GO)
        .step('last', () => 2)
        .end(),
    prepare: (run) => run.suspend(),
  },
  'suspended at work': {
    atWork: true,
    flow: ({ hold }) =>
      begin('suspended-at-work')
        .step('work', hold)
        .step('last', () => 2)
        .end(),
    prepare: (run) => run.suspend(),
  },
  'failed suspended': {
    atWork: true,
    flow: ({ fail }) =>
      begin('failed-suspended')
        .step('work', fail)
        .step('last', () => 2)
        .end(),
    prepare: (run) => run.suspend(),
    letsGo: true,
    token: waits('incident'),
  },
  'in a lane': {
    atWork: true,
    flow: ({ hold }) =>
      flow<{ n: number }, { colour: string }>('in-a-lane', {
        limit: { concurrency: 1, by: 'input.n' },
        vars: { colour: 'red' },
      })
        .set('first', () => ({}))
        .parallel('both', {
          a: (b) => b.step('held', hold),
          b: (b) => b.step('work', () => 1),
        })
        .step('last', () => 2)
        .end(),
    input: (n) => ({ n }),
    token: ({ node }) => node === 'work',
    to: 'work',
  },
  completed: {
    flow: () =>
      begin('completed')
        .step('last', () => 2)
        .end(),
  },
  failed: { flow: () => begin('failed').step('last', failing()).end() },
  canceled: {
    flow: () =>
      begin('canceled')
        .waitFor('go', GO)
        .step('last', () => 2)
        .end(),
    prepare: (run) => run.cancel(),
  },
};
