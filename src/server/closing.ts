/**
 * How a server that listens comes to its end: what is under way is answered, connections that are
 * of no more use are closed, and whoever does not read its answer is cut off after a while.
 */
import type { Server } from 'node:http';

/** A client would keep a connection for its next request, which nobody would answer. */
const LAST_WORD_MS = 1;

/** Gives what closes the server. */
export function closing(server: Server, msMax: number): () => Promise<void> {
  return () => {
    // Looked at when an answer has gone out: nothing is asked of requests while they are served.
    server.keepAliveTimeout = LAST_WORD_MS;
    const cut = setTimeout(() => server.closeAllConnections(), msMax);
    const closed = new Promise<void>((resolve) => {
      server.close(() => {
        clearTimeout(cut);
        resolve();
      });
    });
    server.closeIdleConnections();
    return closed;
  };
}
