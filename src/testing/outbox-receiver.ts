/**
 * A receiver of webhooks that is as bad as they come, as a program of its own: it answers with
 * errors, not at all, half, or not any more once it has taken an event. What it saw it writes down
 * before it answers, and what it took it remembers when it is started again.
 *
 *     node src/testing/outbox-receiver.ts PORT LEDGER
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { assert } from '../base/assert.ts';
import type { Said } from './outbox-flow.ts';
import { hear, say, sayAtWork } from './program-side.ts';

/** What it does about one request. In all of these but `take` and `mute` the event is not taken. */
type Fate = 'take' | 'mute' | 'error' | 'hang' | 'half' | 'elsewhere' | 'busy' | 'refused' | 'gone';

export interface LedgerLine {
  readonly fate: Fate;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What each event meets with first, by a number made of it; after that it is taken. */
const FATES: readonly (readonly Fate[])[] = [
  [],
  ['error'],
  ['half', 'error'],
  ['mute'],
  ['elsewhere', 'mute'],
  ['busy', 'half'],
  ['hang'],
];

const [port = '', ledger = ''] = process.argv.slice(2);
assert(port !== '' && ledger !== '', 'a port and a file are named');

const seen = new Map<string, number>();
if (existsSync(ledger)) {
  for (const line of readFileSync(ledger, 'utf8').split('\n').filter(Boolean)) {
    note((JSON.parse(line) as LedgerLine).body);
  }
}
let isHealed = false;
hear((line) => {
  isHealed = line === 'heal';
  say('healed');
});

createServer((request, response) => void receive(request, response)).listen(
  Number(port),
  '127.0.0.1',
  sayAtWork,
);

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request).catch(() => '');
  if (body === '') return;
  const fate = fateOf(body);
  note(body);
  appendFileSync(ledger, `${JSON.stringify({ fate, headers: request.headers, body })}\n`);
  const { id } = JSON.parse(body) as { id: string };
  if (fate === 'take' || fate === 'mute') say(`took ${id}`);
  else say(`${fate} ${id}`);
  answer(fate, response);
}

function note(body: string): void {
  const { id } = JSON.parse(body) as { id: string };
  seen.set(id, (seen.get(id) ?? 0) + 1);
}

function fateOf(body: string): Fate {
  const { id, data } = JSON.parse(body) as { id: string; data: Said };
  if (isHealed) return 'take';
  if (data.trouble !== 'none') return data.trouble;
  const fates = FATES[(data.number * 3 + data.seq) % FATES.length] ?? [];
  return fates[seen.get(id) ?? 0] ?? 'take';
}

function answer(fate: Fate, response: ServerResponse): void {
  switch (fate) {
    case 'hang':
      return;
    case 'mute':
      // It has the event, and whoever sent it will never know.
      response.destroy();
      return;
    case 'half':
      response.socket?.end('HTTP/1.1 200 O');
      return;
    case 'elsewhere':
      response.writeHead(302, { location: `http://127.0.0.1:${port}/other` }).end();
      return;
    case 'busy':
      response.writeHead(503, { 'retry-after': '0' }).end();
      return;
    case 'take':
      response.writeHead(204).end();
      return;
    default: {
      const status = { error: 500, refused: 400, gone: 410 }[fate];
      response.writeHead(status).end(`this is ${fate}`);
    }
  }
}
