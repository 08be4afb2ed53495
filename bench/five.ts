/** A flow of five steps that do nothing: what is left is what the engine costs. */
import { flow } from '../src/index.ts';

export const STEPS = 5;

const nothing = (): null => null;

export const five = flow('five')
  .step('a', nothing)
  .step('b', nothing)
  .step('c', nothing)
  .step('d', nothing)
  .step('e', nothing)
  .end();
