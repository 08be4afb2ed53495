/**
 * One Postgres server for a whole run of the tests, which ask for its address with
 * `inject('postgres')`; or the server that DATABASE_URL names, if it names one.
 *
 * It starts even if no test of the run needs it: it takes less than a second, and a run that finds
 * out late that there is no server would be worse than one that says so at once.
 */
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { PostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the server is: `postgres://…`. Its user may create schemas and databases. */
    readonly postgres: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '') {
    await checkThatItAnswers(given);
    project.provide('postgres', given);
    return async () => {};
  }
  const server = await startServer();
  project.provide('postgres', server.url());
  return () => server.stop();
}

async function checkThatItAnswers(url: string): Promise<void> {
  const client = new Client(url);
  try {
    await client.connect();
    await client.end();
  } catch (cause) {
    const advice = 'start that server, or unset DATABASE_URL and the tests start one of their own';
    throw new Error(`DATABASE_URL is set, but nobody can connect there; ${advice}`, { cause });
  }
}

async function startServer(): Promise<PostgresServer> {
  try {
    return await PostgresServer.start();
  } catch (cause) {
    const advice =
      'run "npm install" in the checkout and "npm rebuild" if install scripts were off, ' +
      'or set DATABASE_URL to a server the tests may use';
    throw new Error(`the tests need Postgres and could not start it; ${advice}`, { cause });
  }
}
