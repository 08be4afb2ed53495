/**
 * JSON that a person writes. While it cannot be read the value stays as it was and the field is
 * invalid, which keeps a `<form>` from being sent; what was written stays.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Json } from '../api/shapes.ts';
import { FieldFrame, spoken } from './field-frame.tsx';

export interface JsonFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: Json | undefined;
  readonly onChange: (value: Json | undefined) => void;
  readonly hint?: string | null;
  readonly problems?: readonly string[];
  readonly isRequired?: boolean;
  readonly rows?: number;
}

export type Read =
  | { readonly ok: true; readonly value: Json | undefined }
  | { readonly ok: false; readonly message: string };

/** Nothing written is nothing said. */
export function readJson(text: string): Read {
  if (text.trim() === '') return { ok: true, value: undefined };
  try {
    return { ok: true, value: JSON.parse(text) as Json };
  } catch (thrown) {
    return { ok: false, message: `this is not JSON: ${reasonOf(thrown, text)}` };
  }
}

/** Browsers tell the place as a number of characters; people count lines. */
function reasonOf(thrown: unknown, text: string): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const at = /at position (\d+)/.exec(message)?.[1];
  if (at === undefined) return message.replace(/^JSON\.parse: /, '');
  const before = text.slice(0, Number(at)).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  const what = message.replace(/,? (in JSON )?at position .*$/, '');
  return `${what} at ${place}`;
}

function shownJson(value: Json | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

export function JsonField(props: JsonFieldProps): ReactNode {
  const { id, label, value, onChange, hint = null, problems = [], rows = 4 } = props;
  const { isRequired = false } = props;
  const [text, setText] = useState(() => shownJson(value));
  const box = useRef<HTMLTextAreaElement>(null);
  const read = readJson(text);
  // Another value from outside is written anew; one's own is left as it was written.
  useEffect(() => {
    setText((old) => {
      const own = readJson(old);
      const isOwn = own.ok && JSON.stringify(own.value) === JSON.stringify(value);
      return isOwn ? old : shownJson(value);
    });
  }, [value]);
  const wrong = read.ok ? problems : [read.message];
  useEffect(() => box.current?.setCustomValidity(read.ok ? '' : read.message));
  return (
    <FieldFrame {...{ id, label, hint, isRequired }} problems={wrong}>
      <textarea
        ref={box}
        className="mono json-field"
        spellCheck={false}
        rows={Math.max(rows, Math.min(16, text.split('\n').length))}
        value={text}
        {...spoken(id, hint, wrong, isRequired)}
        onChange={({ target }) => {
          setText(target.value);
          const next = readJson(target.value);
          if (next.ok) onChange(next.value);
        }}
      />
    </FieldFrame>
  );
}
