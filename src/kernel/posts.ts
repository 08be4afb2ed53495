/** What an instance has for another or for the world: written in the commit, brought after it. */
import type { Letter } from '../model/letter.ts';
import type { Post } from '../model/post.ts';
import type { Stride } from './stride.ts';
import { inTrace } from './traces.ts';

type Unnamed<Each> = Each extends unknown ? Omit<Each, 'id'> : never;

/** The number that makes its id one of a kind; no scope or token has the same. */
export function postNumber({ id }: Pick<Post | Letter, 'id'>): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}

/** Its id is made of the instance's own, so it is like no other. */
export function nextPostId(stride: Stride): string {
  return `${stride.scratch.head.id}/${stride.nextId()}`;
}

export function post(stride: Stride, fields: Unnamed<Post>, id: string = nextPostId(stride)): void {
  stride.record({ did: 'post', post: { id, ...fields } });
  stride.hint({ do: 'carry' });
}

/** Something for the world outside: part of the trace of whoever moves, unless it has its own. */
export function send(stride: Stride, event: Omit<Letter, 'id'>): void {
  const letter = { id: nextPostId(stride), ...inTrace(stride.trace), ...event };
  stride.record({ did: 'send', letter });
  stride.hint({ do: 'send' });
}
