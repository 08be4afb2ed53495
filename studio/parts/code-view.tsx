/**
 * A text with numbered lines: some of them lit, some of them to be chosen, and below a line what is
 * wrong with it.
 */
import { Fragment, memo, type ReactNode, useEffect, useMemo, useRef } from 'react';
import type { Diagnostic } from '../api/shapes.ts';
import { type CodeLanguage, wordsOf } from './code-words.ts';
import { Icon } from './icon.tsx';
import './code-view.css';

export interface CodeViewProps {
  readonly text: string;
  readonly label: string;
  readonly language: CodeLanguage;
  readonly problems?: readonly Diagnostic[];
  /** Lines that are meant, from 1; the first of them is scrolled to. */
  readonly lit?: { readonly line: number; readonly endLine: number } | null;
  /** What a line can be chosen for; null if for nothing. */
  readonly nameOf?: (line: number) => string | null;
  readonly onLine?: (line: number) => void;
}

/** More is not shown: nobody writes such a definition, and a browser would be busy with it. */
const LINES_MAX = 5_000;

export function CodeView(props: CodeViewProps): ReactNode {
  const { text, label, language, problems = [], lit = null, nameOf, onLine } = props;
  const box = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => text.split(/\r?\n/).slice(0, LINES_MAX), [text]);
  useEffect(() => {
    if (lit === null) return;
    scrollWithin(box.current, box.current?.querySelector(`[data-line='${lit.line}']`) ?? null);
  }, [lit?.line, text]);
  return (
    <div ref={box} className="code" role="region" aria-label={label} tabIndex={0}>
      <ol>
        {lines.map((line, index) => {
          const number = index + 1;
          const isLit = lit !== null && number >= lit.line && number <= lit.endLine;
          const name = nameOf?.(number) ?? null;
          const mine = problems.filter((problem) => problem.line === number);
          return (
            <Fragment key={number}>
              <Line
                {...{ line, number, isLit, name, language }}
                mark={
                  mine.some(({ severity }) => severity === 'error') ? 'error' : mine[0]?.severity
                }
                onLine={onLine}
              />
              {mine.length === 0 ? null : (
                <li className="code-problems">
                  {mine.map((problem) => (
                    <ProblemNote key={`${problem.code} ${problem.message}`} problem={problem} />
                  ))}
                </li>
              )}
            </Fragment>
          );
        })}
      </ol>
    </div>
  );
}

/** Only what has a bar of its own is scrolled: the page stays where it is. */
function scrollWithin(box: HTMLElement | null, line: Element | null): void {
  if (box === null || !(line instanceof HTMLElement)) return;
  const [from, to] = [box.scrollTop, box.scrollTop + box.clientHeight];
  const isSeen = line.offsetTop >= from && line.offsetTop + line.offsetHeight <= to;
  if (!isSeen) box.scrollTop = line.offsetTop - box.clientHeight / 3;
}

interface LineProps {
  readonly line: string;
  readonly number: number;
  readonly isLit: boolean;
  readonly name: string | null;
  readonly language: CodeLanguage;
  readonly mark: Diagnostic['severity'] | undefined;
  readonly onLine: ((line: number) => void) | undefined;
}

/** The number is the button, for the keyboard; a mouse may hit the line anywhere. */
const Line = memo((props: LineProps): ReactNode => {
  const { line, number, isLit, name, mark, onLine } = props;
  const choose = name === null || onLine === undefined ? undefined : () => onLine(number);
  const looks = [
    'code-line',
    ...(isLit ? ['lit'] : []),
    ...(mark === undefined ? [] : [`marked-${mark}`]),
    ...(choose === undefined ? [] : ['choosable']),
  ];
  return (
    <li className={looks.join(' ')} data-line={number} onClick={choose}>
      {choose === undefined ? (
        <span className="code-number">{number}</span>
      ) : (
        <button
          type="button"
          className="code-number"
          aria-label={`Line ${number}: select ${name}`}
          aria-pressed={isLit}
          onClick={choose}
        >
          {number}
        </button>
      )}
      <code>
        {wordsOf(line, props.language).map(({ kind, text }, index) =>
          kind === 'plain' ? (
            text
          ) : (
            // A word has no name but its place in the line.
            <span key={`${index} ${kind}`} className={`word-${kind}`}>
              {text}
            </span>
          ),
        )}
        {line === '' ? '\n' : null}
      </code>
    </li>
  );
});

export function ProblemNote({ problem }: { readonly problem: Diagnostic }): ReactNode {
  const { severity, code, message, explanation } = problem;
  return (
    <div className={`note note-${severity}`}>
      <Icon name="warn" />
      <div>
        <p>
          <strong>{severity === 'error' ? 'Error' : 'Warning'}</strong> {message}{' '}
          <code>{code}</code>
        </p>
        {explanation === null ? null : <p className="note-why">{explanation}</p>}
      </div>
    </div>
  );
}
