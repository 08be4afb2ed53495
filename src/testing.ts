/** The test kit: an engine in memory on a clock that only the test moves. */
export type { Chaos } from './testing/chaos-store.ts';
export {
  createTestEngine,
  type TestEngine,
  type TestEngineOptions,
} from './testing/test-engine.ts';
