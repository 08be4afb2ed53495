/**
 * Flows of 1, 5 and 10 steps that do nothing, as many as there can be, from start to result. Every
 * contender runs alone for the length of a lap, and the laps of all of them take turns.
 */
import { spreadOf } from '../../measure.ts';
import type { LapAnswer } from '../commands.ts';
import type { FlowName } from '../contender.ts';
import { CONTENDERS, type ContenderName } from '../contenders.ts';
import type { Side } from '../crew.ts';
import { type House, ratioOf } from '../house.ts';
import { brief, show, type Target } from '../report.ts';

const RUNNERS: readonly ContenderName[] = [
  'perdure-postgres',
  'perdure-sqlite',
  'ceiling-postgres',
  'ceiling-sqlite',
  'dbos',
  'openworkflow-postgres',
  'openworkflow-sqlite',
  'bpmn',
];

type Race = readonly [
  ratio: string,
  ours: ContenderName,
  theirs: ContenderName,
  target: Target | undefined,
];

const RACES: readonly Race[] = [
  ['postgres_vs_dbos', 'perdure-postgres', 'dbos', { least: 15 }],
  ['postgres_vs_openworkflow', 'perdure-postgres', 'openworkflow-postgres', { least: 10 }],
  ['sqlite_vs_openworkflow', 'perdure-sqlite', 'openworkflow-sqlite', { least: 15 }],
  ['postgres_vs_ceiling', 'perdure-postgres', 'ceiling-postgres', { least: 0.25 }],
  ['sqlite_vs_ceiling', 'perdure-sqlite', 'ceiling-sqlite', { least: 0.25 }],
  ['postgres_vs_bpmn', 'perdure-postgres', 'bpmn', undefined],
];

const STEPS_PER_COMMIT: Target = { least: 10 };

/** Every lap of everybody, round by round. */
export type Laps = ReadonlyMap<ContenderName, readonly LapAnswer[]>;

export async function saturation(house: House): Promise<void> {
  const sides: Side[] = [];
  for (const contender of RUNNERS) sides.push(await house.side(contender));
  const five = await laps(house, sides, 'steps5', house.sizes.rounds);
  const one = await rounds(house, sides, 'steps1', house.sizes.roundsFew);
  const ten = await rounds(house, sides, 'steps10', house.sizes.roundsFew);
  await house.leave(...sides);
  for (const [length, found] of [
    [5, five],
    [1, one],
    [10, ten],
  ] as const) {
    house.report.table(
      `(a) Flows of ${length} no-op step${length === 1 ? '' : 's'}, at saturation`,
      tableOf(sides, found, length),
    );
  }
  reportRaces(house, five);
  house.report.note(
    'Lanes are flows under way at a time: of those tried in a lap before, what each did best with.',
    'CPU of the database is that of all processes of the server, its housekeeping included.',
    'OpenWorkflow counts a run when its function returns, before its last commit: its `result()` ' +
      'polls once a second.',
    'bpmn-engine keeps nothing, and is there for what its tokens cost in memory.',
  );
}

/** A lap that does not count, and then rounds of one lap of everybody. */
export async function laps(
  house: House,
  sides: readonly Side[],
  flow: FlowName,
  count: number,
): Promise<Laps> {
  for (const side of sides) await side.ask({ do: 'lap', flow, ms: house.sizes.warmMs });
  return rounds(house, sides, flow, count);
}

/** The same for who is warm already. */
export async function rounds(
  house: House,
  sides: readonly Side[],
  flow: FlowName,
  count: number,
): Promise<Laps> {
  const found = new Map<ContenderName, LapAnswer[]>();
  for (let round = 0; round < count; round += 1) {
    for (const side of sides) {
      const answer = await side.ask({ do: 'lap', flow, ms: house.sizes.lapMs });
      house.tell(`${flow}, ${side.contender}: ${brief(answer.flowsPerSecond)} flows/s`);
      found.set(side.contender, [...(found.get(side.contender) ?? []), answer]);
    }
  }
  return found;
}

function tableOf(sides: readonly Side[], found: Laps, length: number): string[][] {
  const head = [
    'contender',
    'lanes',
    'flows/s',
    'steps/s',
    'Node CPU ms per flow',
    'database CPU ms per flow',
  ];
  const rows = sides.map(({ contender, lanes }) => {
    const answers = found.get(contender) ?? [];
    const rate = spreadOf(answers.map(({ flowsPerSecond }) => flowsPerSecond));
    const cpu = spreadOf(answers.map(({ cpuMs }) => cpuMs));
    const isOnPostgres = CONTENDERS[contender].keepsIn === 'postgres';
    const server = answers.flatMap(({ serverCpuMs }) => serverCpuMs ?? []);
    return [
      CONTENDERS[contender].title,
      `${lanes}`,
      show(rate),
      brief(rate.median * length),
      show(cpu),
      isOnPostgres && server.length > 0 ? show(spreadOf(server)) : '',
    ];
  });
  return [head, ...rows];
}

function reportRaces({ report }: House, found: Laps): void {
  for (const [name, ours, theirs, target] of RACES) {
    const [mine, other] = [found.get(ours) ?? [], found.get(theirs) ?? []];
    report.ratio(name, ratioOf(mine.map(rateOf), other.map(rateOf)), target);
    report.cpuRatio(name, ratioOf(other.map(cpuOf), mine.map(cpuOf)));
  }
  for (const [contender, answers] of found) {
    report.rate(contender, spreadOf(answers.map(rateOf)).median);
  }
  const commits = (found.get('perdure-sqlite') ?? []).flatMap(({ commits }) => commits ?? []);
  report.ratio('sqlite_steps_per_commit', spreadOf(commits.map((n) => 5 / n)), STEPS_PER_COMMIT);
}

export function rateOf({ flowsPerSecond }: LapAnswer): number {
  return flowsPerSecond;
}

/** Of Node and the database together. */
function cpuOf({ cpuMs, serverCpuMs }: LapAnswer): number {
  return cpuMs + (serverCpuMs ?? 0);
}
