/** Plain clients of Postgres for a test: they may break, and all of them are ended after it. */
import { Client, type ClientConfig } from 'pg';

export class PostgresClients {
  readonly #joined: Client[] = [];

  async join(url: string, config: ClientConfig = {}): Promise<Client> {
    const client = new Client({ connectionString: url, ...config });
    // A connection that breaks is no surprise; whoever was waiting for an answer hears of it.
    client.on('error', () => {});
    this.#joined.push(client);
    await client.connect();
    return client;
  }

  /** Whether they end well is not asked: most of them are broken by now. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#joined.splice(0).map((client) => client.end()));
  }
}
