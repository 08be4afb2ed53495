/** People at their desks: what they do with the tasks of a story, and what comes of it. */
import { assert } from '../base/assert.ts';
import { advance } from '../kernel/advance.ts';
import type { Instant, TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { Asker, Task, TaskAsk } from '../model/task.ts';
import { oneAt } from './play.ts';
import type { Story } from './story.ts';

type Unsigned<Ask> = Ask extends unknown ? Omit<Ask, 'by' | 'groups'> : never;
export type Asked = Unsigned<TaskAsk>;

/** At a node, or with a token that may be gone; the stride as text, or why it is refused. */
export function does(story: Story, at: string | number, who: string, asked: Asked): string {
  const token = (typeof at === 'number' ? at : oneAt(story, at)) as TokenId;
  const ask = { ...asker(who), ...asked } as TaskAsk;
  const input = { type: 'task', at: story.now as Instant, token, ask } as const;
  const { refused, changes } = advance(story.machine, story.instance, input);
  if (refused === undefined) return story.tell(input);
  assert(changes.length === 0, 'what is refused changes nothing');
  return `${refused.code}: ${refused.message}`;
}

/** `'ann'`, or `'ann of sales and legal'`. */
function asker(who: string): Asker {
  const [by = '', groups = ''] = who.split(' of ');
  return { by, groups: groups === '' ? [] : groups.split(' and ') };
}

export function says(
  story: Story,
  who: string,
  decision: 'approve' | 'reject' | 'revise',
  more: { readonly comment?: string; readonly override?: true } = {},
): string {
  return does(story, 'ok', who, { do: 'decide', decision, ...more });
}

export function tokenAt(story: Story, node: string): Token {
  const token = story.instance.tokens.get(oneAt(story, node));
  assert(token !== undefined, `a token is at "${node}"`);
  return token;
}

/** The open task at a node. */
export function taskAt(story: Story, node: string): Task {
  const { wait } = tokenAt(story, node);
  assert(wait?.on === 'task', `"${node}" waits for people`);
  return wait.task;
}

/** The trail of it, one line each. */
export function trailAt(story: Story, node: string): readonly string[] {
  return taskAt(story, node).trail.map(({ at, by, did, ...more }) => {
    return `${at} ${by} ${did} ${JSON.stringify(more)}`;
  });
}

/** What a node of the first scope came to. */
export function resultAt(story: Story, node: string): unknown {
  return story.instance.scopes.values()[0]?.results.get(node);
}
