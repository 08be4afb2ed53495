/**
 * Activity: one place of a flowchart. A handler runs it and says by which outcomes it ended; a
 * token goes by every connection of each of these, and the activities there decide by their merge
 * mode what that means (see `kernel/merges.ts`).
 *
 * Its handler is known by the flow's name and the activity's type, whatever the version. It may
 * wait for a message: then the same activity is run again, and is told why (D10). Without a policy
 * it has one execution.
 *
 * BPMN has none · Serverless Workflow has none · flowchart()
 */
import { assert } from '../base/assert.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Mutable } from '../base/mutable.ts';
import { no, ok } from '../base/result.ts';
import type { Move, NodeKind, Offer, Place, Wires } from '../kernel/kind.ts';
import { DONE } from '../model/activity.ts';
import type { Diagnostic, DraftNode } from '../model/draft.ts';
import type { EdgeId } from '../model/ids.ts';
import type { VarWrite } from '../model/input.ts';
import { waitFor } from './awaiting.ts';
import { nextTry, readRetry, type Retry } from './retry.ts';
import { readRunSettings, sharedHandler } from './run-settings.ts';
import { localName, problem } from './settings.ts';

type Activity = Offer & {
  readonly type: string;
  /** The connections of each outcome. */
  readonly ways: Readonly<Record<string, readonly EdgeId[]>>;
  /** The only outcomes it may end with; any, if not said. */
  readonly outcomes?: readonly string[];
  /** What its handler is told of this activity. */
  readonly config?: Json;
  readonly retry?: Retry;
};

type Here = Place<Activity & JsonObject>;

export const activity: NodeKind<Activity & JsonObject> = {
  kind: 'activity',
  reenters: true,

  compile(draft, wires) {
    const { type, config: told, retry, onFailure } = draft.settings;
    const problems: Diagnostic[] = [];
    const isType = typeof type === 'string' && type.trim() !== '' && !type.includes('/');
    if (!isType) {
      const message = `"${draft.id}" has a type, which is no blank text and has no slash`;
      problems.push(problem(draft, 'no-type', message));
    }
    const config: Mutable<Activity> = {
      type: type as string,
      ways: waysOf(draft, wires, problems),
    };
    if (told !== undefined) config.config = told;
    if (onFailure === 'incident') config.mends = true;
    const { outcomes } = draft.settings;
    if (outcomes !== undefined) config.outcomes = outcomes as readonly string[];
    if (retry !== undefined) {
      const policy = readRetry(retry);
      if (policy.ok) Object.assign(config, tries(policy.value));
      else
        problems.push(problem(draft, 'bad-retry', `the retry of "${draft.id}": ${policy.problem}`));
    }
    Object.assign(config, readRunSettings(draft, problems));
    return problems.length > 0 ? no(problems) : ok({ config });
  },

  handler({ node }, flow) {
    return sharedHandler(flow, node.config.type);
  },

  offer({ node }) {
    return node.config;
  },

  again(place, view) {
    const { retry } = place.node.config;
    return retry === undefined ? null : nextTry(retry, place, view);
  },

  resume(place, view, signal): Move {
    if (signal.on === 'waiting') return waitFor(view, signal);
    assert(signal.on === 'result', 'an activity is run again by whatever else wakes it');
    return leave(place, signal.outcomes ?? [DONE], signal.value, signal.sets);
  },

  /** With what its handler could have returned: plain data, or `outcome('True', data)`. */
  skip(place, _view, value) {
    const { outcomes, data } = skippedWith(place.node, value);
    return leave(place, outcomes ?? [], data, []);
  },

  unskipped({ node }, value) {
    const { outcomes } = skippedWith(node, value);
    const { outcomes: known, ways } = node.config;
    const names = known ?? Object.keys(ways);
    const isKnown = outcomes?.every((one) => known === undefined || known.includes(one));
    if (isKnown === true) return undefined;
    const rule = `"${node.id}" ends with one of ${names.join(', ')}`;
    return `${rule}: skip it with { became: 'outcomes', outcomes: […], data }, as outcome() gives`;
  },
};

interface Skipped {
  /** Null if nobody can tell. */
  readonly outcomes: readonly string[] | null;
  readonly data: Json;
}

/** Plain data means that it is done; one that is never just done goes the only way there is. */
function skippedWith({ config }: Pick<Here['node'], 'config'>, value: Json): Skipped {
  const said = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
  const { became, outcomes, data = null } = said;
  if (became === 'outcomes' && Array.isArray(outcomes)) {
    return { outcomes: outcomes.filter((one) => typeof one === 'string'), data };
  }
  const names = config.outcomes ?? Object.keys(config.ways);
  if (names.length === 0 || names.includes(DONE)) return { outcomes: [DONE], data: value };
  return { outcomes: names.length === 1 ? names : null, data: value };
}

function tries(retry: Retry): Pick<Activity, 'retry' | 'maxAttempts'> {
  return { retry, maxAttempts: retry.maxAttempts };
}

/** The connections of each outcome, as the draft has them; all of them lead out of it. */
function waysOf(
  { id, settings }: DraftNode,
  wires: Wires,
  problems: Diagnostic[],
): Activity['ways'] {
  const ways = (settings['ways'] ?? {}) as Activity['ways'];
  const named = new Set(Object.values(ways).flat());
  const out = new Set(wires.out);
  const strange = [...named].filter((edge) => !out.has(edge));
  const left = wires.out.filter((edge) => !named.has(edge));
  const odd = [...strange, ...left];
  if (odd.length > 0) {
    const message = `the outcomes of "${id}" and its connections differ: ${odd.join(', ')}`;
    problems.push({ code: 'activity.bad-ways', message, node: id });
  }
  return ways;
}

/** By every connection of each outcome. An outcome that nothing is connected to leads nowhere. */
function leave(
  { node }: Here,
  outcomes: readonly string[],
  value: Json,
  sets: readonly VarWrite[],
): Move {
  const { ways, outcomes: known } = node.config;
  const strange = known === undefined ? undefined : outcomes.find((one) => !known.includes(one));
  if (strange !== undefined) {
    const message = `"${node.id}" ended with "${strange}", and may with ${known?.join(', ')}`;
    return { move: 'fault', fault: { code: 'activity.unknown-outcome', message } };
  }
  const edges = [...new Set(outcomes)].flatMap((outcome) =>
    Object.hasOwn(ways, outcome) ? (ways[outcome] ?? []) : [],
  );
  const result = { in: 'scope', space: 'results', name: localName(node), value } as const;
  const writes = sets.map(({ name, value: set, in: where }) => {
    return { in: where, space: 'vars', name, value: set } as const;
  });
  const move = { move: 'take', edges, writes: [result, ...writes] } as const;
  const isJustDone = outcomes.length === 1 && outcomes[0] === DONE;
  return isJustDone ? move : { ...move, outcomes };
}
