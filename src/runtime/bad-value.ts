/** What a handler hands back must be JSON of a bearable size, and is refused with a code if not. */
import { admitJson, type Json } from '../base/json.ts';
import type { Limits } from '../model/limits.ts';

/** What a handler returned or set cannot be kept. Thrown here, and read as any other fault is. */
export class BadValue extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a value is to be, for the code and the sentence if it cannot be kept. */
export interface Role {
  readonly kind: 'result' | 'variable' | 'context';
  readonly name: string;
}

export function checkValue(value: unknown, { kind, name }: Role, limits: Limits): Json {
  const admitted = admitJson(value);
  if (!admitted.ok) {
    throw new BadValue(`handler.${kind}-not-json`, `${name} is JSON: ${admitted.problem}`);
  }
  const { VALUE_CHARS_MAX } = limits;
  if (isSmall(admitted.value)) return admitted.value;
  const size = JSON.stringify(admitted.value).length;
  if (size <= VALUE_CHARS_MAX) return admitted.value;
  throw new BadValue(
    `handler.${kind}-too-large`,
    `${name} has at most VALUE_CHARS_MAX ${VALUE_CHARS_MAX} characters of JSON; came ${size}`,
  );
}

/** The common results need not be written out just to see that they are short. */
function isSmall(value: Json): boolean {
  return value === null || typeof value === 'number' || typeof value === 'boolean';
}
