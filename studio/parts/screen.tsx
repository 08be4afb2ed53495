/** How every screen begins, and what it says when there is nothing or something wrong. */
import { type ReactNode, useEffect } from 'react';
import type { Problem } from '../api/asking.ts';
import { Icon } from './icon.tsx';

export interface ScreenHeadProps {
  readonly title: string;
  /** Beside the title: a status, a version. */
  readonly mark?: ReactNode;
  /** Above the title: how to go back. */
  readonly above?: ReactNode;
  /** Below the title. */
  readonly below?: ReactNode;
  /** What can be done. */
  readonly children?: ReactNode;
}

export function ScreenHead({ title, mark, above, below, children }: ScreenHeadProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Perdure`;
  }, [title]);
  return (
    <div className="screen-head">
      <div className="screen-title">
        {above === undefined ? null : <div className="screen-above">{above}</div>}
        <div className="row">
          <h1>{title}</h1>
          {mark}
        </div>
        {below === undefined ? null : <div className="screen-below">{below}</div>}
      </div>
      {children === undefined ? null : <div className="screen-actions">{children}</div>}
    </div>
  );
}

export function ProblemBox({ problem }: { readonly problem: Problem }): ReactNode {
  return (
    <div className="problem" role="alert">
      <Icon name="warn" />
      <div>
        <p>{problem.message}</p>
        <code>{problem.code}</code>
      </div>
    </div>
  );
}

export function Empty(props: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <p className="empty-title">{props.title}</p>
      {props.children}
    </div>
  );
}

/** Said only to those who wait for more than a moment: CSS shows it late. */
export function Loading(): ReactNode {
  return (
    <div className="loading" role="status">
      <span className="spinner" aria-hidden="true" /> Loading
    </div>
  );
}
