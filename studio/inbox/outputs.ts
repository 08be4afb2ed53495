/** What is typed where no form says what it should be: JSON if it is, and otherwise text. */
import type { Json } from '../api/shapes.ts';

export interface Typed {
  readonly kind: 'nothing' | 'JSON' | 'text';
  readonly value: Json | undefined;
}

export function typedIn(text: string): Typed {
  if (text.trim() === '') return { kind: 'nothing', value: undefined };
  try {
    return { kind: 'JSON', value: JSON.parse(text) as Json };
  } catch {
    return { kind: 'text', value: text };
  }
}
