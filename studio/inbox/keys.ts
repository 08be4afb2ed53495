/** Ctrl or Cmd with Enter sends what is being written. */
import type { KeyboardEvent } from 'react';

export function submitOnKeys(submit: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    submit();
  };
}
