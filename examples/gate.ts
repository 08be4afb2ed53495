/**
 * A kind of node that the application brings itself: a token waits at a gate until a guard opens
 * it, or until so many days are over. node-kinds.ts uses it.
 */
import { defineKind, go, pause } from 'perdure';

export const gate = defineKind({
  kind: 'acme.gate',
  config: (config) => {
    const { gate, days } = config as { gate: string; days: number };
    if (typeof gate !== 'string') throw new Error('names the gate');
    if (!(days > 0)) throw new Error('says for how many days it waits');
    return { gate, days };
  },
  pauses: true,
  ways: ['open', 'late'],
  enter: ({ config, token }) =>
    pause({
      name: `gate ${config.gate}`,
      data: { gate: config.gate },
      timeout: `${config.days}d`,
      outbound: [{ type: 'gate.watch', data: { gate: config.gate, token } }],
    }),
  resume: (_view, signal) =>
    signal.on === 'time' ? go(null, { way: 'late' }) : go(signal.data, { way: 'open' }),
  leave: ({ pause }, why) => [{ type: 'gate.forget', data: { pause: pause.data, why } }],
});
