/** A type of message together with the type of its data. */
declare const carries: unique symbol;

export interface EventType<Data> {
  readonly type: string;
  readonly [carries]?: Data;
}

/** Names a type of message once, with the type of its data, for those who send and who wait. */
export function event<Data>(type: string): EventType<Data> {
  return Object.freeze({ type });
}
