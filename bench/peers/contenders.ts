/**
 * Who takes part, and with what. Loaded by name in the process that runs it, so that nobody carries
 * the code of the others. Which numbers of lanes are tried is said here for each: the one that does
 * best in a lap before the race is the one it races with. A quick run takes the first, which is the
 * one that did best before.
 */
import type { OpenContender } from './contender.ts';

export type ContenderName =
  | 'perdure-postgres'
  | 'perdure-sqlite'
  | 'dbos'
  | 'openworkflow-postgres'
  | 'openworkflow-sqlite'
  | 'graphile'
  | 'pg-boss'
  | 'bpmn'
  | 'ceiling-postgres'
  | 'ceiling-sqlite';

export interface Entry {
  readonly title: string;
  readonly keepsIn: 'postgres' | 'sqlite' | 'memory';
  /** For whoever reads the tables. */
  readonly settings: string;
  /** Numbers of flows under way at a time that are tried. */
  readonly lanes: readonly number[];
  /** Those it drains a backlog with, where these are others. */
  readonly drainLanes?: number;
  readonly load: () => Promise<OpenContender>;
}

export const CONTENDERS: Readonly<Record<ContenderName, Entry>> = {
  'perdure-postgres': {
    title: 'Perdure, Postgres',
    keepsIn: 'postgres',
    settings:
      'defaults (pool of 10, durability full); concurrency of the worker = lanes, 256 in drains',
    lanes: [512, 256],
    drainLanes: 256,
    load: async () => (await import('./contenders/perdure.ts')).openOnPostgres,
  },
  'perdure-sqlite': {
    title: 'Perdure, SQLite',
    keepsIn: 'sqlite',
    settings: 'defaults (durability full); concurrency of the worker = lanes',
    lanes: [256],
    load: async () => (await import('./contenders/perdure.ts')).openOnSqlite,
  },
  dbos: {
    title: 'DBOS, Postgres',
    keepsIn: 'postgres',
    settings: 'startWorkflow in process, pool of 10; for (c) its queue, polled every 100 ms',
    lanes: [64, 256],
    load: async () => (await import('./contenders/dbos.ts')).openDbos,
  },
  'openworkflow-postgres': {
    title: 'OpenWorkflow, Postgres',
    keepsIn: 'postgres',
    settings: 'pool of 20; concurrency of the worker = lanes',
    lanes: [64, 16, 256],
    load: async () => (await import('./contenders/openworkflow.ts')).openOnPostgres,
  },
  'openworkflow-sqlite': {
    title: 'OpenWorkflow, SQLite',
    keepsIn: 'sqlite',
    settings: 'concurrency of the worker = lanes',
    lanes: [16, 64],
    load: async () => (await import('./contenders/openworkflow.ts')).openOnSqlite,
  },
  graphile: {
    title: 'graphile-worker, Postgres',
    keepsIn: 'postgres',
    settings: '24 jobs at a time, local queue of 1000, completions batched; for (h) no batches',
    lanes: [1_000],
    load: async () => (await import('./contenders/graphile.ts')).openGraphile,
  },
  'pg-boss': {
    title: 'pg-boss, Postgres',
    keepsIn: 'postgres',
    settings: '2 loops of fetch and complete, batches of 5000; for (h) work with NOTIFY',
    lanes: [5_000],
    load: async () => (await import('./contenders/pg-boss.ts')).openPgBoss,
  },
  bpmn: {
    title: 'bpmn-engine, in memory',
    keepsIn: 'memory',
    settings: 'parsed once, one engine per run',
    lanes: [4, 1],
    load: async () => (await import('./contenders/bpmn.ts')).openBpmn,
  },
  'ceiling-postgres': {
    title: 'ceiling, Postgres',
    keepsIn: 'postgres',
    settings: 'unnest in prepared statements, one transaction per batch, 2 connections',
    lanes: [1_000, 256],
    load: async () => (await import('./contenders/ceiling.ts')).openCeilingOnPostgres,
  },
  'ceiling-sqlite': {
    title: 'ceiling, SQLite',
    keepsIn: 'sqlite',
    settings: 'prepared statements, one transaction per batch',
    lanes: [256, 1_000],
    load: async () => (await import('./contenders/ceiling.ts')).openCeilingOnSqlite,
  },
};
