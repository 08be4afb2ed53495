/** What every workload works with: the databases, the sizes, the report, and the lanes of each. */
import { type Spread, spreadOf } from '../measure.ts';
import { CONTENDERS, type ContenderName } from './contenders.ts';
import { Side, type SideOptions } from './crew.ts';
import type { Databases } from './databases.ts';
import type { Report } from './report.ts';
import type { Sizes } from './sizes.ts';

export class House {
  readonly databases: Databases;
  readonly sizes: Sizes;
  readonly report: Report;
  readonly #lanes = new Map<ContenderName, number>();

  constructor(databases: Databases, sizes: Sizes, report: Report) {
    this.databases = databases;
    this.sizes = sizes;
    this.report = report;
  }

  tell(line: string): void {
    console.error(`bench: ${line}`);
  }

  /** A contender in a process and a place of its own. */
  async side(contender: ContenderName, options: Partial<SideOptions> = {}): Promise<Side> {
    const place = options.place ?? (await this.databases.make(CONTENDERS[contender].keepsIn));
    const lanes = options.lanes ?? (await this.lanesOf(contender));
    return Side.open(this.databases, contender, { ...options, place, lanes });
  }

  /** The number of lanes it does best with, of those that are tried. */
  async lanesOf(contender: ContenderName): Promise<number> {
    const { lanes: tried } = CONTENDERS[contender];
    const known = this.#lanes.get(contender);
    if (known !== undefined) return known;
    const [first = 1, ...others] = tried;
    if (others.length === 0 || this.sizes.trialMs === 0) return first;
    let best = { lanes: 1, rate: 0 };
    for (const lanes of tried) {
      const side = await this.side(contender, { lanes });
      await side.ask({ do: 'lap', flow: 'steps5', ms: this.sizes.trialMs });
      const { flowsPerSecond: rate } = await side.ask({
        do: 'lap',
        flow: 'steps5',
        ms: this.sizes.trialMs,
      });
      this.tell(`${contender}, ${lanes} at a time: ${Math.round(rate)} flows/s`);
      if (rate > best.rate) best = { lanes, rate };
      await this.leave(side);
    }
    this.#lanes.set(contender, best.lanes);
    return best.lanes;
  }

  async leave(...sides: readonly Side[]): Promise<void> {
    for (const side of sides) {
      side.end();
      await this.databases.drop(side.place);
    }
  }
}

/** Ratios round by round: what slows the machine for a while slows both sides of a round. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  return spreadOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/** The value below which so much of all values lie. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
