/**
 * Which row of a drawing each thing stands in, in which order, and in which column.
 *
 * The usual way in three steps: loops are found and left aside, everything stands below all that
 * lead to it, and rows are put in the order of their neighbours' middle. Columns are the nearest
 * there are to the middle of the neighbours, with room between. A way that passes a row takes a
 * place in it, so that it goes round what stands there.
 */

/** Something that takes room: a node, the words on a way, or a way that passes. */
export interface Item {
  readonly key: string;
  readonly width: number;
  readonly height: number;
}

export interface Link {
  readonly from: string;
  readonly to: string;
}

/** Columns between two things of a row. */
const GAP = 3;
/** More change little. Even, so that the last one looks down: a fork stands above its middle. */
const SWEEPS = 6;

/** The links that lead back to something they come from. */
export function backLinks<One extends Link>(
  keys: readonly string[],
  links: readonly One[],
): Set<One> {
  const back = new Set<One>();
  const state = new Map<string, 'open' | 'done'>();
  const out = groupBy(links, ({ from }) => from);
  const visit = (root: string): void => {
    const path = [{ key: root, next: 0 }];
    state.set(root, 'open');
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const link = out.get(top.key)?.[top.next];
      top.next += 1;
      if (link === undefined) {
        state.set(top.key, 'done');
        path.pop();
      } else if (state.get(link.to) === 'open') {
        back.add(link);
      } else if (!state.has(link.to)) {
        state.set(link.to, 'open');
        path.push({ key: link.to, next: 0 });
      }
    }
  };
  const led = new Set(links.map(({ to }) => to));
  const first = keys.filter((key) => !led.has(key));
  for (const key of [...first, ...keys]) if (!state.has(key)) visit(key);
  return back;
}

/** The row of each: one below the lowest that leads to it. Without loops. */
export function rowsOf(
  keys: readonly string[],
  links: readonly Link[],
): ReadonlyMap<string, number> {
  const out = groupBy(links, ({ from }) => from);
  const open = new Map(keys.map((key) => [key, 0]));
  for (const { to } of links) open.set(to, (open.get(to) ?? 0) + 1);
  const rows = new Map(keys.map((key) => [key, 0]));
  const free = keys.filter((key) => open.get(key) === 0);
  // What is added while it is walked is walked, too.
  for (const key of free) {
    for (const { to } of out.get(key) ?? []) {
      rows.set(to, Math.max(rows.get(to) ?? 0, (rows.get(key) ?? 0) + 1));
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      if (left === 0) free.push(to);
    }
  }
  return rows;
}

/** Each row in an order in which few ways cross. Links are between neighbouring rows. */
export function orderOf(
  rows: readonly (readonly string[])[],
  links: readonly Link[],
): readonly (readonly string[])[] {
  const above = groupBy(links, ({ to }) => to);
  const below = groupBy(links, ({ from }) => from);
  const ordered = rows.map((row) => [...row]);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const down = sweep % 2 === 0;
    for (let step = 1; step < ordered.length; step += 1) {
      const at = down ? step : ordered.length - 1 - step;
      const fixed = placesIn(ordered[down ? at - 1 : at + 1] ?? []);
      const row = ordered[at] ?? [];
      const wanted = new Map(
        row.map((key, index) => {
          const near = down
            ? (above.get(key) ?? []).map(({ from }) => fixed.get(from) ?? 0)
            : (below.get(key) ?? []).map(({ to }) => fixed.get(to) ?? 0);
          return [key, near.length === 0 ? index : mean(near)];
        }),
      );
      row.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    }
  }
  return ordered;
}

function placesIn(row: readonly string[]): ReadonlyMap<string, number> {
  return new Map(row.map((key, index) => [key, index]));
}

/** Columns to the left of the one in which ways come and go. */
export function leftOf({ width }: Item): number {
  return Math.floor((width - 1) / 2);
}

/** The column in which the ways of each come and go; the leftmost thing begins in column 0. */
export function columnsOf(
  rows: readonly (readonly Item[])[],
  links: readonly Link[],
): ReadonlyMap<string, number> {
  const above = groupBy(links, ({ to }) => to);
  const below = groupBy(links, ({ from }) => from);
  const columns = new Map<string, number>();
  for (const row of rows) place(row, () => undefined, columns);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const down = sweep % 2 === 0;
    const order = down ? rows : rows.toReversed();
    for (const row of order.slice(1)) {
      const near = ({ key }: Item): number | undefined => {
        const found = down
          ? (above.get(key) ?? []).map(({ from }) => columns.get(from) ?? 0)
          : (below.get(key) ?? []).map(({ to }) => columns.get(to) ?? 0);
        return found.length === 0 ? undefined : mean(found);
      };
      place(row, near, columns);
    }
  }
  const begins = (item: Item): number => (columns.get(item.key) ?? 0) - leftOf(item);
  const least = rows.flat().reduce((most, item) => Math.min(most, begins(item)), Infinity);
  return new Map([...columns].map(([key, column]) => [key, column - least]));
}

/**
 * Puts a row as near to where each wants to be as the room between them allows: those that want the
 * same place share the way they have to give. What has no wish stays where it is.
 */
function place(
  row: readonly Item[],
  wish: (item: Item) => number | undefined,
  columns: Map<string, number>,
): void {
  let room = 0;
  const blocks: { sum: number; items: { key: string; room: number }[] }[] = [];
  for (const [index, item] of row.entries()) {
    const before = row[index - 1];
    if (before !== undefined) room += before.width - leftOf(before) + GAP + leftOf(item);
    const wanted = wish(item) ?? columns.get(item.key) ?? room;
    let block = { sum: wanted - room, items: [{ key: item.key, room }] };
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (last.sum / last.items.length <= block.sum / block.items.length) break;
      blocks.pop();
      block = { sum: last.sum + block.sum, items: [...last.items, ...block.items] };
    }
    blocks.push(block);
  }
  for (const { sum, items } of blocks) {
    const shift = Math.round(sum / items.length);
    for (const item of items) columns.set(item.key, shift + item.room);
  }
}

export function groupBy<One>(
  list: readonly One[],
  keyOf: (one: One) => string,
): ReadonlyMap<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, one) => sum + one, 0) / list.length;
}
