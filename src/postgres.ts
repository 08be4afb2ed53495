/** The store for production: one Postgres database, any number of processes. */
export { postgres, type PostgresOptions } from './stores/postgres/postgres.ts';
export { clientOf } from './stores/postgres/transactions.ts';
