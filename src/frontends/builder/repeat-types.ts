/** The types of `.repeat`: how its condition and its body know of each other. */
import type { Json } from '../../base/json.ts';
import type { Frame, Made, Maybe, OwnOf, ViewIn } from './frames.ts';
import type { FlowView } from './views.ts';

/**
 * How often a repeat runs: exactly one of three. `while` is asked before each pass and `until`
 * after; both see the results of the pass before them.
 *
 * TypeScript reads the condition before the body and so cannot know those results by itself: they
 * are `Json | undefined` unless the condition says what it needs, which is then checked against the
 * body: `until: ({ results }: { results: { poll: { done: boolean } } }) => results.poll.done`.
 */
export type RepeatCheck<F extends Frame, Own, Needs, While, Asked> =
  | { readonly while: (view: PassView<F, Own, Needs>) => While; until?: never; times?: never }
  | { readonly until: (view: PassView<F, Own, Needs>) => boolean; while?: never; times?: never }
  | {
      readonly times: number | ((view: ViewIn<F, Own>) => Asked);
      while?: never;
      until?: never;
    };

type PassView<F extends Frame, Own, Needs> = FlowView<
  F['input'],
  F['results'] & Own & Needs,
  F['vars'],
  number,
  F['item']
>;

/** Results of a body nobody has looked into. */
export interface LooseResults {
  readonly [name: string]: Json | undefined;
}

/** What the last pass leaves behind. `Zero` is never where there is surely a first one. */
export type Last<Pass extends Made, Zero> = [Zero] extends [never]
  ? OwnOf<Pass>
  : Maybe<OwnOf<Pass>>;

/** What a body must be besides itself, so that the condition finds the results it says it needs. */
export type Meeting<Needs, Results> = LooseResults extends Needs
  ? unknown
  : Results extends Needs
    ? unknown
    : { readonly 'the condition needs results that the body does not give': Needs };
