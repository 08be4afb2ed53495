/**
 * What does the language of Serverless Workflow cost? Ten `set` tasks in a row, and a `for` of ten
 * passes with one `set` in it, against flows of the same shape in TypeScript, whose closures are
 * plain functions: in the kernel alone, and from start to result on memory and on SQLite with full
 * durability. A ratio says how many times slower the language is; the largest of the three counts.
 *
 * How much of the kernel's time is jq is measured by running the same programs on the same data
 * without a kernel.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile } from '../src/compile/compile.ts';
import { compileJq, type JqProgram } from '../src/expressions/jq/jq.ts';
import { createEngine, type Engine, type Flow, flow, memory, type Store } from '../src/index.ts';
import { advance } from '../src/kernel/advance.ts';
import { emptyInstance } from '../src/kernel/instance.ts';
import { type Machine, machineFor } from '../src/kernel/machine.ts';
import type { InstanceId, Instant } from '../src/model/ids.ts';
import { LIMITS } from '../src/model/limits.ts';
import { kinds } from '../src/nodes/index.ts';
import { serverless as read } from '../src/serverless.ts';
import { sqlite } from '../src/sqlite.ts';
import {
  type Findings,
  type Pace,
  runInLanes,
  runInTurn,
  showSpread,
  type Spread,
  spreadOf,
} from './measure.ts';

const TASKS = 10;
/** Runs under way at a time, where something waits. */
const LANES = 64;
const TARGET = 5;

const COUNT = '.n + 1';
const ADD = '.sum + $item';
const LIST = Array.from({ length: TASKS }, (_, n) => n);

interface Shape {
  readonly input: object;
  readonly language: Flow;
  readonly bare: Flow;
  /** What its programs do, without a kernel. */
  readonly jq: () => void;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  set: { input: { n: 0 }, language: sets(), bare: bareSets(), jq: jqOfSets() },
  for: { input: { list: LIST, sum: 0 }, language: loop(), bare: bareLoop(), jq: jqOfLoop() },
};

function definition(name: string, tasks: readonly object[]): Flow {
  const document = { dsl: '1.0.3', namespace: 'bench', name, version: '1.0.0' };
  return read(JSON.stringify({ document, do: tasks }));
}

function sets(): Flow {
  const one = { set: { n: `\${ ${COUNT} }` } };
  return definition(
    'sets',
    LIST.map((n) => ({ [`set${n}`]: one })),
  );
}

function loop(): Flow {
  const add = { set: { sum: `\${ ${ADD} }` } };
  return definition('loop', [{ loop: { for: { in: '.list' }, do: [{ add }] } }]);
}

interface Counted {
  readonly n: number;
}

function bareSets(): Flow {
  let built = flow<Counted>('bare-sets').set('set0', ({ input }) => ({ n: input.n + 1 }));
  for (let n = 1; n < TASKS; n += 1) {
    // Each has the type of the one before it, which a loop cannot say.
    built = built.set(`set${n}`, ({ vars }) => ({ n: (vars as Counted).n + 1 })) as never;
  }
  return built.end(({ vars }) => vars);
}

interface Summed {
  readonly list: readonly number[];
  readonly sum: number;
}

function bareLoop(): Flow {
  return flow<Summed>('bare-loop')
    .repeat('loop', { times: TASKS }, (body) =>
      body.set(
        'add',
        ({ input, vars, index }) => ({
          sum: ((vars as Partial<Summed>).sum ?? 0) + (input.list[index ?? 0] ?? 0),
        }),
        { in: 'instance' },
      ),
    )
    .end(({ vars }) => vars);
}

function jqOfSets(): () => void {
  const program = compiled(COUNT);
  return () => {
    for (let n = 0; n < TASKS; n += 1) program.run({ n });
  };
}

function jqOfLoop(): () => void {
  const [list, add] = [compiled('.list'), compiled(ADD)];
  return () => {
    list.run({ list: LIST, sum: 0 });
    for (const item of LIST) add.run({ sum: item }, { item });
  };
}

function compiled(text: string): JqProgram {
  const made = compileJq(text, { vars: ['item'] });
  if (!made.ok) throw new Error(`${text} is no jq`);
  return made.value;
}

/** Where both run: the kernel alone, or an engine. */
interface Base {
  readonly name: string;
  /** Runs for about so long, and says how many came to their end. */
  go(ms: number, of: Flow, input: object): Promise<number>;
  close(): Promise<void>;
}

export async function serverless(pace: Pace): Promise<Findings> {
  const ratios: Record<string, number> = {};
  const rates: Record<string, number> = {};
  const rows = [['shape', 'on', 'language, runs/s', 'bare, runs/s', 'times slower', 'share of jq']];
  for (const open of [openKernel, openMemory, openSqlite]) {
    const base = await open();
    for (const [name, shape] of Object.entries(SHAPES)) {
      const { language, bare, ratio } = await race(base, shape, pace);
      const share = base.name === 'kernel' ? jqShare(shape, language, pace) : undefined;
      rates[`${name}_${base.name}`] = rounded(language.median);
      rates[`${name}_${base.name}_bare`] = rounded(bare.median);
      ratios[`${name}_${base.name}`] = rounded(ratio.median);
      ratios[name] = Math.max(ratios[name] ?? 0, rounded(ratio.median));
      if (share !== undefined) ratios[`${name}_jq_share`] = rounded(share);
      const jq = share === undefined ? '' : `${Math.round(share * 100)} %`;
      rows.push([name, base.name, showSpread(language), showSpread(bare), showSpread(ratio), jq]);
      tell(
        `${name} on ${base.name}: ${showSpread(ratio)} times slower than bare${jq && `, ${jq} jq`}`,
      );
    }
    await base.close();
  }
  return { ratios, rates, cpuRatios: {}, tables: [{ rows }], notes: NOTES };
}

const NOTES: readonly string[] = [
  `At most ${TARGET} times slower is asked for, of each shape on each base.`,
  'Laps of the two sides take turns, and each round has a ratio of its own; medians, with the ' +
    'least and the most in parentheses.',
  'The share of jq is the time that the same programs take on the same data without a kernel.',
];

async function race(
  base: Base,
  { language, bare, input }: Shape,
  pace: Pace,
): Promise<{ language: Spread; bare: Spread; ratio: Spread }> {
  const lap = async (of: Flow): Promise<number> => {
    await base.go(pace.lapMs / 5, of, input);
    const before = performance.now();
    const runs = await base.go(pace.lapMs, of, input);
    return (runs * 1_000) / (performance.now() - before);
  };
  for (const side of [language, bare]) await base.go(pace.warmMs / 4, side, input);
  const rounds: { language: number; bare: number }[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    rounds.push({ language: await lap(language), bare: await lap(bare) });
  }
  return {
    language: spreadOf(rounds.map((each) => each.language)),
    bare: spreadOf(rounds.map((each) => each.bare)),
    ratio: spreadOf(rounds.map((each) => each.bare / each.language)),
  };
}

function jqShare({ jq }: Shape, rate: Spread, pace: Pace): number {
  runInTurn(pace.lapMs / 2, jq);
  const before = performance.now();
  const runs = runInTurn(pace.lapMs, jq);
  const each = (performance.now() - before) / runs;
  return (each * rate.median) / 1_000;
}

async function openKernel(): Promise<Base> {
  const machines = new Map<Flow, Machine>();
  const machineOf = (of: Flow): Machine => {
    const { draft, code } = of.definition;
    const plan = compile(draft, kinds);
    if (!plan.ok) throw new Error(`${of.name}: ${JSON.stringify(plan.problem)}`);
    return machineFor(plan.value, kinds, { code, limits: LIMITS });
  };
  return {
    name: 'kernel',
    go: async (ms, of, input) => {
      const machine = machines.get(of) ?? machineOf(of);
      machines.set(of, machine);
      const { name, version } = machine.plan;
      const id = 'i1' as InstanceId;
      const birth = { id, flow: name, flowVersion: version, input: input as never };
      return runInTurn(ms, () => {
        const start = { type: 'start', at: 0 as Instant, birth } as const;
        const { after } = advance(machine, emptyInstance(id), start);
        if (after.head.status !== 'completed') throw new Error(JSON.stringify(after.head.fault));
      });
    },
    close: async () => {},
  };
}

async function openMemory(): Promise<Base> {
  return openEngine('memory', memory(), () => {});
}

async function openSqlite(): Promise<Base> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-bench-'));
  const store = sqlite(join(folder, 'bench.db'));
  return openEngine('sqlite', store, () => rmSync(folder, { recursive: true, force: true }));
}

async function openEngine(name: string, store: Store, clean: () => void): Promise<Base> {
  const all = Object.values(SHAPES).flatMap(({ language, bare }) => [language, bare]);
  const engine: Engine = await createEngine({ store, flows: all });
  return {
    name,
    go: (ms, of, input) =>
      runInLanes(LANES, ms, async () => {
        const run = await engine.start(of, input as never);
        return run.result();
      }),
    close: async () => {
      await engine.close();
      clean();
    },
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function tell(text: string): void {
  console.error(text);
}
