/** A field with what belongs to it: its name, a hint, and what is wrong, said aloud as well. */
import type { ReactNode } from 'react';

export interface FieldFrameProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string | null;
  readonly problems: readonly string[];
  readonly isRequired?: boolean;
  readonly children: ReactNode;
}

export function FieldFrame(props: FieldFrameProps): ReactNode {
  const { id, label, isRequired = false, children } = props;
  return (
    <div className="field">
      <label className="field-name" htmlFor={id}>
        {label}
        {isRequired ? <RequiredMark /> : null}
      </label>
      {children}
      <FieldWordsBelow {...props} />
    </div>
  );
}

export function RequiredMark(): ReactNode {
  return (
    <span className="field-required" aria-hidden="true">
      {' '}
      *
    </span>
  );
}

export function FieldWordsBelow(
  props: Pick<FieldFrameProps, 'id' | 'hint' | 'problems'>,
): ReactNode {
  const { id, hint, problems } = props;
  return (
    <>
      {hint === null ? null : (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {problems.length === 0 ? null : (
        <p id={`${id}-problem`} className="field-problem" role="alert">
          {problems.join('; ')}
        </p>
      )}
    </>
  );
}

/** The attributes by which a field says the same to those who hear it. */
export function spoken(
  id: string,
  hint: string | null,
  problems: readonly string[],
  isRequired = false,
): Readonly<Record<string, string | boolean | undefined>> {
  const about = [
    ...(hint === null ? [] : [`${id}-hint`]),
    ...(problems.length === 0 ? [] : [`${id}-problem`]),
  ];
  return {
    id,
    'aria-describedby': about.length === 0 ? undefined : about.join(' '),
    'aria-invalid': problems.length === 0 ? undefined : true,
    'aria-required': isRequired ? true : undefined,
  };
}
