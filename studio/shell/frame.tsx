/** What is around every screen: where one can go, who one is, and what the keyboard does. */
import { type ReactNode, useEffect, useState } from 'react';
import type { Session, TaskPage } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { Icon, type IconName } from '../parts/icon.tsx';
import { hearKeys, useCommand } from './commands.ts';
import { Help, Keys } from './help.tsx';
import { Palette } from './palette.tsx';
import { go, Link, usePath } from './routing.tsx';
import { toggleTheme } from './theme.ts';
import { Toasts } from './toasts.tsx';
import { Whom } from './whom.tsx';

interface Place {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly keys: string;
}

const PLACES: readonly Place[] = [
  { path: 'flows', label: 'Flows', icon: 'flow', keys: 'g f' },
  { path: 'instances', label: 'Instances', icon: 'list', keys: 'g i' },
  { path: 'inbox', label: 'Inbox', icon: 'inbox', keys: 'g b' },
  { path: 'health', label: 'Health', icon: 'pulse', keys: 'g h' },
];

export function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  const [open, setOpen] = useState<'help' | 'palette' | null>(null);
  useEffect(() => {
    addEventListener('keydown', hearKeys);
    return () => removeEventListener('keydown', hearKeys);
  }, []);
  const show = (what: 'help' | 'palette') => (): void => setOpen(what);
  useCommand({ label: 'Show the keyboard', group: 'Studio', keys: '?', run: show('help') });
  useCommand({ label: 'Find a command', group: 'Studio', keys: 'mod+k', run: show('palette') });
  useCommand({ label: 'Light or dark', group: 'Studio', keys: 't', run: toggleTheme });
  return (
    <div className="frame">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <Side onFind={show('palette')} onHelp={show('help')} />
      <main id="main" className="main" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      {open === 'help' ? <Help onClose={() => setOpen(null)} /> : null}
      {open === 'palette' ? <Palette onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

function Side(props: { readonly onFind: () => void; readonly onHelp: () => void }): ReactNode {
  const session = useAsked<Session>('/dev/session').value;
  return (
    <header className="side">
      <Link href="/flows" className="brand" aria-label="Perdure studio, to the flows">
        <Icon name="brand" />
        <span>Perdure</span>
      </Link>
      <button type="button" className="find" onClick={props.onFind}>
        <Icon name="search" />
        <span>Find</span>
        {/* Seen and not said: the name of a button has all the words that are read out in it. */}
        <span aria-hidden="true" style={{ display: 'contents' }}>
          <Keys keys="mod+k" />
        </span>
      </button>
      <nav aria-label="Screens" className="places">
        {PLACES.map((place) => (
          <PlaceLink key={place.path} place={place} />
        ))}
      </nav>
      <div className="side-foot">
        <Whom user={session?.user ?? 'you'} />
        <div className="side-buttons">
          <button type="button" className="button quiet" aria-label="Theme" onClick={toggleTheme}>
            <Icon name="theme" /> <span>Theme</span>
          </button>
          <button type="button" className="button quiet" aria-label="Keys" onClick={props.onHelp}>
            <Icon name="keyboard" /> <span>Keys</span>
          </button>
        </div>
        <p className="side-store" title={session?.store}>
          {session === undefined ? '' : `${session.store} · ${session.version}`}
        </p>
      </div>
    </header>
  );
}

function PlaceLink({ place: { path, label, icon, keys } }: { readonly place: Place }): ReactNode {
  const [here] = usePath();
  const isHere = here === path;
  useCommand({ label, group: 'Go to', keys, run: () => go(`/${path}`) });
  return (
    <Link href={`/${path}`} className="place" aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      {path === 'inbox' ? <Waiting /> : null}
    </Link>
  );
}

const TASKS_COUNTED = 100;
const LOOK_MS = 4_000;

/** How many tasks are open: looked at now and then, for a stream of their own would cost a line. */
function Waiting(): ReactNode {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setTurn((count) => count + 1);
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const { value } = useAsked<TaskPage>('/api/tasks', { limit: TASKS_COUNTED }, turn);
  const count = value?.tasks.length ?? 0;
  if (count === 0) return null;
  const text = value?.cursor === null ? String(count) : `${count}+`;
  return (
    <span className="count" aria-label={`${text} open tasks`} role="img">
      {text}
    </span>
  );
}
