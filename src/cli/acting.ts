/** What operators do, in words: the actions of the engine as commands call and show them. */
import type { Action, Acting, Engine, InstanceView, Preview, Run } from '../index.ts';
import { EngineError } from '../index.ts';
import type { Naming } from './naming.ts';
import { Narrator } from './narrator.ts';

/** The instance of an id; throws if there is none. */
export async function runOf(engine: Engine, id: string): Promise<Run> {
  const run = await engine.get(id);
  if (run !== undefined) return run;
  const message = `there is no instance ${id}: "perdure ls" lists those there are`;
  throw new EngineError('instance.not-found', message, { details: { instance: id } });
}

/** Does it, and says what the instance is like then: of a copy, the copy. */
export async function act(run: Run, action: Action, acting: Acting): Promise<InstanceView> {
  return (await run.act(action, acting)).inspect();
}

export function preview(run: Run, action: Action): Promise<Preview> {
  return run.preview(action);
}

/** What a preview shows, a line for each thing that would happen. */
export function previewLines(
  { before, after, changes }: Preview,
  naming: Naming | null = null,
): readonly string[] {
  const narrator = new Narrator(naming);
  narrator.know(before?.tokens ?? [], after.updatedAt);
  const lines = narrator
    .tell({ at: after.updatedAt, changes })
    // They begin with who did it, and nobody has.
    .slice(changes[0]?.did === 'act' ? 1 : 0)
    .map(({ node, text }) => (node === null ? text : `${node} ${text}`));
  const status =
    before?.status === after.status
      ? after.status
      : `${before?.status ?? 'nothing'} → ${after.status}`;
  if (changes.every(({ did }) => did === 'act')) return [`nothing: it is ${status}`];
  // One that is woken has nothing to say before it ends.
  return [...(lines.length === 0 ? ['it goes on'] : lines), `it would be ${status}`];
}
