/** Asks the server to stop what a connection is doing: hanging up does not stop a statement. */
import { connect } from 'node:net';
import type pg from 'pg';

/** What the wire protocol calls a CancelRequest: its length and its code, then who is meant. */
const REQUEST_BYTES = 16;
const REQUEST_CODE = 80_877_102;

/** Without an answer, and without harm if it does not arrive or comes too late. */
export function interrupt(client: pg.PoolClient): void {
  const { host, port, processID, secretKey } = client as unknown as Record<string, unknown>;
  if (typeof host !== 'string' || typeof port !== 'number') return;
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return;
  const request = Buffer.alloc(REQUEST_BYTES);
  for (const [at, word] of [REQUEST_BYTES, REQUEST_CODE, processID, secretKey].entries()) {
    request.writeInt32BE(word, at * 4);
  }
  const socket = host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port });
  // The server hangs up once it has heard.
  socket.on('error', () => {}).unref();
  socket.end(request);
}
