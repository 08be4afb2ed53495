/**
 * A plain field for text, with a layer behind it that has the numbers of the lines and, after a
 * line, what is wrong with it. The layer goes where the field is scrolled to.
 */
import { type KeyboardEvent, type ReactNode, type RefObject, useRef } from 'react';
import type { Mistake } from './use-checked.ts';

export interface CodeEditorProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly diagnostics: readonly Mistake[];
  readonly label: string;
  readonly box: RefObject<HTMLTextAreaElement | null>;
}

export function CodeEditor({
  text,
  onChange,
  diagnostics,
  label,
  box,
}: CodeEditorProps): ReactNode {
  const layer = useRef<HTMLDivElement>(null);
  const follow = (): void => {
    const { scrollLeft = 0, scrollTop = 0 } = box.current ?? {};
    if (layer.current === null) return;
    layer.current.style.transform = `translateY(${-scrollTop}px)`;
    layer.current.style.setProperty('--aside', `${-scrollLeft}px`);
  };
  return (
    <div className="editor">
      <div className="editor-back" aria-hidden="true">
        <div ref={layer}>
          {text.split('\n').map((line, index) => (
            // A line has no name but its number.
            <Row
              key={`${index + 1}`}
              {...{ line, number: index + 1 }}
              mistakes={diagnostics.filter((one) => one.line === index + 1)}
            />
          ))}
        </div>
      </div>
      <textarea
        ref={box}
        className="editor-text"
        aria-label={label}
        aria-invalid={diagnostics.length > 0 ? true : undefined}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        value={text}
        onScroll={follow}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => indent(event, onChange)}
      />
    </div>
  );
}

/** A new line begins below the one before it. Tab leaves the field, as everywhere else. */
function indent(event: KeyboardEvent<HTMLTextAreaElement>, onChange: (text: string) => void): void {
  if (event.key !== 'Enter' || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const field = event.currentTarget;
  const { value, selectionStart, selectionEnd } = field;
  const line = value.slice(0, selectionStart).split('\n').at(-1) ?? '';
  const [space = ''] = /^ */.exec(line) ?? [];
  if (space === '') return;
  event.preventDefault();
  field.setRangeText(`\n${space}`, selectionStart, selectionEnd, 'end');
  onChange(field.value);
}

function Row(props: {
  readonly line: string;
  readonly number: number;
  readonly mistakes: readonly Mistake[];
}): ReactNode {
  const { line, number, mistakes } = props;
  return (
    <div className={mistakes.length > 0 ? 'editor-row wrong' : 'editor-row'}>
      <span className="editor-number">{number}</span>
      {mistakes.length === 0 ? null : (
        <span className="editor-lens">
          <span className="editor-ghost">{line}</span>
          <span className="editor-said">{mistakes.map(({ message }) => message).join('; ')}</span>
        </span>
      )}
    </div>
  );
}
