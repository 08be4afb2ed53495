/**
 * A transaction of the user's, as the engine and handlers see it: what `pg` calls a client. That of
 * another library becomes one in a line or two (examples/).
 */
export interface Tx {
  query(text: string, values?: unknown[]): PromiseLike<{ rows: Record<string, unknown>[] }>;
}
