/** Plays a story to its end, answering in a given order. */
import { assert } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import { assemble, isResting, rowsOf } from '../kernel/instance.ts';
import type { Change } from '../model/change.ts';
import type { Code } from '../model/definition.ts';
import type { TokenId } from '../model/ids.ts';
import type { Token } from '../model/instance.ts';
import type { Post } from '../model/post.ts';
import { Dice } from './dice.ts';
import { type Drawing, type draw, Story } from './story.ts';

/** A story that takes more answers goes round in circles. */
const ANSWERS_MAX = 10_000;

/** Which of the tokens that can be answered is answered next; the list is never empty. */
export type Order = (tokens: readonly Token[]) => Token | undefined;

/** The orders a result must not depend on. Each call of a maker gives an order of its own. */
export const ORDERS: Readonly<Record<string, () => Order>> = {
  FIFO: () => (tokens) => tokens[0],
  LIFO: () => (tokens) => tokens.at(-1),
  'random order 1': () => randomOrder(1),
  'random order 2': () => randomOrder(2),
  'random order 3': () => randomOrder(3),
};

function randomOrder(seed: number): Order {
  const dice = new Dice(seed);
  return (tokens) => dice.pick(tokens);
}

/** The live tokens at a node, oldest first. */
export function tokensAt(story: Story, node: string): TokenId[] {
  return liveTokens(story)
    .filter((token) => token.node === node)
    .map(({ id }) => id);
}

/** The oldest of them, where somebody must be. */
export function oneAt(story: Story, node: string): TokenId {
  const [token] = tokensAt(story, node);
  assert(token !== undefined, `a token is at "${node}"`);
  return token;
}

/** The handlers of these nodes answer, in this order, with their node's name. */
export function answerAt(story: Story, nodes: readonly string[]): void {
  for (const node of nodes) for (const token of tokensAt(story, node)) story.done(token, node);
}

/** A story that has been started. */
export function begun(
  drawing: Drawing,
  options: ConstructorParameters<typeof Story>[1] = {},
  input: Json = null,
): Story {
  const story = new Story(drawing, options);
  story.start(input);
  return story;
}

/** The handler of the oldest token at a node fails. */
export function failAt(story: Story, node: string, code = 'boom'): string {
  return story.fail(oneAt(story, node), code);
}

/** How many tokens were born at a node, over the whole life of the instance. */
export function birthsAt(story: Story, node: string): number {
  return changesOf(story).filter(
    (change) => change.did === 'birth-token' && change.token.node === node,
  ).length;
}

/** How often a join fired, over the whole life of the instance. */
export function firingsOf(story: Story, node: string): number {
  return changesOf(story).filter(
    (change) => change.did === 'fire-latch' && change.latch.node === node,
  ).length;
}

/** What it had for other instances, over the whole life of the instance. */
export function postsOf(story: Story): Post[] {
  return changesOf(story).flatMap((change) => (change.did === 'post' ? [change.post] : []));
}

function changesOf({ history }: Story): Change[] {
  return history.flatMap(({ changes }) => [...changes]);
}

type NodeDrawing = NonNullable<Parameters<typeof draw>[1]>[string];

/** A choice between two ways out of the node of that name. */
export function either(node: string, yes: string, no: string, holds: Code): NodeDrawing {
  const arms = [{ edge: `${node}->${yes}`, slot: 'yes' }];
  return {
    kind: 'choose',
    settings: { arms, otherwise: `${node}->${no}` },
    code: { yes: holds },
  };
}

/** Answers until nothing can be answered any more; handlers return their node's name. */
export function play(story: Story, order: Order): void {
  for (let answers = 0; answers < ANSWERS_MAX; answers += 1) {
    const open = liveTokens(story).filter(isAnswerable);
    const token = open.length === 0 ? undefined : order(open);
    if (token === undefined) return;
    const { version } = story.head;
    answer(story, token);
    assert(story.head.version === version + 1, `the answer to token ${token.id} was taken`);
  }
  assert(false, `the story ends within ${ANSWERS_MAX} answers`);
}

/** One input in a process that lacks the flow's closures and loads from a store (D19). */
export function withoutCode(story: Story, input: () => string): string {
  const { machine } = story;
  Object.assign(story, { machine: { ...machine, code: null } });
  story.instance = assemble(rowsOf(story.instance));
  const told = input();
  Object.assign(story, { machine });
  return told;
}

function answer(story: Story, { id, node, wait, ...token }: Token): void {
  if (wait?.on === 'message') story.message(id, wait.type, wait.key, `${node} came`);
  else if (wait?.on === 'time') story.time(id);
  else if (token.handler?.endsWith(`/${node}`)) story.done(id, node);
  else story.go(id);
}

function isAnswerable(token: Token): boolean {
  if (token.status === 'ready') return !isResting(token) || token.handler !== null;
  return token.wait?.on === 'message' || token.wait?.on === 'time';
}

function liveTokens({ instance }: Story): Token[] {
  return instance.tokens.values();
}
