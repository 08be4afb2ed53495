/** A type of message together with the type of its data. */
declare const carries: unique symbol;

export interface EventType<Data> {
  readonly type: string;
  readonly [carries]?: Data;
}

/** Of an object that is no type of message itself, though it may name one. */
export interface NoEventType {
  readonly [carries]?: never;
}

/** Names a type of message once, with the type of its data, for those who send and who wait. */
export function event<Data>(type: string): EventType<Data> {
  return Object.freeze({ type });
}
