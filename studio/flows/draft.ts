/** What somebody writes and has not deployed: kept for this window, so that nothing is lost. */
import { useState } from 'react';

export type Language = 'serverless' | 'flowchart';

export interface Draft {
  readonly language: Language;
  readonly text: string;
}

/** Something that runs, to begin with. */
export const EXAMPLES: Readonly<Record<Language, string>> = {
  serverless: `document:
  dsl: '1.0.3'
  namespace: examples
  name: hello
  version: '0.1.0'
do:
  - greet:
      set:
        text: \${ "Hello, " + .name }
`,
  flowchart: `{
  "id": "hello",
  "version": 1,
  "start": "greet",
  "activities": [{ "id": "greet", "type": "greet" }],
  "connections": []
}
`,
};

interface Kept {
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  readonly forget: () => void;
  /** It was written before, and not deployed. */
  readonly isOld: boolean;
}

function read(place: string): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

export function useDraft(name: string, first: Draft): Kept {
  const place = `perdure.draft ${name}`;
  const [kept] = useState(() => read(place));
  const [draft, setDraft] = useState(kept ?? first);
  const isOld = kept !== null && draft.text === kept.text && draft.text !== first.text;
  return {
    draft,
    isOld,
    setDraft: (next) => {
      setDraft(next);
      sessionStorage.setItem(place, JSON.stringify(next));
    },
    forget: () => sessionStorage.removeItem(place),
  };
}
