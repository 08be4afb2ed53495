/**
 * An agent: a language model in a loop with tools, and a person who allows the dangerous ones. Each
 * answer of the model and each use of a tool is a step: a crash repeats at most the one that was
 * under way, with the same idempotency key. The conversation is a variable of the instance. If the
 * person refuses, the model is told so and thinks of something else. After ten turns it is over.
 *
 * Prints:
 *
 *     tool: find_order {"order":42}
 *     ann says reject: refund {"order":42,"amount":900}
 *     ann says approve: refund {"order":42,"amount":90}
 *     tool: refund {"order":42,"amount":90}
 *     Sorry for the trouble. You have 90 back.
 */
import { createEngine, flow } from 'perdure';
import { sqlite } from 'perdure/sqlite';
import { act, isDangerous, type Message, playAnn, think, wishOf } from './llm-handlers.ts';

const policy = { timeout: '2m', retry: { maxAttempts: 5, delay: '50ms', jitter: 0.5 } } as const;
type Vars = { messages: Message[] };
const agent = flow<{ question: string }, Vars>('agent', { vars: { messages: [] } })
  .set('ask', ({ input }) => ({ messages: [{ role: 'user' as const, content: input.question }] }))
  .repeat(
    'turns',
    { until: ({ vars, index }) => vars.messages.at(-1)?.role === 'assistant' || index === 9 },
    (turn) =>
      turn
        .step('think', think, policy)
        .choose(
          'guard',
          {
            dangerous: {
              when: ({ results }) => isDangerous(results.think),
              do: (b) =>
                b.approve('allow', {
                  approvers: ['support'],
                  title: ({ results }) => wishOf(results.think),
                  timeout: '1d',
                  onTimeout: 'reject',
                }),
            },
          },
          { otherwise: (b) => b }, // a tool that does no harm, or the answer
        )
        .step('act', act, policy)
        .set(
          'remember',
          ({ vars, results: { think, act } }) => ({ messages: [...vars.messages, think, ...act] }),
          { in: 'instance' },
        ),
  )
  .end(({ vars }) => vars.messages.at(-1)?.content);

const engine = await createEngine({ store: sqlite('agent.db'), flows: [agent] });
const run = await engine.start(agent, { question: 'My order 42 arrived broken.' });
await playAnn(engine, run.id);
console.log(await run.result());
await engine.close();
