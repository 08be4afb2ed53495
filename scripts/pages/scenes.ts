/**
 * What the pages of the kinds of Serverless Workflow show being run. The definitions are the files
 * of `scenes/`; here stands what each is given, and what happens to it in which order.
 */
import type { Json } from '../../src/base/json.ts';

/** What happens next: time passes, or an event is published. */
export type Happening =
  | { readonly say: string; readonly advance: string }
  | { readonly say: string; readonly publish: { readonly type: string; readonly data: Json } };

export interface Scene {
  readonly input: Json;
  /** What is said before the run. */
  readonly say: string;
  readonly later?: readonly Happening[];
  /** What services answer, one after the other, with the status first. */
  readonly answers?: readonly (readonly [status: number, body: Json | string])[];
  /** Another definition of `scenes/` that it needs. */
  readonly other?: string;
}

const NEWS = {
  asyncapi: '3.0.0',
  info: { title: 'News', version: '1.0.0' },
  servers: { main: { host: 'api.example', protocol: 'https' } },
  channels: { news: { address: '/news' } },
  operations: { hear: { action: 'receive', channel: { $ref: '#/channels/news' } } },
};

export const SCENES: Readonly<Record<string, Scene>> = {
  'sw-aside': {
    input: { price: 5 },
    say:
      'What the extension does stands in a scope of its own before the task. It notes in the ' +
      'context which task has begun, and what it comes to is not the input of the task.',
  },
  'sw-call': {
    input: { sku: 'A1' },
    say:
      'The token is ready for a handler of the engine. The second commit is its answer: the ' +
      'claim, and what the service said.',
    answers: [[200, { left: 7 }]],
  },
  'sw-deadline': {
    input: {},
    say:
      'A listener that may take a minute. What it is for and its deadline rest beside each ' +
      'other.',
    later: [{ say: 'Nobody answers for a minute, and the task fails:', advance: '1m' }],
  },
  'sw-do': { input: { n: 1 }, say: 'Everything is control alone, and so one commit.' },
  'sw-each': {
    input: {},
    say: 'It begins to listen.',
    later: [
      {
        say: 'The first event is heard, and what is to be done for it is done beside the ear:',
        publish: { type: 'news', data: { title: 'One' } },
      },
      {
        say: 'The second is the last; what came of both is the output:',
        publish: { type: 'news', data: { title: 'Two' } },
      },
    ],
  },
  'sw-ear': {
    input: {},
    say: 'It listens from the moment its task began.',
    later: [
      {
        say: 'One vote is not enough, and the ear rests again:',
        publish: { type: 'vote', data: 1 },
      },
      { say: 'The second is:', publish: { type: 'vote', data: 2 } },
    ],
  },
  'sw-emit': {
    input: { sku: 'A1' },
    say: 'The event is written in the commit that passes the task, and published after it.',
  },
  'sw-end': {
    input: {},
    say:
      '`then: end` inside a list leads to a hidden node, which ends everything; the second ' +
      'task is never reached.',
  },
  'sw-fetch': {
    input: {},
    say:
      'A handler makes a round: it reads the document, asks the server, and brings what it ' +
      'heard.',
    answers: [
      [200, NEWS],
      [200, '{"n":1}\n{"n":2}\n'],
    ],
  },
  'sw-for': { input: { list: [2, 3], sum: 0 }, say: 'The list is made once and kept as `$list`.' },
  'sw-fork': {
    input: {},
    say: 'Both branches begin in the first commit; one is done in it, too.',
    later: [{ say: 'A minute later the other is:', advance: '1m' }],
  },
  'sw-leave': {
    input: { list: ['coin', 'key', 'stone'], looked: 0 },
    say:
      'The second item is the one. The switch leads to the hidden node, which notes that the ' +
      'list was left, and there is no third pass.',
  },
  'sw-listen': {
    input: {},
    say: 'The listener opens a region with an ear in it, which rests.',
    later: [
      {
        say: 'The event comes; its data, in a list, is the output:',
        publish: { type: 'payment.received', data: { amount: 12 } },
      },
    ],
  },
  'sw-pass': {
    input: { list: [4, 8, 16], sum: 0 },
    say:
      '`while` is asked before each pass: after the second the sum is over 10, and there is ' +
      'no third.',
  },
  'sw-raise': { input: {}, say: 'Nobody catches it, and the instance fails.' },
  'sw-run': {
    input: {},
    say:
      'It runs a second definition, which is given to the engine as well. The other instance ' +
      'is asked for in the commit, and is told the answer in the next one.',
    other: 'shipment',
  },
  'sw-set': {
    input: { price: 5, count: 3 },
    say: 'The value takes the place of the data: nothing of the input is left.',
  },
  'sw-spread': {
    input: {},
    say: 'Two branches that compete. A hidden node makes a token for each of them.',
    later: [{ say: 'The first to be done ends the other:', advance: '1m' }],
  },
  'sw-switch': { input: { total: 40 }, say: 'No condition holds, so it goes on by the last case.' },
  'sw-try': {
    input: {},
    say:
      'The first answer is a 503, which it catches. The list has failed, and the try waits ' +
      'for a second.',
    answers: [
      [503, 'busy'],
      [200, { left: 7 }],
    ],
    later: [{ say: 'Then it is run again from its beginning:', advance: '1s' }],
  },
  'sw-wait': {
    input: { sku: 'A1' },
    say: 'The moment is fixed when the token comes.',
    later: [{ say: 'An hour later it goes on with its input:', advance: '1h' }],
  },
  'sw-workflow': {
    input: { user: { name: 'Ada' } },
    say:
      'The first node, `/`, makes the input and opens the region of `do`; when that is done, ' +
      'it makes the output.',
  },
};
