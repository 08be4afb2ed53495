/** The embedded store: one file, full durability, no server. */
export { sqlite } from './stores/sqlite/sqlite.ts';
