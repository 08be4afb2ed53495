/** Instances as they are counted: by flow, version and status, and by what is wrong with them. */
import type { Flow } from '../model/definition.ts';
import type { Tally as Counted } from '../stores/instances.ts';
import type { Store } from '../stores/store.ts';
import { checkFields } from './fields.ts';
import { readFlow, readText } from './filter.ts';

/** What is left out does not matter. */
export interface TallyOptions {
  /** Its name; a flow itself stands for its name. */
  readonly flow?: string | Pick<Flow, 'name'>;
  readonly tenant?: string;
}

export type Tally = Counted;
export type TallyGroup = Tally['groups'][number];
export type TallyCause = Tally['causes'][number];

/** How many instances are looked at, at most: the newest. */
const TALLY_MAX = 20_000;

const TALLY_FIELDS: readonly (keyof TallyOptions)[] = ['flow', 'tenant'];

export async function tally(store: Store, options: TallyOptions): Promise<Tally> {
  checkFields('what is counted', options, TALLY_FIELDS);
  const flow = readFlow(options.flow);
  const tenant = readText('tenant', options.tenant);
  return store.instances.tally({ flow, tenant, walk: TALLY_MAX });
}
