/** The command palette: everything that can be done or gone to, found by a few letters. */
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Definition } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { type Command, useCommands } from './commands.ts';
import { Dialog } from './dialog.tsx';
import { Keys } from './help.tsx';
import { go, to } from './routing.tsx';

const SHOWN_MAX = 40;

export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const list = useId();
  const found = useFound(words);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    onClose();
    // Once the dialog is gone: what it opens may be a dialog itself.
    setTimeout(command.run, 0);
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((old) => (old + step + found.length) % Math.max(found.length, 1));
    }
    if (event.key === 'Enter') run(found[at]);
  };
  return (
    <Dialog title="Go to, or do" onClose={onClose} size="medium">
      <input
        ref={input}
        className="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={found.length === 0 ? undefined : `${list}-${at}`}
        aria-label="What to do or where to go"
        placeholder="Type a command, a flow, or the id of an instance"
        value={words}
        onChange={(event) => {
          setWords(event.target.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <ul className="palette-list" id={list} role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          <li
            key={`${command.group} ${command.label}`}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            className="palette-row"
            onMouseMove={() => setAt(index)}
            onClick={() => run(command)}
          >
            <span className="palette-group">{command.group}</span>
            <span className="palette-label">{command.label}</span>
            {command.keys === undefined ? null : <Keys keys={command.keys} />}
          </li>
        ))}
      </ul>
      {found.length === 0 ? <p className="dim">Nothing is called that.</p> : null}
    </Dialog>
  );
}

function useFound(words: string): readonly Command[] {
  const commands = useCommands();
  const { value } = useAsked<{ definitions: readonly Definition[] }>('/api/definitions');
  return useMemo(() => {
    const flows = (value?.definitions ?? []).map(({ name, version }) => ({
      label: `${name} version ${version}`,
      group: 'Flow',
      run: () => go(to('flows', name, version)),
    }));
    const asked = words.trim();
    const instance: readonly Command[] =
      asked === ''
        ? []
        : [
            { label: `Instance ${asked}`, group: 'Open', run: () => go(to('instances', asked)) },
            {
              label: `Instances with the key ${asked}`,
              group: 'Find',
              run: () => go(`/instances?${new URLSearchParams({ key: asked })}`),
            },
          ];
    const parts = asked.toLowerCase().split(/\s+/);
    const matches = [...commands, ...flows].filter(({ label, group }) => {
      const text = `${group} ${label}`.toLowerCase();
      return parts.every((part) => text.includes(part));
    });
    return [...matches, ...instance].slice(0, SHOWN_MAX);
  }, [commands, value, words]);
}
