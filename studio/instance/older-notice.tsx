/** Of a long history only the end is loaded: whoever looks at it is told so. */
import type { ReactNode } from 'react';
import type { PanelProps } from './panel-props.ts';

export function OlderNotice(
  props: Pick<PanelProps, 'commits' | 'isComplete' | 'onOlder'>,
): ReactNode {
  const [first] = props.commits;
  if (props.isComplete || first === undefined) return null;
  return (
    <p className="row dim">
      What was before commit {first.n} is not loaded.
      <button type="button" className="link" onClick={props.onOlder}>
        Load older commits
      </button>
    </p>
  );
}
