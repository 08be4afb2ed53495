/** The store for production: one Postgres database, any number of processes. */
export type { PostgresOptions } from './stores/postgres/options.ts';
export { postgres } from './stores/postgres/postgres.ts';
export { clientOf } from './stores/postgres/transactions.ts';
