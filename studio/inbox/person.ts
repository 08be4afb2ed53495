/** Who one is now, also if that is whoever the server says. */
import type { Session } from '../api/shapes.ts';
import { useAsked } from '../api/use-asked.ts';
import { useMe } from '../shell/me.ts';
import type { Person } from './standing.ts';

export function usePerson(): Person {
  const { actor, groups } = useMe();
  const session = useAsked<Session>('/dev/session').value;
  return { actor: actor ?? session?.user ?? 'you', groups };
}
