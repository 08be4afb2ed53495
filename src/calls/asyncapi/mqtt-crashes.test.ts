/**
 * Rounds of a subscription under chance: some crash before anybody has kept what they returned,
 * some lose their connection half-way, and messages come whenever they like.
 */
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { callingWith, consumeOf, documentOf, SUBSCRIPTION } from '../../testing/asyncapi-calls.ts';
import { Dice } from '../../testing/dice.ts';
import { type Broker, startBroker } from '../../testing/mqtt-broker.ts';
import type { Alarm } from './alarm.ts';
import type { Consume } from './gathering.ts';
import { RECONNECT_MS } from './mqtt-feed.ts';
import { subscribeAsyncApi } from './subscribe.ts';

const MESSAGES = 41;
/** Every third is filtered out. */
const WANTED = Array.from({ length: MESSAGES }, (_, at) => at).filter((at) => at % 3 !== 0);

/** Reconnects at once; whatever else is waited for does not come about. */
const impatient: Alarm = {
  set(ms, ring) {
    if (ms !== RECONNECT_MS) return () => {};
    const soon = setImmediate(ring);
    return () => clearImmediate(soon);
  },
};

interface Troubles {
  readonly crash: boolean;
  readonly cut: boolean;
}

/** What was committed in the end, of messages numbered from 0. */
async function live(broker: Broker, dice: Dice, { crash, cut }: Troubles): Promise<Json[]> {
  const document = documentOf({ host: `127.0.0.1:${broker.port}`, protocol: 'mqtt' }, 'news');
  const accept = ({ payload }: JsonObject): boolean => {
    if (cut && dice.roll(12) === 0) broker.cut();
    return Number(payload) % 3 !== 0;
  };
  const committed: Json[] = [];
  let state: Json = null;
  let sent = 0;
  const send = async (): Promise<void> => {
    await broker.publish('news', sent);
    sent += 1;
  };
  const until = (soFar: readonly JsonObject[]): boolean =>
    (soFar.at(-1)?.['payload'] ?? committed.at(-1)) === MESSAGES - 1;
  for (;;) {
    const max = 1 + dice.roll(6);
    const parts: Partial<Consume> = { accept, until, max, known: committed.length, state };
    const consume = consumeOf(parts);
    const coming = subscribeAsyncApi(callingWith(document), SUBSCRIPTION, consume, impatient);
    if (sent === 0) await broker.until(() => broker.diary.includes('subscribe news'));
    for (let more = dice.roll(8); more > 0 && sent < MESSAGES; more -= 1) await send();
    // Whoever waits for messages must not do so in vain.
    const wanted = (): number => WANTED.filter((one) => one < sent).length;
    while (sent < MESSAGES && wanted() < committed.length + max) await send();
    const consumed = await coming;
    if (crash && dice.roll(3) === 0) continue;
    committed.push(...consumed.messages.map((message) => message['payload'] ?? null));
    state = JSON.parse(JSON.stringify(consumed.state)) as Json;
    if (consumed.done) return committed;
  }
}

test.each(Array.from({ length: 15 }, (_, seed) => seed))(
  'rounds that crash before they are committed lose nothing and double nothing (seed %i)',
  async (seed) => {
    const broker = await startBroker();
    const committed = await live(broker, new Dice(seed), { crash: true, cut: false });
    await broker.close();
    expect(committed).toEqual(WANTED);
  },
);

test.each(Array.from({ length: 15 }, (_, seed) => seed))(
  'rounds whose connections break lose nothing (seed %i)',
  async (seed) => {
    const broker = await startBroker();
    const committed = await live(broker, new Dice(seed), { crash: true, cut: true });
    await broker.close();
    expect([...new Set(committed)].sort((a, b) => Number(a) - Number(b))).toEqual(WANTED);
  },
);
