/**
 * Small graphs full of joins, drawn with no regard for what belongs together.
 *
 * A graph is a row of places and ways between any two of them. What a place does is drawn once its
 * ways are known: where several lead in there is mostly a join, where several lead out a fork or a
 * choice. A way that does not lead forward is a loop: it burns one unit of fuel and leaves once
 * there is none, so all loops together make at most `fuel` passes, whoever comes by.
 *
 * What a choice takes is decided by luck, by how often it was passed: a run can be repeated, and a
 * closure stays a function of what it sees.
 */
import type { Code, NodeCode } from '../model/definition.ts';
import type { DraftEdge, DraftNode } from '../model/draft.ts';
import { Dice } from './dice.ts';
import { luck } from './random-luck.ts';
import type { Drawing } from './story.ts';

const PLACES = { least: 4, more: 9 };
/** Visits of places in one run, at the most: a graph of forks alone would never end. */
const VISITS_MAX = 60;

/** Places are numbered; a way that leads back may have another to go on by when it is used up. */
interface Way {
  readonly from: number;
  readonly to: number;
  readonly exit?: number;
}

interface Page {
  readonly seed: number;
  readonly nodes: DraftNode[];
  readonly edges: DraftEdge[];
  readonly code: Record<string, NodeCode>;
}

export function randomMeetings(seed: number): Drawing {
  const dice = new Dice(seed);
  const size = PLACES.least + dice.roll(PLACES.more);
  const fuel = 1 + dice.roll(3);
  const ways = drawWays(dice, size, fuel);
  const chains = Array.from({ length: size }, (_, place) => drawChain(dice, ways, place));
  const page: Page = { seed, nodes: [], edges: [], code: {} };
  for (const way of ways) {
    const end = `${way.from}.${(chains[way.from]?.length ?? 1) - 1}`;
    if (isLoop(way)) drawLoop(page, end, way);
    else lead(page, end, `${way.to}.0`);
  }
  for (const [place, chain] of chains.entries()) {
    for (const at of chain.keys()) if (at > 0) lead(page, `${place}.${at - 1}`, `${place}.${at}`);
    for (const [at, kind] of chain.entries()) drawNode(page, `${place}.${at}`, kind);
  }
  const { nodes, edges, code } = page;
  return {
    draft: { name: `meetings-${seed}`, version: 1, start: '0.0', vars: { fuel }, nodes, edges },
    code,
  };
}

function isLoop({ from, to }: Way): boolean {
  return to <= from;
}

/** One way to every place, mostly from nearby, and then some anywhere, forward and back. */
function drawWays(dice: Dice, size: number, fuel: number): readonly Way[] {
  const ways: Way[] = [];
  for (let to = 1; to < size; to += 1) {
    const near = dice.roll(3) > 0 ? Math.min(to, 3) : to;
    ways.push({ from: to - 1 - dice.roll(near), to });
  }
  const extras: Way[] = [];
  for (let more = 1 + dice.roll(size); more > 0; more -= 1) {
    const from = dice.roll(size - 1);
    extras.push({ from, to: from + 1 + dice.roll(size - 1 - from) });
  }
  for (let more = dice.roll(4); more > 0; more -= 1) {
    const from = 1 + dice.roll(size - 1);
    const way = { from, to: dice.roll(from + 1) };
    const leaves = from < size - 1 && dice.roll(3) > 0;
    extras.push(leaves ? { ...way, exit: from + 1 + dice.roll(size - 1 - from) } : way);
  }
  while (visitsOf([...ways, ...extras], size) * (1 + fuel) > VISITS_MAX && extras.length > 0) {
    extras.splice(dice.roll(extras.length), 1);
  }
  return [...ways, ...extras];
}

/** How often places are visited if every way is taken; loops are passed once, and left. */
function visitsOf(ways: readonly Way[], size: number): number {
  const visits = [1];
  for (let place = 1; place < size; place += 1) {
    const into = ways.filter((way) => (isLoop(way) ? way.exit : way.to) === place);
    visits.push(into.reduce((sum, { from }) => sum + (visits[from] ?? 0), 0));
  }
  return visits.reduce((sum, count) => sum + count, 0);
}

/** What stands at a place, one behind the other. */
function drawChain(dice: Dice, ways: readonly Way[], place: number): readonly string[] {
  const into = ways.flatMap(({ to, exit }) => [to, exit]).filter((to) => to === place).length;
  const out = ways.filter(({ from }) => from === place).length;
  const meets = into >= 2 && dice.roll(6) > 0;
  const chain = meets ? [dice.roll(4) > 0 ? 'inclusive' : 'join'] : [];
  if (out >= 2) {
    const parts = dice.pick(['fork', 'many', 'many', 'one', 'step', 'pass']);
    chain.push(...(parts === 'many' || parts === 'one' ? ['count', parts] : [parts]));
  } else if (!meets || dice.roll(2) > 0) {
    const plain = ['step', 'step', 'step', 'sleep', 'pass', 'box'];
    chain.push(out === 0 && dice.roll(2) === 0 ? 'end' : dice.pick(plain));
  }
  return chain;
}

/** Two ways may join the same places: they are two ways all the same. */
function lead({ edges }: Page, from: string, to: string): string {
  const id = `${from}->${to}#${edges.length}`;
  edges.push({ id, from, to });
  return id;
}

function drawLoop(page: Page, from: string, { to, exit }: Way): void {
  const id = `loop${page.edges.length}`;
  lead(page, from, `${id}.burn`);
  lead(page, `${id}.burn`, id);
  const arms = [{ edge: lead(page, id, `${to}.0`), slot: 'again' }];
  const otherwise = lead(page, id, exit === undefined ? `${id}.out` : `${exit}.0`);
  if (exit === undefined) page.nodes.push({ id: `${id}.out`, kind: 'end', settings: {} });
  page.nodes.push({ id: `${id}.burn`, kind: 'set', settings: {} });
  page.nodes.push({ id, kind: 'choose', settings: { arms, otherwise } });
  page.code[`${id}.burn`] = { value: ({ vars }) => ({ fuel: Number(vars['fuel']) - 1 }) };
  page.code[id] = { again: ({ vars }) => Number(vars['fuel']) >= 0 };
}

function drawNode(page: Page, id: string, kind: string): void {
  switch (kind) {
    case 'count':
      page.nodes.push({ id, kind: 'set', settings: { in: 'instance' } });
      page.code[id] = { value: ({ vars }) => ({ [id]: Number(vars[id] ?? 0) + 1 }) };
      return;
    case 'many':
    case 'one':
      return drawChoice(page, id, kind === 'many');
    case 'sleep':
      page.nodes.push({ id, kind, settings: { ms: 1 } });
      return;
    case 'box':
      return drawBox(page, id);
    default:
      page.nodes.push({ id, kind, settings: {} });
  }
}

function drawChoice(page: Page, id: string, many: boolean): void {
  const out = page.edges.filter(({ from }) => from === id).map((edge) => edge.id);
  const counted = page.edges.find(({ to }) => to === id)?.from ?? '';
  const holds = (edge: string): Code => {
    return ({ vars }) => luck(many ? 3 : 2, page.seed, edge, Number(vars[counted])) > 0;
  };
  const arms = out.slice(0, many ? undefined : -1).map((edge) => ({ edge, slot: edge }));
  const settings = { arms, otherwise: out.at(-1) ?? '', ...(many ? { many } : {}) };
  page.nodes.push({ id, kind: 'choose', settings });
  page.code[id] = Object.fromEntries(arms.map(({ edge }) => [edge, holds(edge)]));
}

/** A region with a choice and a join of its own: two of them may be open at once. */
function drawBox(page: Page, id: string): void {
  const first = page.nodes.length;
  lead(page, `${id}.count`, `${id}.split`);
  for (const way of ['work', 'nap']) {
    lead(page, `${id}.split`, `${id}.${way}`);
    lead(page, `${id}.${way}`, `${id}.meet`);
  }
  const inside = { count: 'count', split: 'many', work: 'step', nap: 'sleep', meet: 'inclusive' };
  for (const [name, kind] of Object.entries(inside)) drawNode(page, `${id}.${name}`, kind);
  for (const node of page.nodes.splice(first)) page.nodes.push({ ...node, parent: id });
  page.nodes.push({ id, kind: 'scope', settings: { body: `${id}.count` } });
}
