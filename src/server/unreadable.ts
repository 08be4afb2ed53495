/** What comes over a connection and is no request: Node has given it up, and says why. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { RequestError as UnreadableError } from '@hono/node-server';
import { PROBLEM_TYPE, problemOf, RequestError } from './problem.ts';

/** Answers as any other problem is, as far as there is somebody to answer to. */
export function answerUnreadable(server: Server): void {
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const { problem } = problemOf(requestError(error.code));
    const body = JSON.stringify(problem);
    const head = [
      `HTTP/1.1 ${problem.status} ${problem.title}`,
      `content-type: ${PROBLEM_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

/** The same for what Node took for a request: one whose URL or `Host` names no place. */
export function unreadableResponse(thrown: unknown): Response {
  const isUnreadable = thrown instanceof UnreadableError;
  const { problem } = problemOf(isUnreadable ? requestError(undefined) : thrown);
  const headers = { 'content-type': PROBLEM_TYPE, connection: 'close' };
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

function requestError(code: string | undefined): RequestError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new RequestError('request.headers', 'the headers are over HEADER_BYTES_MAX');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RequestError('request.late', 'the request was not all there in REQUEST_MS_MAX');
    default:
      return new RequestError('request.unreadable', 'this is no HTTP/1.1 request');
  }
}
