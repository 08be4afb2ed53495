/**
 * How a server that listens comes to its end: what is under way is answered, connections that are
 * of no more use are closed, and whoever does not read its answer is cut off after a while.
 */
import type { Server } from 'node:http';

/** To be called before anything is asked; gives what closes the server. */
export function closing(server: Server, msMax: number): () => Promise<void> {
  let isClosing = false;
  server.on('request', (_request, response) => {
    // A client would keep the connection for its next request, which nobody would answer.
    response.once('close', () => {
      if (isClosing) server.closeIdleConnections();
    });
  });
  return () => {
    isClosing = true;
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
