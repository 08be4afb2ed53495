/** `perdure publish TYPE` and `perdure send ID TYPE`: messages for whoever waits for them. */
import type { Published } from '../../index.ts';
import { runOf } from '../acting.ts';
import {
  answer,
  type Desk,
  type JsonOptions,
  jsonOption,
  type Part,
  type StoreOptions,
  storeOption,
} from '../desk.ts';
import { type ActingOptions, actingOf, actingOptions } from '../operator.ts';
import { withEngine } from '../stores.ts';
import { readJson } from '../words.ts';

interface MessageOptions extends JsonOptions, StoreOptions {
  readonly key?: string;
  readonly data?: string;
  readonly id?: string;
  readonly ttl?: string;
}

export const publish: Part = (program, desk) => {
  program
    .command('publish <type>')
    .description('a message for all that wait for its type and key, or will soon')
    .option('--key <key>', 'the key of those it is for; without one, those who listen to any')
    .option('--data <json>', 'what it says: JSON, @FILE or - for stdin')
    .option('--id <id>', 'the same id twice is one message')
    .option('--ttl <duration>', 'how long it is kept for whoever waits later')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action((type: string, options: MessageOptions) => publishOne(desk, type, options));
};

export const send: Part = (program, desk) => {
  const command = program
    .command('send <id> <type>')
    .description('a message for one instance')
    .option('--data <json>', 'what it says: JSON, @FILE or - for stdin')
    .option('--id <id>', 'the same id twice is one message')
    .option('--ttl <duration>', 'how long it is kept if it does not wait yet');
  actingOptions(command).action((id: string, type: string, options: SendOptions) => {
    return sendOne(desk, id, type, options);
  });
};

type SendOptions = Omit<MessageOptions, 'key'> & ActingOptions;

async function publishOne(desk: Desk, type: string, options: MessageOptions): Promise<void> {
  const { key, id, ttl } = options;
  const by = key === undefined ? {} : { key };
  const message = { type, ...by, ...dataOf(desk, options), ...named(id, ttl) };
  await withEngine(desk, options, async (engine) => {
    tell(desk, options, await engine.publish(message));
  });
}

async function sendOne(desk: Desk, to: string, type: string, options: SendOptions): Promise<void> {
  const { id, ttl, dryRun } = options;
  const { data } = dataOf(desk, options);
  await withEngine(desk, options, async (engine) => {
    const run = await runOf(engine, to);
    if (dryRun !== true) {
      const said = { ...actingOf(desk, options), ...named(id, ttl) };
      return tell(desk, options, await run.send(type, data, said));
    }
    const { changes } = await run.preview({
      do: 'send',
      type,
      ...(data === undefined ? {} : { data }),
      ...(id === undefined ? {} : { id }),
    });
    const value = { id: to, dryRun: true, changes };
    answer(desk, options, value, () => {
      return changes.length === 0
        ? 'it would be kept, as nobody waits for it; or it is there already, by its id'
        : 'it would be had at once';
    });
  });
}

function dataOf(
  { terminal }: Desk,
  { data }: MessageOptions,
): { data?: ReturnType<typeof readJson> } {
  return data === undefined ? {} : { data: readJson(terminal, '--data', data) };
}

function named(id: string | undefined, ttl: string | undefined): { id?: string; ttl?: string } {
  return { ...(id === undefined ? {} : { id }), ...(ttl === undefined ? {} : { ttl }) };
}

const OUTCOMES: Readonly<Record<Published['outcome'], string>> = {
  woken: 'had at once',
  buffered: 'kept: nobody waits for it yet',
  duplicate: 'known already: nothing was done',
};

function tell(desk: Desk, options: JsonOptions, published: Published): void {
  answer(desk, options, published, () => {
    const { outcome, instances } = published;
    const by = instances.length === 0 ? '' : ` by ${instances.join(', ')}`;
    return `${OUTCOMES[outcome]}${by}`;
  });
}
