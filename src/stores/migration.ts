/** One step forward of a database's schema. They are numbered in a row, and never changed. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
}
