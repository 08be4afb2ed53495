/**
 * The builder at run time: the methods of `builder-types.ts` on parameters nobody vouches for.
 *
 * Each method makes a piece of the draft and returns a new writer whose path ends with it.
 */
import type { FlowBuilder } from './builder-types.ts';
import { finish, type FlowHead } from './finish.ts';
import type { Flow } from '../../model/definition.ts';
import type { Frame } from './frames.ts';
import { append, type Path, type Piece } from './path.ts';
import { drawSet, drawSleep, drawTerminate } from './plain-nodes.ts';
import type { Desk } from './bodies.ts';
import { drawCall } from './calls.ts';
import { drawFail, drawTry } from './failures.ts';
import { drawMap } from './maps.ts';
import { drawEmit, drawFirstOf, drawWait } from './messages.ts';
import { drawApprove, drawTask } from './people.ts';
import { drawNode } from './own-nodes.ts';
import { drawChoose, drawParallel, drawRace, drawRepeat, drawScope } from './regions.ts';
import { drawStep } from './steps.ts';

/** Whatever the types promise must be here. */
type Promised = Record<
  Extract<keyof FlowBuilder<Frame, unknown, never, never>, string>,
  (...parameters: never) => unknown
>;

export class Writer implements Promised {
  readonly #head: FlowHead;
  readonly #path: Path;

  constructor(head: FlowHead, path: Path) {
    this.#head = head;
    this.#path = path;
  }

  step(name: unknown, handler: unknown, options?: unknown): Writer {
    return this.#add(drawStep(this.#path.region, name, handler, options));
  }

  set(name: unknown, value: unknown, options?: unknown): Writer {
    return this.#add(drawSet(this.#path.region, name, value, options));
  }

  choose(name: unknown, arms: unknown, options?: unknown): Writer {
    return this.#add(drawChoose(this.#desk(), this.#path.region, [name, arms, options]));
  }

  parallel(name: unknown, branches: unknown): Writer {
    return this.#add(drawParallel(this.#desk(), this.#path.region, name, branches));
  }

  race(name: unknown, branches: unknown): Writer {
    return this.#add(drawRace(this.#desk(), this.#path.region, name, branches));
  }

  repeat(name: unknown, check: unknown, body: unknown): Writer {
    return this.#add(drawRepeat(this.#desk(), this.#path.region, [name, check, body]));
  }

  map(name: unknown, options: unknown, body: unknown): Writer {
    return this.#add(drawMap(this.#desk(), this.#path.region, [name, options, body]));
  }

  sleep(name: unknown, duration: unknown): Writer {
    return this.#add(drawSleep(this.#path.region, name, duration));
  }

  waitFor(name: unknown, options: unknown): Writer {
    return this.#add(drawWait(this.#path.region, name, options));
  }

  firstOf(name: unknown, arms: unknown): Writer {
    return this.#add(drawFirstOf(this.#path.region, name, arms));
  }

  task(name: unknown, options?: unknown): Writer {
    return this.#add(drawTask(this.#path.region, name, options));
  }

  approve(name: unknown, options: unknown): Writer {
    return this.#add(drawApprove(this.#path.region, name, options));
  }

  try(name: unknown, body: unknown, options: unknown): Writer {
    return this.#add(drawTry(this.#desk(), this.#path.region, [name, body, options]));
  }

  scope(name: unknown, body: unknown, options?: unknown): Writer {
    const { saga } = this.#head;
    return this.#add(drawScope(this.#desk(), this.#path.region, [name, body, options], saga));
  }

  emit(name: unknown, event: unknown, options?: unknown): Writer {
    return this.#add(drawEmit(this.#path.region, [name, event, options]));
  }

  call(name: unknown, flow: unknown, input?: unknown, options?: unknown): Writer {
    return this.#add(drawCall(this.#path.region, [name, flow, input, options]));
  }

  node(name: unknown, kind: unknown, config?: unknown, ways?: unknown): Writer {
    return this.#add(drawNode(this.#desk(), this.#path.region, [name, kind, config, ways]));
  }

  fail(name: unknown, error: unknown): Writer {
    return this.#add(drawFail(this.#path.region, name, error));
  }

  terminate(name: unknown, output?: unknown): Writer {
    return this.#add(drawTerminate(this.#path.region, name, output));
  }

  end(output?: unknown): Flow {
    return finish(this.#head, this.#path, output);
  }

  #add(piece: Piece): Writer {
    return new Writer(this.#head, append(this.#path, piece));
  }

  #desk(): Desk {
    return {
      open: (path) => new Writer(this.#head, path),
      findPath: (value) => (value instanceof Writer ? value.#path : undefined),
    };
  }
}
