/**
 * Random jq programs with inputs, one for each seed: typed enough that most of them do something,
 * and between them using every construct and every builtin that does not depend on the world
 * outside. They end, and soon, but for a few that nest one generator in another too often; those
 * run into the budget of our own jq, which is asked first.
 *
 * A few are spoilt afterwards by leaving out, doubling or swapping pieces of text: what is still a
 * program must still mean the same to everyone, and what is none must be none to everyone.
 */
import type { Json } from '../base/json.ts';
import { Dice } from './dice.ts';
import { anyShape } from './random-jq-scope.ts';
import { randomShape, valueOf } from './random-jq-shapes.ts';
import { newWriter } from './random-jq-terms.ts';
import { type Piece, piece, print, word } from './random-jq-text.ts';

export interface JqCase {
  readonly seed: number;
  readonly tree: Piece;
  readonly program: string;
  readonly input: Json;
  /** The value of the variable `$given`, which every program has. */
  readonly given: Json;
}

const INPUT_DEPTH = 2;
const DEPTH_MIN = 3;
/** A shorter program is written again, up to so many times. */
const LENGTH_MIN = 12;
const TRIES_MAX = 4;
const SPOILT_PERCENT = 8;
const MANY_PERCENT = 25;

export function jqCaseOf(seed: number): JqCase {
  const dice = new Dice(seed);
  // Seeds that follow one another are close; the first rolls part them.
  dice.roll(2);
  const dot = randomShape(dice, INPUT_DEPTH);
  const given = randomShape(dice, 1);
  const writer = newWriter(dice);
  const scope = {
    dot,
    vars: [{ name: 'given', shape: given }],
    calls: [],
    labels: [],
    depth: DEPTH_MIN + dice.roll(3),
  };
  const wanted = anyShape(writer);
  const isMany = dice.roll(100) < MANY_PERCENT;
  let tree = word('.');
  // One that is a name or a literal and nothing else tries nothing.
  for (let tries = 0; tries < TRIES_MAX && print(tree).length < LENGTH_MIN; tries += 1) {
    tree = isMany ? writer.many(wanted, scope) : writer.one(wanted, scope);
  }
  const whole = dice.roll(100) < SPOILT_PERCENT ? spoil(tree, dice) : tree;
  return {
    seed,
    tree: whole,
    program: print(whole),
    input: valueOf(dot, dice, INPUT_DEPTH),
    given: valueOf(given, dice, 1),
  };
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|\d+|\s+|[^\w\s]/g;

/** The program with one of its words left out, doubled, swapped with the next or replaced. */
function spoil(tree: Piece, dice: Dice): Piece {
  const words = print(tree).match(TOKEN) ?? [];
  const at = dice.roll(Math.max(words.length, 1));
  const [one = '', next = ''] = words.slice(at);
  const instead = [[], [one, one], [next, one], [dice.pick(words), next]][dice.roll(4)] ?? [];
  const text = words.toSpliced(at, 2, ...instead).join('');
  return piece(tree.level, text);
}
