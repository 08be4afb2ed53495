/** The search box: the same question as the address, as words that can be typed. */
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useCommand } from '../shell/commands.ts';
import { go, to } from '../shell/routing.tsx';
import { type Sought } from './sought.ts';
import { readWords, writeWords } from './words.ts';

const EXAMPLE = 'flow:order status:failed error:bank.* created:24h sku=A1';
const HINT =
  'Plain text is a business key or an id. Words: flow: version: status: key: tenant: ' +
  'created:24h ended:2026-01-01..2026-02-01 error:bank.* node: says:"…" is:stalled name=value';

interface SearchBoxProps {
  readonly sought: Sought;
  readonly onSeek: (sought: Sought) => void;
}

export function SearchBox({ sought, onSeek }: SearchBoxProps): ReactNode {
  const written = writeWords(sought);
  const [draft, setDraft] = useState(written);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const hint = useId();
  // Said elsewhere, by a chip or by going back: the box says it, too.
  useEffect(() => {
    setDraft(written);
    setProblems([]);
  }, [written]);
  useCommand({
    ...{ label: 'Search instances', group: 'Instances', keys: '/' },
    run: () => input.current?.select(),
  });
  const seek = (event: FormEvent): void => {
    event.preventDefault();
    const said = readWords(draft);
    setProblems(said.problems);
    if (said.problems.length > 0) return;
    if (said.id !== null) go(to('instances', said.id));
    else onSeek(said.sought);
  };
  return (
    <form className="seek" role="search" onSubmit={seek}>
      <div className="seek-box">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          aria-label="Search instances"
          aria-describedby={hint}
          aria-invalid={problems.length > 0}
          placeholder={EXAMPLE}
          spellCheck={false}
          autoComplete="off"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        {draft === written ? null : (
          <button type="submit" className="button small primary">
            Search
          </button>
        )}
      </div>
      <p id={hint} className={problems.length > 0 ? 'field-problem' : 'seek-hint'} role="status">
        {problems.length > 0 ? problems.join(' ') : HINT}
      </p>
    </form>
  );
}
