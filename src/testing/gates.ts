/** A kind of an application's for tests: it arms something outside, pauses, and disarms it. */
import { defineKind } from '../frontends/kinds/define-kind.ts';
import { fault, go, pause } from '../frontends/kinds/moves.ts';
import type { CustomKind } from '../model/custom-kind.ts';
import type { Json } from '../base/json.ts';
import type { Run } from '../runtime/run.ts';

export interface GateConfig {
  readonly gate: string;
  readonly timeout?: string;
  readonly event?: string;
}

/** Woken with 'again' it pauses once more, and with 'break' it fails. */
export function gateKind(kind: string, wakes: 'any' | 'owner' = 'owner'): Gate {
  return defineKind({
    kind,
    wakes,
    pauses: true,
    config: (config) => config as unknown as GateConfig,
    enter: ({ config, item, index }) => armed(config, { gate: config.gate, item, index, n: 1 }),
    resume({ config, pause: { data } }, signal) {
      const armedWith = data as unknown as Armed;
      if (signal.on === 'time') return go({ late: armedWith.gate });
      if (signal.data === 'again') return armed(config, { ...armedWith, n: armedWith.n + 1 });
      if (signal.data === 'break') return fault('gate.broken', 'it is broken');
      return go({ by: signal.on, data: signal.data, item: armedWith.item });
    },
    leave: ({ pause: { data } }, why) => [{ type: `disarm ${why}`, data }],
  });
}

export type Gate = CustomKind<GateConfig, Json>;

interface Armed {
  readonly gate: string;
  readonly item: Json;
  readonly index: number | null;
  readonly n: number;
}

function armed({ timeout, event }: GateConfig, data: Armed): ReturnType<typeof pause> {
  return pause({
    name: 'gate',
    data,
    outbound: [{ type: 'arm', data }],
    ...(timeout === undefined ? {} : { timeout }),
    ...(event === undefined ? {} : { event }),
  });
}

/** What the outside was told, in order, as `arm a 1` and `disarm done a 1`. */
export async function toldBy(run: Run): Promise<readonly string[]> {
  const history = await run.history();
  return history.flatMap(({ changes }) =>
    changes.flatMap((change) => {
      if (change.did !== 'send') return [];
      const { gate, n } = change.letter.data as unknown as Armed;
      return [`${change.letter.type} ${gate} ${n}`];
    }),
  );
}
