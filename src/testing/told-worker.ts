/**
 * A worker that a test holds by the hand. It says when its step begins, and what its engine notes.
 * It hears `go`, for a step that is held; `idle`, and says so once there is nothing to do; `close`.
 *
 *     node src/testing/told-worker.ts POST
 */
import { setTimeout } from 'node:timers/promises';
import { assert } from '../base/assert.ts';
import { flow } from '../frontends/builder/flow.ts';
import { createEngine } from '../runtime/engine.ts';
import { storeAt } from './place.ts';
import { hear, say, sayAtWork } from './program-side.ts';
import { Gate } from './stage.ts';
import { type Post, toldFlow, type Work } from './told-flow.ts';

const [post] = process.argv.slice(2);
assert(post !== undefined, 'what to do is told as JSON');
const { place, name, worker = {}, hasCode = true } = JSON.parse(post) as Post;
const go = new Gate();

hear((line) => {
  if (line === 'go') go.open();
  else if (line === 'idle') void engine.parts.worker?.quiet().then(() => say('idle'));
  else void engine.close().then(() => say('closed'));
});

const work: Work = async ({ input, attempt }) => {
  say(`began ${attempt}`);
  const { holdIn, blockMs = 0, takesMs = 0 } = input;
  if (holdIn === name) await go.opened;
  if (takesMs > 0) await setTimeout(takesMs);
  for (const until = Date.now() + blockMs; Date.now() < until; );
  return name;
};

const note = (_details: object, message: string): void => say(`noted: ${message}`);
const engine = await createEngine({
  store: storeAt(place),
  flows: [
    hasCode
      ? toldFlow(work)
      : flow('other')
          .step('work', work as () => string)
          .end(),
  ],
  worker,
  logger: { debug: note, info: note, warn: note, error: note },
});
sayAtWork();
