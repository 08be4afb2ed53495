/** What one instance has for another: written down in the commit, and carried after it (D3). */
import type { Post } from '../model/post.ts';
import type { Stride } from './stride.ts';

type Unnamed<Each> = Each extends unknown ? Omit<Each, 'id'> : never;

/** The number that makes its id one of a kind; no scope or token has the same. */
export function postNumber({ id }: Pick<Post, 'id'>): number {
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
