/** What the keyboard does here, all of it: read off the commands that are there now. */
import type { ReactNode } from 'react';
import { useCommands } from './commands.ts';
import { Dialog } from './dialog.tsx';

export function Help({ onClose }: { readonly onClose: () => void }): ReactNode {
  const commands = useCommands().filter(({ keys }) => keys !== undefined);
  const groups = Map.groupBy(commands, ({ group }) => group);
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      <div className="help">
        {[...groups].map(([group, list]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {list.map(({ label, keys = '' }) => (
                <div key={label} className="help-row">
                  <dt>{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Everywhere</h3>
          <dl>
            <div className="help-row">
              <dt>Next and previous thing</dt>
              <dd>
                <Keys keys="Tab" /> <Keys keys="Shift+Tab" />
              </dd>
            </div>
            <div className="help-row">
              <dt>Along the graph, once one of its nodes has the focus</dt>
              <dd>
                <Keys keys="↑ ↓ ← →" /> <Keys keys="Enter" />
              </dd>
            </div>
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

export function Keys({ keys }: { readonly keys: string }): ReactNode {
  const words = keys.replace('mod+', IS_MAC ? '⌘ ' : 'Ctrl ').split(' ');
  return (
    <span className="keys">
      {words.map((word) => (
        <kbd key={word}>{word.length === 1 ? word.toUpperCase() : word}</kbd>
      ))}
    </span>
  );
}
