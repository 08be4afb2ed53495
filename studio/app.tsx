/** Which screen an address means. Screens are loaded when they are first looked at. */
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { problemFrom } from './api/asking.ts';
import { Empty, Loading, ProblemBox, ScreenHead } from './parts/screen.tsx';
import { Frame } from './shell/frame.tsx';
import { Link, usePath } from './shell/routing.tsx';

/** A module has a screen by its name; React wants it by default. */
function screen(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => ({ default: await load() }));
}

const Flows = screen(async () => (await import('./flows/flows-screen.tsx')).FlowsScreen);
const Flow = screen(async () => (await import('./flows/flow-screen.tsx')).FlowScreen);
const Instances = screen(
  async () => (await import('./instances/instances-screen.tsx')).InstancesScreen,
);
const Instance = screen(
  async () => (await import('./instance/instance-screen.tsx')).InstanceScreen,
);
const Compare = screen(async () => (await import('./instance/compare-screen.tsx')).CompareScreen);
const Inbox = screen(async () => (await import('./inbox/inbox-screen.tsx')).InboxScreen);
const Health = screen(async () => (await import('./health/health-screen.tsx')).HealthScreen);

export function App(): ReactNode {
  const path = usePath();
  const Screen = screenAt(path);
  return (
    <Frame>
      <Net key={placeOf(path)}>
        <Suspense fallback={<Loading />}>
          <Screen />
        </Suspense>
      </Net>
    </Frame>
  );
}

/** Another place is another screen; in the inbox the list stays while tasks are looked at. */
function placeOf(path: readonly string[]): string {
  return path[0] === 'inbox' ? 'inbox' : path.join('/');
}

function screenAt([first = 'flows', second]: readonly string[]): ComponentType {
  switch (first) {
    case 'flows':
      return second === undefined ? Flows : Flow;
    case 'instances':
      return second === undefined ? Instances : Instance;
    case 'compare':
      return Compare;
    case 'inbox':
      return Inbox;
    case 'health':
      return Health;
    default:
      return Nowhere;
  }
}

function Nowhere(): ReactNode {
  return (
    <>
      <ScreenHead title="Nothing here" />
      <Empty title="There is no such page.">
        <Link href="/flows">To the flows</Link>
      </Empty>
    </>
  );
}

/** A mistake of ours is shown in its place, and the rest of the studio stays of use. */
class Net extends Component<{ readonly children: ReactNode }, { readonly thrown: unknown }> {
  override readonly state: { readonly thrown: unknown } = { thrown: null };

  static getDerivedStateFromError(thrown: unknown): { readonly thrown: unknown } {
    return { thrown };
  }

  override render(): ReactNode {
    const { thrown } = this.state;
    return thrown === null ? this.props.children : <ProblemBox problem={problemFrom(thrown)} />;
  }
}
