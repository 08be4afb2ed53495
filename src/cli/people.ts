/**
 * What every command has in common that does something with a task: who does it, and what became
 * of the task. The engine knows no people, so whoever is named is believed.
 */
import type { Command } from 'commander';
import { type Engine, EngineError, type TaskActor, type TaskView } from '../index.ts';
import { answer, type Desk, jsonOption, type JsonOptions, storeOption } from './desk.ts';
import type { StoreOptions } from './desk.ts';
import { candidatesText, namesText } from './people-words.ts';
import { plainLine } from './plain.ts';
import { withEngine } from './stores.ts';

export interface PersonOptions extends JsonOptions, StoreOptions {
  readonly actor?: string;
  readonly group?: readonly string[];
  readonly comment?: string;
  readonly override?: boolean;
}

/** Those of whoever does something. */
export function personOptions(command: Command): Command {
  return command
    .option('--actor <name>', 'who does this (the user of this machine)')
    .option('--group <name...>', 'groups they belong to')
    .option('--comment <text>', 'what they have to say about it')
    .option('--override', 'do it although they have no say in it; the trail says so')
    .addOption(storeOption())
    .addOption(jsonOption());
}

function actorOf({ terminal }: Desk, options: PersonOptions): TaskActor {
  const { actor, group, comment, override } = options;
  return {
    actor: actor ?? terminal.user,
    ...(group === undefined ? {} : { groups: group }),
    ...(comment === undefined ? {} : { comment }),
    ...(override === true ? { override } : {}),
  };
}

/** Does it, and says what the task is like then. */
export async function withTask(
  desk: Desk,
  verb: string,
  id: string,
  options: PersonOptions,
  use: (tasks: Engine['tasks'], who: TaskActor) => Promise<void>,
): Promise<void> {
  await withEngine(desk, options, async (engine) => {
    await use(engine.tasks, actorOf(desk, options));
    const task = await engine.tasks.get(id);
    answer(desk, options, { id, done: task === undefined, task: task ?? null }, () => {
      const { paint } = desk.terminal;
      return plainLine(`${paint('green', '✓')} ${verb} ${id}: ${standingText(task)}`);
    });
  });
}

/** The task of an id; throws if there is none. */
export async function taskOf(engine: Engine, id: string): Promise<TaskView> {
  const task = await engine.tasks.get(id);
  if (task !== undefined) return task;
  const message = `there is no open task ${id}: "perdure tasks" lists those there are`;
  throw new EngineError('task.not-found', message, { details: { task: id } });
}

function standingText(task: TaskView | undefined): string {
  if (task === undefined) return 'it is done';
  if (task.kind === 'approval') return `it waits for ${forText(task)}`;
  return task.assignee === null ? `it is open to ${forText(task)}` : `it is ${task.assignee}'s`;
}

/** Whom a task is for. */
export function forText(task: TaskView): string {
  if (task.kind === 'approval') return namesText(task.waitsFor, 'nobody');
  if (task.assignee !== null) return task.assignee;
  return candidatesText(task.candidates);
}
