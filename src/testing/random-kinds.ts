/**
 * The generator's block for every node kind: how to fill in its settings and closures by luck, and
 * what the laws may expect of it. A kind that is registered and not listed here fails the build
 * (`laws.test.ts`), so that none is ever left out of the laws.
 *
 * Closures are seeded pure functions. A trapped node has a closure that goes wrong, and the fault
 * codes that may come of it are planned: any other fault is a violation.
 */
import type { Code, NodeCode } from '../model/definition.ts';
import { fillActivity, fillFlowchart } from './random-activities.ts';
import {
  CODES,
  fillCall,
  fillEmit,
  fillFail,
  fillFirst,
  fillStep,
  fillTry,
} from './random-failures.ts';
import { luck, lucky, SHARED_VAR, seenBy, varOf } from './random-luck.ts';
import { fillItem, fillMap } from './random-maps.ts';
import { fillApprove, fillTask } from './random-people.ts';
import { type Filled, slot, type Spot } from './random-spot.ts';

export interface KindBlock {
  /** How often graphs draw it, relative to the others. */
  readonly weight: number;
  /** By how many of its edges a token leaves. */
  readonly leavesBy: 'all' | 'some' | 'one' | 'none' | 'any';
  readonly fill: (spot: Spot) => Filled;
  /** Fault codes a trap of this kind may give, beyond those every closure can. */
  readonly faults?: readonly string[];
  /** Fault codes it may give though nothing of it is trapped. */
  readonly raises?: readonly string[];
}

/** What any closure that goes wrong may give. */
export const TRAP_FAULTS: readonly string[] = ['code.threw', 'code.not-json', 'code.missing'];

const PLAIN: Filled = { settings: {}, code: {} };
const plain = (): Filled => PLAIN;

const PEOPLE_FAULTS = ['title', 'priority', 'due', 'followUp', 'assignee', 'candidates', 'form']
  .concat('approvers', 'submitter', 'timeout')
  .flatMap((part) => [`task.bad-${part}`, `approve.bad-${part}`]);
const APPROVAL_FAULTS = ['approval.rejected', 'approval.no-approvers'];
const FIRST_FAULTS = ['first.no-key', 'first.bad-duration'];

export const kindBlocks: Readonly<Record<string, KindBlock>> = {
  start: { weight: 1, leavesBy: 'all', fill: plain },
  pass: { weight: 2, leavesBy: 'all', fill: plain },
  fork: { weight: 14, leavesBy: 'all', fill: plain },
  join: { weight: 12, leavesBy: 'all', fill: plain },
  step: { weight: 8, leavesBy: 'all', fill: fillStep },
  set: { weight: 2, leavesBy: 'all', fill: fillSet },
  sleep: { weight: 2, leavesBy: 'all', fill: fillSleep, faults: ['sleep.bad-duration'] },
  wait: { weight: 2, leavesBy: 'all', fill: fillWait, faults: ['wait.no-key'] },
  first: { weight: 2, leavesBy: 'all', fill: fillFirst, faults: FIRST_FAULTS },
  emit: { weight: 1, leavesBy: 'all', fill: fillEmit, faults: ['emit.no-key', 'emit.bad-event'] },
  call: { weight: 2, leavesBy: 'all', fill: fillCall, faults: ['call.bad-key'] },
  choose: { weight: 4, leavesBy: 'some', fill: fillChoose, faults: ['choose.not-boolean'] },
  inclusive: { weight: 4, leavesBy: 'all', fill: plain },
  try: { weight: 3, leavesBy: 'one', fill: fillTry, faults: ['try.not-boolean'] },
  fail: { weight: 1, leavesBy: 'none', fill: fillFail, faults: ['fail.bad-error'], raises: CODES },
  win: { weight: 1, leavesBy: 'none', fill: plain },
  scope: { weight: 2, leavesBy: 'all', fill: fillScope },
  repeat: { weight: 2, leavesBy: 'all', fill: fillRepeat, faults: ['repeat.bad-answer'] },
  map: { weight: 2, leavesBy: 'all', fill: fillMap, faults: ['map.not-a-list'] },
  // It stands inside a map, and is drawn with it.
  item: { weight: 0, leavesBy: 'none', fill: fillItem, faults: ['map.not-boolean'] },
  task: { weight: 2, leavesBy: 'all', fill: fillTask, faults: PEOPLE_FAULTS },
  approve: {
    ...{ weight: 2, leavesBy: 'all', fill: fillApprove },
    ...{ faults: PEOPLE_FAULTS, raises: APPROVAL_FAULTS },
  },
  flowchart: { weight: 4, leavesBy: 'all', fill: fillFlowchart },
  // It stands inside a flowchart, where it is what most others become.
  activity: { weight: 0, leavesBy: 'any', fill: fillActivity },
  end: { weight: 2, leavesBy: 'none', fill: fillEnd },
  terminate: { weight: 1, leavesBy: 'none', fill: fillTerminate },
};

function fillSet(spot: Spot): Filled {
  const { id, seed, names } = spot;
  const name = names === null ? lucky(['x', 'y', 'z'], seed, 'name') : varOf(id);
  const shape = luck(4, seed, 'shape');
  const value: Code = (view) => {
    const number = luck(100, seed, seenBy(view, names));
    if (shape === 0) return number;
    if (shape === 1) return [number, { deep: [number, null] }];
    // What is set in a scope may hide what is set above it, in any order of answers.
    const hides = names !== null && settings.in === 'scope';
    return hides ? { [name]: number, [SHARED_VAR]: number } : { [name]: number };
  };
  const settings = { in: lucky(['scope', 'instance'], seed, 'in') };
  return { settings, code: slot(spot, 'value', null, value) };
}

function fillSleep(spot: Spot): Filled {
  const { seed, names } = spot;
  const ms = luck(5_000, seed, 'ms');
  if (!spot.trapped && luck(2, seed, 'literal') === 0) return { settings: { ms }, code: {} };
  const duration: Code = (view) => {
    const length = luck(5, seed, seenBy(view, names));
    return length === 0 ? `${ms}ms` : length * 1_000;
  };
  return { settings: {}, code: slot(spot, 'duration', 'soon', duration) };
}

function fillWait(spot: Spot): Filled {
  const { seed, names } = spot;
  const event = `event-${luck(3, seed, 'event')}`;
  const timeout = luck(2, seed, 'timeout') === 0 ? { timeoutMs: luck(5_000, seed, 'ms') } : {};
  const by = spot.trapped ? 2 : luck(3, seed, 'by');
  // By the business key, by a key of its own, or by what a closure says.
  if (by === 0) return { settings: { event, ...timeout }, code: {} };
  if (by === 1) return { settings: { event, key: 'fixed', ...timeout }, code: {} };
  const key: Code = (view) => `key-${luck(3, seed, seenBy(view, names))}`;
  return { settings: { event, keyCode: true, ...timeout }, code: slot(spot, 'key', '', key) };
}

function fillChoose(spot: Spot): Filled {
  const { seed, names, out } = spot;
  const otherwise = out.at(-1) ?? '';
  const named = out.length > 1 ? out.slice(0, -1) : out;
  const arms = named.map((edge, index) => ({ edge, slot: `when.a${index}` }));
  const code = arms.map(({ slot: name }) =>
    slot(spot, name, 'maybe', (view) => luck(2, seed, name, seenBy(view, names)) === 0),
  );
  // What the builder makes says itself whether it takes more than one arm.
  const many = names === null && luck(3, seed, 'many') > 0 ? { many: true } : {};
  const settings = { arms, otherwise, ...many };
  return { settings, code: Object.assign({}, ...code) as NodeCode };
}

function fillScope({ seed, body, names }: Spot): Filled {
  // What the builder makes always promotes.
  const promote = names !== null || luck(2, seed, 'promote') === 0;
  const reach = luck(2, seed, 'is a saga') === 0;
  const saga = reach ? { saga: lucky(REACHES, seed, 'saga') } : {};
  return { settings: { body, promote, ...saga }, code: {} };
}

const REACHES = ['scope', 'scope', 'none', 'instance'];

/** Each way of asking ends by the index, so that no luck can make a repeat run for ever. */
function fillRepeat(spot: Spot): Filled {
  const { seed, body, names } = spot;
  const bound = luck(REPEAT_PASSES, seed, 'bound');
  const enough: Code = (view) => luck(4, seed, seenBy(view, names)) === 0;
  switch (luck(4, seed, 'check')) {
    case 0: {
      const more: Code = (view) => (view.index ?? 0) < bound && enough(view) === false;
      return { settings: { body, check: 'while' }, code: slot(spot, 'while', 'maybe', more) };
    }
    case 1: {
      const stop: Code = (view) => (view.index ?? 0) + 1 >= bound || enough(view) === true;
      return { settings: { body, check: 'until' }, code: slot(spot, 'until', 'maybe', stop) };
    }
    case 2: {
      const code = slot(spot, 'times', -1, () => bound);
      return { settings: { body, check: 'times' }, code };
    }
    default:
      return { settings: { body, check: 'times', times: Math.max(1, bound) }, code: {} };
  }
}

/** No repeat makes more passes than this. */
export const REPEAT_PASSES = 4;

function fillEnd(spot: Spot): Filled {
  const output = lucky(['none', 'results', 'code'], spot.seed, 'output');
  return { settings: { output }, code: output === 'code' ? outputCode(spot) : {} };
}

function fillTerminate(spot: Spot): Filled {
  const output = lucky(['none', 'code'], spot.seed, 'output');
  return { settings: { output }, code: output === 'code' ? outputCode(spot) : {} };
}

function outputCode(spot: Spot): NodeCode {
  const { id, seed, names } = spot;
  const output: Code = (view) => ({ from: id, saw: luck(1_000_000, seed, seenBy(view, names)) });
  return slot(spot, 'output', null, output);
}
