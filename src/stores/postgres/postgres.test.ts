import { afterAll } from 'vitest';
import { SharedPostgres } from '../../testing/postgres-shared.ts';
import { storeSuite } from '../../testing/store-suite.ts';

const shared = new SharedPostgres();
afterAll(() => shared.close());

storeSuite('the Postgres store', (clock) => shared.storeFor(clock));
