/**
 * How a flow is tested: a step is mocked, a week passes at once, the way that an instance took is
 * asserted, and all of it once more with a crash after every commit. The test kit is an engine in
 * memory on a clock that only the test moves; the same lines go into `node:test` or vitest.
 *
 * Prints:
 *
 *     ok: whoever confirms has an account
 *     ok: whoever does not is forgotten after seven days
 *     ok: crashes change nothing
 */
import assert from 'node:assert/strict';
import { flow } from 'perdure';
import { type Chaos, createTestEngine } from 'perdure/testing';

const signup = flow<{ address: string }>('signup')
  .step('ask', ({ input }) => fetch(`https://mail.example/${input.address}`).then(() => null), {
    retry: { maxAttempts: 3, delay: '1m' },
  })
  .firstOf('answer', { yes: { event: 'confirmed' }, no: { after: '7d' } })
  .choose(
    'confirmed',
    {
      yes: {
        when: ({ results }) => results.answer.arm === 'yes',
        do: (b) => b.step('create', () => 'created'),
      },
    },
    { otherwise: (b) => b.step('forget', () => 'forgotten') },
  )
  .end(({ results }) => results.create ?? results.forget);

/** One story, from the start to the end, with or without an answer on the second day. */
async function story(answers: boolean, chaos: Chaos = {}) {
  const test = createTestEngine({ flows: [signup], chaos });
  const mails = new Set<string>();
  test.mock('ask', ({ attempt, idempotencyKey }) => {
    if (attempt === 1) throw new Error('the mail server is down');
    mails.add(idempotencyKey);
  });
  const run = await test.start(signup, { address: 'ann@example.com' }, { key: 'ann' });
  await test.advance('1d');
  if (answers) await test.engine.publish({ type: 'confirmed', key: 'ann' });
  await test.advance('7d');
  const told = { output: await run.result(), path: test.path(run.id), mails: mails.size };
  await test.close();
  return told;
}

const path = ['ask', 'answer', 'confirmed', 'create'];
const calm = await story(true);
assert.deepEqual(calm, { output: 'created', path, mails: 1 });
console.log('ok: whoever confirms has an account');
const silent = await story(false);
assert.deepEqual(silent, { output: 'forgotten', path: path.with(3, 'forget'), mails: 1 });
console.log('ok: whoever does not is forgotten after seven days');
assert.deepEqual(await story(true, { crashAfterEveryCommit: true }), calm);
assert.deepEqual(await story(false, { crashAfterEveryCommit: true }), silent);
console.log('ok: crashes change nothing');
