/** The test's end of `told-worker.ts`. */
import { createEngine, type Engine } from '../runtime/engine.ts';
import { storeAt } from './place.ts';
import { Program } from './program.ts';
import { type Post, toldElsewhere } from './told-flow.ts';

/** The engine of the test itself, which only starts and looks. */
export async function openOffice(place: string): Promise<Engine> {
  const flows = [toldElsewhere()];
  return createEngine({ store: storeAt(place), flows, worker: false });
}

/** A worker that has begun to look for something to do. */
export async function launch(post: Post): Promise<Program> {
  const program = new Program('told-worker', [JSON.stringify(post)]);
  await program.atWork();
  return program;
}

/** It has nothing to do, and whatever it said before has been heard. */
export async function idle(program: Program): Promise<void> {
  const said = program.saysNext(/^idle$/);
  program.tell('idle');
  await said;
}
