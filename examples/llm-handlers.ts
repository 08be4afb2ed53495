/**
 * What the steps of llm-agent.ts do. The model is a stand-in that answers by heart, in the shape of
 * chat completions; where it is asked, a real one is asked by
 *
 *     fetch('https://…/v1/chat/completions', { method: 'POST', headers, body, signal })
 *
 * with `{ model, messages, tools }` as body, and the idempotency key among the headers.
 */
import type { ApprovalResult, Engine, HandlerTools } from 'perdure';

export type Message = { role: Role; content: string; tool_calls?: Calls; tool_call_id?: string };
type Role = 'user' | 'assistant' | 'tool';
type Calls = readonly { id: string; function: { name: string; arguments: string } }[];

let asked = 0;
type Conversation = { vars: { messages: readonly Message[] } };
export async function think({ vars }: HandlerTools & Conversation): Promise<Message> {
  asked += 1;
  if (asked === 1) throw new Error('the model is overloaded'); // it is asked again
  const turn = vars.messages.filter(({ role }) => role === 'assistant').length;
  if (turn === 0) return wanting('call-1', 'find_order', { order: 42 });
  if (turn === 1) return wanting('call-2', 'refund', { order: 42, amount: 900 });
  if (turn === 2) return wanting('call-3', 'refund', { order: 42, amount: 90 });
  return { role: 'assistant', content: 'Sorry for the trouble. You have 90 back.' };
}

function wanting(id: string, name: string, given: object): Message {
  const tool = { name, arguments: JSON.stringify(given) };
  return { role: 'assistant', content: '', tool_calls: [{ id, function: tool }] };
}

export const wishOf = ({ tool_calls: [call] = [] }: Message): string =>
  call === undefined ? 'nothing' : `${call.function.name} ${call.function.arguments}`;
export const isDangerous = (message: Message): boolean => wishOf(message).startsWith('refund ');

type Thought = { results: { think: Message; allow?: ApprovalResult | undefined } };
/** Uses the tool that the model wants, or tells it that somebody said no. */
export async function act({ results, idempotencyKey }: HandlerTools & Thought): Promise<Message[]> {
  const { think, allow } = results;
  const [call] = think.tool_calls ?? [];
  if (call === undefined) return [];
  const message = { role: 'tool', tool_call_id: call.id } as const;
  const isAllowed = allow === undefined || allow.decision === 'approve';
  if (!isAllowed) return [{ ...message, content: `refused: ${allow.comment}` }];
  console.log('tool:', wishOf(think));
  return [{ ...message, content: `done under ${idempotencyKey}` }];
}

/** Stands for Ann of support: whenever something happens she looks whether it waits for her. */
export async function playAnn(engine: Engine, id: string): Promise<void> {
  for await (const { instance } of engine.subscribe({ id, after: 0 })) {
    const [task] = (await engine.tasks.list({ instance, group: 'support' })).tasks;
    if (task === undefined) continue;
    const decision = String(task.title).includes('900') ? 'reject' : 'approve';
    console.log(`ann says ${decision}: ${task.title}`);
    const ann = { actor: 'ann', groups: ['support'], comment: 'the order was 90' };
    await engine.tasks.decide(task.id, { ...ann, decision });
  }
}
