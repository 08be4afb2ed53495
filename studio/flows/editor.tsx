/**
 * Writes a Serverless Workflow or a flowchart and deploys it. What is written is checked while it
 * is written, each problem beside its line, and it is kept until it is deployed or thrown away.
 */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { type Problem, post, problemFrom } from '../api/asking.ts';
import { FieldFrame } from '../parts/field-frame.tsx';
import { Icon } from '../parts/icon.tsx';
import { ProblemBox } from '../parts/screen.tsx';
import { go, to } from '../shell/routing.tsx';
import { say } from '../shell/toasts.tsx';
import { CodeEditor } from './code-editor.tsx';
import { type Draft, EXAMPLES, type Language, useDraft } from './draft.ts';
import { useChecked } from './use-checked.ts';
import './editor.css';

export interface EditorProps {
  /** What the draft is kept by. */
  readonly name: string;
  /** What there is of it already: its file is not changed. */
  readonly begin?: Draft;
  readonly file?: string | null;
  readonly onClose: () => void;
}

interface Deployed {
  readonly name: string;
  readonly version: number;
}

export function Editor({ name, begin, file = null, onClose }: EditorProps): ReactNode {
  const first: Draft = begin ?? { language: 'serverless', text: EXAMPLES.serverless };
  const { draft, setDraft, forget, isOld } = useDraft(name, first);
  const { language, text } = draft;
  const checked = useChecked(language, text);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const deploy = (): void => {
    if (isBusy) return;
    setIsBusy(true);
    post<Deployed>('/api/definitions', { language, source: text })
      .then(
        (deployed) => {
          forget();
          say(`Deployed ${deployed.name}, version ${deployed.version}`);
          go(to('flows', deployed.name, deployed.version));
        },
        (thrown: unknown) => setProblem(problemFrom(thrown)),
      )
      .finally(() => setIsBusy(false));
  };
  const byKeys = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    deploy();
  };
  return (
    <div className="stack" onKeyDown={byKeys}>
      <Words file={file} />
      {begin === undefined ? <LanguageChoice draft={draft} onChange={setDraft} /> : null}
      {problem === null ? null : <ProblemBox problem={problem} />}
      {isOld ? <OldDraft onFresh={() => setDraft(first)} /> : null}
      <Written {...{ draft, checked }} onChange={(next) => setDraft({ language, text: next })} />
      <div className="row end">
        <button
          type="button"
          className="button"
          onClick={() => {
            forget();
            onClose();
          }}
        >
          Throw away
        </button>
        <button
          type="button"
          className="button primary"
          disabled={isBusy || checked.diagnostics.length > 0}
          onClick={deploy}
        >
          <Icon name="check" /> {isBusy ? 'Deploying' : 'Deploy'}
        </button>
      </div>
    </div>
  );
}

function Words({ file }: { readonly file: string | null }): ReactNode {
  return (
    <p className="dim editor-words">
      Deploy puts this into the store, and from then on it can be started.{' '}
      {file === null ? (
        'No file is written.'
      ) : (
        <>
          The file <code>{file}</code> is not changed: change it as well if this is to stay.
        </>
      )}
    </p>
  );
}

function OldDraft({ onFresh }: { readonly onFresh: () => void }): ReactNode {
  return (
    <p className="row">
      <span>This is what you wrote before.</span>
      <button type="button" className="link" onClick={onFresh}>
        Begin anew
      </button>
    </p>
  );
}

function LanguageChoice(props: {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}): ReactNode {
  const { draft, onChange } = props;
  const id = useId();
  // What was written in the one is there again when one comes back from the other.
  const texts = useRef<Readonly<Record<Language, string>>>(EXAMPLES);
  return (
    <FieldFrame id={id} label="Language" hint={null} problems={[]}>
      <select
        id={id}
        className="editor-language"
        value={draft.language}
        onChange={({ target }) => {
          const language = target.value as Language;
          texts.current = { ...texts.current, [draft.language]: draft.text };
          onChange({ language, text: texts.current[language] });
        }}
      >
        <option value="serverless">Serverless Workflow (YAML or JSON)</option>
        <option value="flowchart">Flowchart (JSON)</option>
      </select>
    </FieldFrame>
  );
}

function Written(props: {
  readonly draft: Draft;
  readonly checked: ReturnType<typeof useChecked>;
  readonly onChange: (text: string) => void;
}): ReactNode {
  const { draft, checked, onChange } = props;
  const { diagnostics, problem, isChecking } = checked;
  const box = useRef<HTMLTextAreaElement>(null);
  const reach = (line: number): void => {
    const before = draft.text.split('\n').slice(0, line - 1);
    const at = before.reduce((sum, one) => sum + one.length + 1, 0);
    box.current?.focus();
    box.current?.setSelectionRange(at, at);
  };
  const count = diagnostics.length;
  const verdict = count === 0 ? 'Nothing is wrong with it.' : `${count} to mend:`;
  return (
    <>
      <CodeEditor {...{ box, diagnostics, onChange }} text={draft.text} label="Definition" />
      {problem === null ? null : <ProblemBox problem={problem} />}
      <div role="status">{isChecking ? <span className="dim">Checking…</span> : verdict}</div>
      {count === 0 ? null : (
        <ul className="editor-problems" aria-label="Problems">
          {diagnostics.map(({ code, message, line, column }) => (
            <li key={`${code} ${line} ${column} ${message}`}>
              {line === null ? null : (
                <button type="button" className="link" onClick={() => reach(line)}>
                  Line {line}
                </button>
              )}{' '}
              {message} <code>{code}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
