/**
 * `defineKind({…})`: a node kind of an application's own. The object is more than a description: it
 * is what registers the kind, what a flow carries, and what proves, to an engine that has it, that
 * whoever wakes a pause of it may.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { EngineError } from '../../base/engine-error.ts';
import type { Json } from '../../base/json.ts';
import type { Jsonify } from '../../base/jsonify.ts';
import type { Outbound } from '../../model/chain.ts';
import {
  type CustomKind,
  type KindGo,
  type KindMove,
  type KindPause,
  kindProblem,
  type KindSignal,
  type KindView,
  type LeaveReason,
  type PausedView,
} from '../../model/custom-kind.ts';

/** What the author's types say more of. */
type Typed = 'config' | 'enter' | 'resume' | 'leave';

type Check<Given, Kept> = StandardSchemaV1<Given, Kept> | ((config: Json) => Kept);

type GoneWith<Move> = Move extends KindGo<infer Value> ? Value : never;

/** One that pauses goes on with what `resume` says. */
type ValueFor<Entered, Resumed> =
  | GoneWith<Entered>
  | ([Extract<Entered, KindPause>] extends [never] ? never : GoneWith<Resumed>);

export interface KindDefinition<
  Given,
  Kept,
  Way extends string,
  Entered extends KindMove<unknown, Way>,
  Resumed extends KindMove<unknown, Way>,
> extends Pick<CustomKind<Given, unknown, Way>, Exclude<Extract<keyof CustomKind, string>, Typed>> {
  /** A Standard Schema, or a function that answers with the config or throws what is wrong. */
  readonly config?: Check<Given, Kept>;
  /** A token has come. Decides, and does nothing itself: it may be asked more than once. */
  enter(view: KindView<Jsonify<Kept>>): Entered;
  /** A pause is over. Without this the node goes on with what ended it. */
  resume?(view: PausedView<Jsonify<Kept>>, signal: KindSignal): Resumed;
  /** What the world outside is told when a pause is over. Asked when it begins. */
  leave?(view: PausedView<Jsonify<Kept>>, why: LeaveReason): readonly Outbound[];
}

export function defineKind<
  Kept = Json,
  Given = Kept,
  const Way extends string = never,
  Entered extends KindMove<unknown, Way> = KindMove<unknown, Way>,
  Resumed extends KindMove<unknown, Way> = KindGo<Json, never>,
>(
  definition: KindDefinition<Given, Kept, Way, Entered, Resumed>,
): CustomKind<Given, ValueFor<Entered, Resumed>, Way> {
  const problem = kindProblem(definition);
  if (problem !== undefined) {
    const name = typeof definition?.kind === 'string' ? ` "${definition.kind}"` : '';
    throw new EngineError('definition.invalid', `a kind${name} ${problem}`, {
      details: { diagnostics: [{ code: 'kind.bad-definition', message: problem }] },
    });
  }
  // What its functions see is typed for its author; here it is anything.
  return Object.freeze({ ...definition });
}
