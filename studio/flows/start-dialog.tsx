/**
 * Starts an instance: by a form if it is known what the flow takes or was given before, and always
 * by JSON. However often it is sent, one press of the button starts one instance.
 */
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { postOnce, problemFrom } from '../api/asking.ts';
import type { Definition, Json, JsonObject } from '../api/shapes.ts';
import { Icon } from '../parts/icon.tsx';
import { JsonField } from '../parts/json-field.tsx';
import { formProblems } from '../parts/schema-rules.ts';
import { SchemaForm } from '../parts/schema-form.tsx';
import { ProblemBox } from '../parts/screen.tsx';
import { SubmitFoot } from '../parts/submit-foot.tsx';
import { Dialog } from '../shell/dialog.tsx';
import { go, to } from '../shell/routing.tsx';
import { say } from '../shell/toasts.tsx';
import { inferredSchema } from './inferred-schema.ts';
import { type RecentInput, useRecentInputs } from './recent-inputs.ts';
import { RecentInputs } from './recent-list.tsx';
import { NO_REFUSAL, type Refusal, refusalOf } from './refusal.ts';
import { type Keyed, StartKey } from './start-key.tsx';
import './flows.css';

export interface StartDialogProps {
  readonly definition: Definition;
  readonly onClose: () => void;
}

interface Started {
  readonly id: string;
  readonly existing: boolean;
}

interface Starting {
  readonly isBusy: boolean;
  readonly refusal: Refusal;
  readonly refuse: (refusal: Refusal) => void;
  readonly send: (body: object) => void;
}

/** The same body is the same start, however often it is sent; another one is another. */
function useStart(onClose: () => void): Starting {
  const [isBusy, setIsBusy] = useState(false);
  const [refusal, refuse] = useState(NO_REFUSAL);
  const sent = useRef({ text: '', key: '' });
  const send = (body: object): void => {
    const text = JSON.stringify(body);
    if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
    setIsBusy(true);
    postOnce<Started>('/api/instances', body, sent.current.key)
      .then(
        ({ id, existing }) => {
          say(existing ? 'An open instance has this key: here it is' : 'Started');
          onClose();
          go(to('instances', id));
        },
        (thrown: unknown) => refuse(refusalOf(problemFrom(thrown))),
      )
      .finally(() => setIsBusy(false));
  };
  return { isBusy, refusal, refuse, send };
}

export function StartDialog({ definition, onClose }: StartDialogProps): ReactNode {
  const { name, version, inputSchema = null } = definition;
  const form = useId();
  const recent = useRecentInputs(name);
  const [input, setInput] = useState<Json | undefined>();
  const [keyed, setKeyed] = useState<Keyed>({ key: '', onConflict: 'fail' });
  const [isJson, setIsJson] = useState(false);
  const { isBusy, refusal, refuse, send } = useStart(onClose);
  const schema = inputSchema ?? inferred(recent);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { currentTarget } = event;
    if (isBusy) return;
    const fields = inputSchema === null ? [] : formProblems(inputSchema, input ?? {});
    refuse({ ...NO_REFUSAL, fields });
    if (fields.length > 0) return focusFirst(currentTarget);
    send(bodyOf(name, input, keyed));
  };
  return (
    <Dialog
      title={`Start ${name}`}
      onClose={onClose}
      footer={<Foot {...{ form, isBusy, onClose }} />}
    >
      <form id={form} className="stack" onSubmit={submit} onKeyDown={sendByKeys}>
        <p className="dim">An instance of version {version}, the newest that this program has.</p>
        {refusal.whole === null ? null : <ProblemBox problem={refusal.whole} />}
        <RecentInputs recent={recent ?? []} chosen={input} onChoose={setInput} />
        <Input {...{ schema, input, setInput, isJson, setIsJson, refusal }} />
        <StartKey keyed={keyed} onChange={setKeyed} problem={refusal.key} />
      </form>
    </Dialog>
  );
}

function inferred(recent: readonly RecentInput[] | undefined): JsonObject | null {
  return recent === undefined ? null : inferredSchema(recent.map(({ input }) => input));
}

function bodyOf(flow: string, input: Json | undefined, { key, onConflict }: Keyed): object {
  return {
    ...{ flow },
    ...(input === undefined ? {} : { input }),
    ...(key.trim() === '' ? {} : { key: key.trim(), onConflict }),
  };
}

/** Once what is wrong is shown. */
function focusFirst(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid]')?.focus());
}

function sendByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

function Foot(props: {
  readonly form: string;
  readonly isBusy: boolean;
  readonly onClose: () => void;
}): ReactNode {
  return (
    <SubmitFoot form={props.form} isDisabled={props.isBusy} onClose={props.onClose}>
      <Icon name="play" /> {props.isBusy ? 'Starting' : 'Start'}
    </SubmitFoot>
  );
}

interface InputProps {
  readonly schema: JsonObject | null;
  readonly input: Json | undefined;
  readonly setInput: (input: Json | undefined) => void;
  readonly isJson: boolean;
  readonly setIsJson: (isJson: boolean) => void;
  readonly refusal: Refusal;
}

function Input(props: InputProps): ReactNode {
  const { schema, input, setInput, isJson, setIsJson, refusal } = props;
  const id = useId();
  const box = useRef<HTMLFieldSetElement>(null);
  const hasForm = schema !== null && !isJson;
  return (
    <fieldset ref={box} className="start-input stack">
      <legend className="visually-hidden">Input</legend>
      <div className="row between">
        <span className="start-part" aria-hidden="true">
          Input
        </span>
        {schema === null ? null : (
          <button
            type="button"
            className="button small"
            aria-pressed={isJson}
            onClick={() => {
              // What cannot be read would be lost in the form: it is mended first.
              if (!isReadable(box.current)) return;
              setIsJson(!isJson);
            }}
          >
            JSON
          </button>
        )}
      </div>
      {hasForm ? (
        <SchemaForm
          {...{ schema, value: input, onChange: setInput, problems: refusal.fields }}
          idPrefix={id}
        />
      ) : (
        <JsonField
          id={`${id}-json`}
          label="Input as JSON"
          value={input}
          onChange={setInput}
          hint="Leave it empty for a start without input."
          problems={refusal.fields.map(({ path, message }) => wordsOf(path, message))}
          rows={7}
        />
      )}
    </fieldset>
  );
}

function isReadable(box: HTMLElement | null): boolean {
  const fields = [...(box?.querySelectorAll('textarea') ?? [])];
  return fields.every((field) => field.reportValidity());
}

function wordsOf(path: string, message: string): string {
  return path === '' ? message : `${path}: ${message}`;
}
