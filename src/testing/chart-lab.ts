/** Flowcharts by a real engine: handlers that answer by a script, and what ran in the end. */
import type { FlowchartBody } from '../frontends/flowchart/definition.ts';
import { outcomes } from '../frontends/flowchart/results.ts';
import { waiting } from '../frontends/chain/results.ts';
import { DONE } from '../model/activity.ts';
import type { Flow } from '../model/definition.ts';
import type { Run } from '../runtime/run.ts';
import type { Handlers } from '../runtime/shared-handlers.ts';
import { type Answer, type Answers, executedIn, flowOf } from './chart-play.ts';
import type { Lab, LabOptions, OpenLab } from './lab.ts';
import { Restarts } from './restarts.ts';

export interface Scripted {
  readonly flow: Flow;
  readonly handlers: Handlers;
}

/**
 * An activity is answered for by its own name, without those of the flowcharts around it. One that
 * waits does so for the message `go NAME`. Whatever runs it again has the same answer.
 */
export function scripted(body: FlowchartBody, answers: Answers = {}): Scripted {
  const counts = new Map<string, number>();
  const given = new Map<string, Answer>();
  const next = (name: string): Answer => {
    const own = answers[name] ?? DONE;
    if (!Array.isArray(own)) return own as Answer;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return (own[count] as Answer | undefined) ?? DONE;
  };
  const handler: Handlers[string] = ({ activity, idempotencyKey, wake, attempt }) => {
    // A token is visited again when it is woken.
    const token = idempotencyKey.slice(0, idempotencyKey.lastIndexOf('/'));
    const answer = given.get(token) ?? next(activity);
    given.set(token, answer);
    if (typeof answer === 'string') return ended(activity, answer);
    if ('waits' in answer) {
      const isWoken = wake.reason === 'event' || wake.reason === 'timeout';
      return isWoken ? ended(activity, answer.waits) : waiting(`go ${activity}`);
    }
    if (attempt === 1 && wake.reason === 'first') throw new Error(`${activity} fails`);
    return ended(activity, 'fails' in answer ? answer.fails : answer.breaks);
  };
  const types = typesIn(body);
  return {
    flow: flowOf(body, answers),
    handlers: Object.fromEntries(types.map((type) => [type, handler])),
  };
}

function typesIn({ activities }: FlowchartBody): readonly string[] {
  return activities.flatMap(({ type, config = {} }) => {
    const inside = config as unknown as FlowchartBody;
    return Array.isArray(inside.activities) ? typesIn(inside) : [type];
  });
}

function ended(activity: string, named: string): unknown {
  return outcomes(
    named.split(',').flatMap((name) => name.trim() || []),
    activity,
  );
}

/** One instance of a flowchart, as far as it gets by itself. */
export async function beginChart(
  open: OpenLab,
  { flow, handlers }: Scripted,
  options: LabOptions = {},
): Promise<{ readonly lab: Lab; readonly run: Run }> {
  const lab = await open([flow], { handlers, ...options });
  const run = await lab.engine.start(flow, null as never, { key: 'k' });
  await lab.settle();
  return { lab, run };
}

/** The same in a program that is ended and started again, as often as a test likes. */
export async function beginRestarts(
  open: OpenLab,
  { flow, handlers }: Scripted,
): Promise<{ readonly program: Restarts; readonly id: string }> {
  const program = await Restarts.of(open, [flow], { handlers });
  const { id } = await program.lab.engine.start(flow, null as never, { key: 'k' });
  await program.lab.settle();
  return { program, id };
}

/** What ran, and how often: `A B*2`; with names, just the executions of these. */
export async function ranIn(run: Run, only?: string): Promise<string> {
  const names = only?.split(' ');
  const changes = (await run.history()).flatMap((entry) => entry.changes);
  return executedIn(changes, (node) => names?.includes(node) !== false);
}

/** How it stands with an instance, and what ran: `completed: A B*2`. */
export async function endOf(run: Run, only?: string): Promise<string> {
  return `${await run.status()}: ${await ranIn(run, only)}`;
}

/** Those that wait for somebody outside, by where they are. */
export async function waitingAt(run: Run, node: string): Promise<number> {
  const tokens = await run.tokens();
  const found = tokens.find((token) => token.node === node && token.wait?.on === 'message');
  if (found === undefined) throw new Error(`nobody waits at ${node}`);
  return found.id;
}

/** Whatever a store still has of instances that are over, table by table. */
export async function leftIn(lab: Lab): Promise<readonly string[]> {
  const tables = ['token', 'scope', 'variable', 'latch', 'subscription', 'undo'];
  const found = await Promise.all(
    tables.map(async (table) => ((await lab.peek(table)) ?? []).map(() => table)),
  );
  return found.flat();
}
