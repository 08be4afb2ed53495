/**
 * Everything that can be done from the keyboard, said once: what is registered here is listed by
 * `?`, found in the palette, and done when its keys are pressed. A screen registers what it can do
 * while it is shown.
 *
 * Keys are one key (`r`), several in a row (`g i`), or with the command key (`mod+k`).
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { Hearers } from './hearers.ts';

export interface Command {
  readonly label: string;
  /** Under which heading it is listed. */
  readonly group: string;
  readonly keys?: string;
  readonly run: () => void;
}

let commands: readonly Command[] = [];
const hearers = new Hearers();

function change(next: readonly Command[]): void {
  commands = next;
  hearers.tell();
}

export function useCommands(): readonly Command[] {
  return useSyncExternalStore(hearers.listen, () => commands);
}

/** Null: not just now. */
export function useCommand(command: Command | null): void {
  const run = useRef(command?.run);
  run.current = command?.run;
  const { label, group, keys } = command ?? {};
  useEffect(() => {
    if (label === undefined || group === undefined) return undefined;
    const mine: Command = {
      ...{ label, group, run: () => run.current?.() },
      ...(keys === undefined ? {} : { keys }),
    };
    change([...commands, mine]);
    return () => change(commands.filter((one) => one !== mine));
  }, [label, group, keys]);
}

/** So long a second key still belongs to the first. */
const CHORD_MS = 900;

let before = '';
let beforeAt = 0;

/** Does what the keys are for. The newest that registered them is meant. */
export function hearKeys(event: KeyboardEvent): void {
  const isMod = event.metaKey || event.ctrlKey;
  if (event.defaultPrevented || event.altKey || isTyping(event, isMod)) return;
  const key = isMod ? `mod+${event.key.toLowerCase()}` : event.key;
  const chord = performance.now() - beforeAt < CHORD_MS ? `${before} ${key}` : key;
  const found = commands.findLast(({ keys }) => keys === chord || keys === key);
  before = found === undefined ? key : '';
  beforeAt = performance.now();
  if (found === undefined) return;
  event.preventDefault();
  found.run();
}

/** Letters belong to whoever is writing; in a dialog only its own keys count. */
function isTyping({ target }: KeyboardEvent, isMod: boolean): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (document.querySelector('dialog[open]') !== null) return true;
  const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable;
  return isField && !isMod;
}
