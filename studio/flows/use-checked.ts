/** What is wrong with a definition, asked of the server once nobody types any more. */
import { useEffect, useState } from 'react';
import { type Problem, post, problemFrom } from '../api/asking.ts';
import type { Language } from './draft.ts';

export interface Mistake {
  readonly code: string;
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

export interface Checked {
  readonly diagnostics: readonly Mistake[];
  readonly problem: Problem | null;
  readonly isChecking: boolean;
}

interface Answer {
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly span?: { readonly line: number; readonly column: number };
  }[];
}

/** A pause in typing. */
const PAUSE_MS = 250;

export function useChecked(language: Language, text: string): Checked {
  const [checked, setChecked] = useState<Checked>({
    ...{ diagnostics: [], problem: null, isChecking: true },
  });
  useEffect(() => {
    let isMeant = true;
    const tell = (next: Checked): void => {
      if (isMeant) setChecked(next);
    };
    setChecked((old) => ({ ...old, isChecking: true }));
    const timer = setTimeout(() => {
      post<Answer>('/api/definitions/validate', { language, source: text }).then(
        ({ diagnostics }) =>
          tell({ diagnostics: diagnostics.map(mistakeOf), problem: null, isChecking: false }),
        (thrown: unknown) =>
          tell({ diagnostics: [], problem: problemFrom(thrown), isChecking: false }),
      );
    }, PAUSE_MS);
    return () => {
      isMeant = false;
      clearTimeout(timer);
    };
  }, [language, text]);
  return checked;
}

function mistakeOf({ code, message, span }: Answer['diagnostics'][number]): Mistake {
  return { code, message, line: span?.line ?? null, column: span?.column ?? null };
}
