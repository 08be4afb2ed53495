/** Bytes of a stranger's that are hoped to be an object in JSON. */
import { isJsonObject, type JsonObject, parseJson } from '../../base/json.ts';

export function readObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = parseJson(Buffer.from(bytes).toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}
