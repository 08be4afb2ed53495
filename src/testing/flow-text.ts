/** A flow as text, and the builder as JavaScript has it: what the tests of this room compare. */
import type { Json } from '../base/json.ts';
import type { Flow } from '../model/definition.ts';
import type { FlowBuilder } from '../frontends/builder/builder-types.ts';
import { flow } from '../frontends/builder/flow.ts';
import type { Frame } from '../frontends/builder/frames.ts';

/** A draft as text: each node with its settings and code, inner ones indented, then the edges. */
export function drawn({ definition }: Flow): string {
  const { draft, code, handlers } = definition;
  const depths = new Map<string, number>();
  const lines = draft.nodes.flatMap(({ id, kind, settings, parent, hidden }) => {
    const depth = parent === undefined ? 0 : (depths.get(parent) ?? -9) + 1;
    depths.set(id, depth);
    const own = [...handlers.keys()].filter((key) => key.startsWith(`${id}/:`));
    const slots = [
      ...Object.keys(code.get(id) ?? {}),
      ...(handlers.has(id) ? ['handler'] : []),
      ...own.map((key) => key.slice(id.length + 1)),
    ];
    const { arms = [], ...rest } = settings;
    const node = [
      `${'  '.repeat(depth)}${hidden === true ? `(${id})` : id}`,
      kind,
      ...(Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : []),
      ...(slots.length > 0 ? [`<${slots.join(' ')}>`] : []),
    ];
    return [node.join(' '), ...(arms as Json[]).map((arm) => `| arm ${JSON.stringify(arm)}`)];
  });
  return `\n${[...lines, ...draft.edges.map(({ id }) => id)].join('\n')}\n`;
}

/** A builder without types, as JavaScript has it. */
export type Untyped = {
  readonly [Method in Extract<keyof FlowBuilder<Frame, unknown, never, never>, string>]: (
    ...parameters: unknown[]
  ) => Untyped;
};

export const untyped = flow as unknown as (name?: unknown, options?: unknown) => Untyped;

type Build = (b: Untyped) => Untyped;

/** Everything wrong with a flow, one sentence each. */
export function wrong(build: Build, name: unknown = 'f', options?: unknown): string[] {
  const { definition } = build(untyped(name, options)).end() as unknown as Flow;
  return definition.diagnostics.map(({ code, node, message }) =>
    [code, ...(node === undefined ? [] : [`at ${node}`]), `- ${message}`].join(' '),
  );
}

export function codes(build: Build, name: unknown = 'f', options?: unknown): string[] {
  return wrong(build, name, options).map((line) => line.split(' ')[0] ?? '');
}

/** A body that adds nothing. */
export function same(b: Untyped): Untyped {
  return b;
}
