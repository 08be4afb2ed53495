/** Short words about what was done, said aloud to those who do not see them. */
import { type ReactNode, useSyncExternalStore } from 'react';
import { problemFrom } from '../api/asking.ts';
import { Hearers } from './hearers.ts';

interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'problem';
  readonly text: string;
}

/** Long enough to read a sentence. */
const SHOWN_MS = 6_000;

let toasts: readonly Toast[] = [];
let count = 0;
const hearers = new Hearers();

function change(next: readonly Toast[]): void {
  toasts = next;
  hearers.tell();
}

function drop(id: number): void {
  change(toasts.filter((one) => one.id !== id));
}

export function say(text: string, kind: Toast['kind'] = 'done'): void {
  count += 1;
  const id = count;
  change([...toasts.slice(-3), { id, kind, text }]);
  setTimeout(() => drop(id), SHOWN_MS);
}

/** Whatever went wrong, in the words of whoever refused it. */
export function sayProblem(thrown: unknown): void {
  const { code, message } = problemFrom(thrown);
  say(`${message} (${code})`, 'problem');
}

export function Toasts(): ReactNode {
  const all = useSyncExternalStore(hearers.listen, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {all.map(({ id, kind, text }) => (
        <div key={id} className={`toast toast-${kind}`}>
          <span>{text}</span>
          <button type="button" className="toast-close" onClick={() => drop(id)}>
            Dismiss
          </button>
        </div>
      ))}
    </div>
  );
}
