/** Ports of this machine that nobody else uses, as the operating system hands them out. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { assert } from '../base/assert.ts';

/** Begins to listen, for this machine only, and says where. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object', 'a server that listens has a port');
  return address.port;
}

/** Free at this moment. Whoever wants it has to reckon with being too late. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenLocally(server);
  server.close();
  await once(server, 'close');
  return port;
}
