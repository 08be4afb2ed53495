/** The health of a Postgres database: its settings, its tables, and who else is at work on it. */
import { assert } from '../../base/assert.ts';
import type { Instant } from '../../model/ids.ts';
import {
  COUNTED_MAX,
  type DiagnoseRequest,
  fail,
  type Health,
  lyingOf,
  type Migrations,
  ok,
  OVERDUE_MS,
  type Symptom,
  symptomsOfWork,
  warn,
} from '../health.ts';
import { type Backlog, readBacklog } from '../backlog.ts';
import { instant } from '../cells.ts';
import type { Row } from '../rows.ts';
import type { StoreClock } from './clock.ts';
import { column, type Driver } from './driver.ts';
import { migrationsIn } from './migrate.ts';
import * as queries from './queries.ts';
import { ALL_SHARDS } from './shard.ts';
import { errorOf } from './trouble.ts';

/** The oldest server that this is tested with. */
const SERVER_MIN = 150_000;
const CONNECTIONS_PART_MAX = 0.8;
/** Longer than this nobody needs one of ours. */
const TRANSACTION_MS_MAX = 5 * 60_000;
/** Dead rows that nobody minds, and of a larger table the part that nobody minds. */
const DEAD_MAX = 100_000;
const DEAD_PART_MAX = 0.5;

export class PostgresHealth implements Health {
  readonly #clock: StoreClock;
  readonly #driver: () => Driver;

  constructor(clock: StoreClock, driver: () => Driver) {
    this.#clock = clock;
    this.#driver = driver;
  }

  async migrations(): Promise<Migrations> {
    return migrationsIn(this.#driver());
  }

  async diagnose({ crashes }: DiagnoseRequest): Promise<readonly Symptom[]> {
    const driver = this.#driver();
    const now = this.#clock.now() as Instant;
    const shards = column(ALL_SHARDS);
    try {
      const [settings, server, tables, long, incidents, crashed, overdue] = await driver.all(
        [queries.own.settings],
        [queries.own.server],
        [queries.own.tables, driver.schema],
        [queries.own.longTransactions, TRANSACTION_MS_MAX],
        [queries.countIncidents, shards, COUNTED_MAX],
        [queries.countCrashed, shards, crashes],
        [queries.overdueWork, shards, now - OVERDUE_MS, COUNTED_MAX],
      );
      return [
        ...settingsIn(settings?.[0] ?? {}),
        ...serverIn(server?.[0] ?? {}),
        deadRows(tables ?? []),
        longTransactions(long?.[0] ?? {}),
        ...symptomsOfWork(lyingOf(now, incidents?.[0], crashed?.[0], overdue ?? [])),
      ];
    } catch (thrown) {
      throw errorOf(thrown, driver.where);
    }
  }

  /** By its indexes, whatever the tables held when it was planned. */
  async backlog(): Promise<Backlog> {
    const driver = this.#driver();
    const ask = [queries.backlog, column(ALL_SHARDS), this.#clock.told, COUNTED_MAX] as const;
    try {
      const [, rows] = await driver.all([queries.own.beginRounds], ask, [queries.own.end]);
      const row = rows?.[0];
      assert(row !== undefined, 'a backlog is always a row');
      return readBacklog(row, instant(row, 'now'));
    } catch (thrown) {
      throw errorOf(thrown, driver.where);
    }
  }
}

function settingsIn({ read_only: readOnly, ...durable }: Row): Symptom[] {
  const off = Object.keys(durable).filter((name) => durable[name] === 'off');
  const said = Object.entries(durable).map(([name, value]) => `${name} ${String(value)}`);
  return [
    off.length === 0
      ? ok('durability', said.join(', '))
      : fail('durability', `${off.join(', ')} off`, 'set it on: what is confirmed may be lost'),
    readOnly === 'on'
      ? fail('writable', 'the database can only be read', 'connect to the primary')
      : ok('writable', 'the database can be written'),
  ];
}

function serverIn({ version, number, standby, most, used }: Row): Symptom[] {
  const busy = `${String(used)} of ${String(most)} connections`;
  const isOld = Number(number) < SERVER_MIN;
  return [
    isOld
      ? warn(
          'server',
          `Postgres ${String(version)}`,
          `${SERVER_MIN / 10_000} is the oldest we test with`,
        )
      : ok('server', `Postgres ${String(version)}`),
    standby === true || standby === 't'
      ? fail('standby', 'the server is a standby', 'connect to the primary')
      : ok('standby', 'the server is the primary'),
    Number(used) > Number(most) * CONNECTIONS_PART_MAX
      ? warn('connections', busy, 'raise max_connections, lower poolSize, or use a pooler')
      : ok('connections', busy),
  ];
}

function deadRows(tables: readonly Row[]): Symptom {
  const bad = tables.filter(({ live, dead }) => {
    return Number(dead) > DEAD_MAX && Number(dead) > Number(live) * DEAD_PART_MAX;
  });
  if (bad.length === 0) {
    const sum = tables.reduce((count, { dead }) => count + Number(dead), 0);
    return ok('bloat', `${sum} dead rows in ${tables.length} tables`);
  }
  const said = bad.map(({ name, dead, cleared }) => {
    const when = cleared === null ? 'never' : new Date(Number(cleared)).toISOString();
    return `${String(name)}: ${String(dead)} dead rows, cleared ${when}`;
  });
  return warn('bloat', said.join('; '), 'let autovacuum run, or run VACUUM on these tables');
}

function longTransactions({ count, longest }: Row): Symptom {
  if (Number(count ?? 0) === 0) return ok('transactions', 'none has been open for long');
  const minutes = Math.round(Number(longest) / 60_000);
  const found = `${String(count)} open for long, one for ${minutes} min`;
  return warn('transactions', found, 'end them: nothing is cleared away behind them');
}
