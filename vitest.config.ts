import { configDefaults, defineConfig } from 'vitest/config';
import manifest from './package.json' with { type: 'json' };
import { SummaryReporter } from './scripts/summary-reporter.ts';

/** `perdure/sqlite` and its like mean the sources here, as they do for tsc and for Node. */
const doors = Object.entries(manifest.exports).flatMap(([door, target]) =>
  typeof target === 'string'
    ? []
    : [
        {
          find: new RegExp(`^perdure${door.slice(1)}$`),
          replacement: new URL(target['perdure-source'], import.meta.url).pathname,
        },
      ],
);

/**
 * Whose tests share two processes, one file after the other, and read the sources once in each: a
 * process of its own costs a file more than a second of processor time (2026-11). Nothing there
 * keeps anything between two engines, and what a test changes of the process it puts back.
 */
const ROOMS = [
  ...['base', 'calls', 'cli', 'client', 'compile', 'drawing', 'expressions', 'frontends'],
  ...['kernel', 'model', 'nodes', 'runtime', 'server', 'stores'],
];
const SHARING = [`src/{${ROOMS.join()}}/**/*.test.ts`, '{conformance,docs}/**/*.test.ts'];

export default defineConfig({
  resolve: { alias: doors },
  test: {
    // The threads of the stores without their types; one Postgres for the whole run, or the one
    // that DATABASE_URL names.
    globalSetup: ['src/testing/threads-setup.ts', 'src/testing/postgres-setup.ts'],
    // Processes, not threads: the SQLite store has worker threads of its own, and some tests kill.
    pool: 'forks',
    // Many tests wait for processes they have started; by itself vitest leaves one core to others.
    maxWorkers: 2,
    // Long enough for a thousand random flows on a slow and busy machine; no test waits for time.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    reporters: ['default', new SummaryReporter()],
    // By name: first those with a process for each file, then the many small ones fill both cores.
    projects: [
      {
        test: {
          name: 'alone',
          include: ['{src,studio,sim,examples,scripts}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SHARING],
        },
      },
      {
        test: {
          name: 'sharing',
          include: SHARING,
          isolate: false,
          setupFiles: ['src/testing/shared-process-setup.ts'],
        },
      },
    ],
  },
});
