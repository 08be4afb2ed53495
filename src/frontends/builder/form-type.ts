/** A form together with the type of what people fill in. */
import type { Json, JsonObject } from '../../base/json.ts';

declare const fills: unique symbol;

/** A JSON Schema; only the compiler knows more of it. */
export interface Form<Output> extends JsonObject {
  readonly [fills]?: Output;
}

/** Gives a JSON Schema the type of the values that fit it: what it says, nobody checks again. */
export function form<Output = Json>(schema: object): Form<Output> {
  return schema as Form<Output>;
}
