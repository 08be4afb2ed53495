/** One scenario, run by an engine on one store: everything in it that is not as it should be. */
import type { Json } from '../src/base/json.ts';
import { serverlessFromText } from '../src/frontends/serverless/serverless.ts';
import type { Flow } from '../src/model/definition.ts';
import { createEngine, type Engine } from '../src/runtime/engine.ts';
import type { Logger } from '../src/runtime/logger.ts';
import type { Run } from '../src/runtime/run.ts';
import type { Store } from '../src/stores/store.ts';
import { LetterBox, orderIn, outcomeOf } from './ctk-evidence.ts';
import type { Scenario, ScenarioStep } from './ctk-features.ts';
import { type Evidence, judge } from './ctk-judging.ts';
import { type Deed, readStep } from './ctk-steps.ts';

/** A workflow that has not ended by then hangs: all of ours take milliseconds. */
const SCENARIO_MS_MAX = 60_000;

/** A step that is not as it should be, and why. */
export interface Miss {
  readonly step: ScenarioStep;
  readonly why: string;
}

export interface Stage {
  readonly store: Store;
  /** Whom the workflow reaches by HTTP. */
  readonly fetch: typeof fetch;
}

export async function runScenario(stage: Stage, scenario: Scenario): Promise<readonly Miss[]> {
  const play = new Play(stage);
  const misses: Miss[] = [];
  try {
    for (const step of scenario.steps) {
      const deed = readStep(step);
      if (!deed.ok) return [...misses, { step, why: deed.problem }];
      const why = await play.do(deed.value);
      if (why === undefined) continue;
      misses.push({ step, why });
      // What is expected is said one by one; after anything else nothing can be expected.
      if (deed.value.do !== 'expect') return misses;
    }
    return misses;
  } finally {
    await play.end();
  }
}

class Play {
  readonly #stage: Stage;
  readonly #letters = new LetterBox();
  #flow: Flow<Json> | null = null;
  #input: Json = {};
  #engine: Engine | null = null;
  #run: Run | null = null;
  #evidence: Promise<Evidence> | null = null;

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Why it could not be done, or is not so. */
  async do(deed: Deed): Promise<string | undefined> {
    switch (deed.do) {
      case 'define':
        return this.#define(deed.text);
      case 'input':
        this.#input = deed.value;
        return undefined;
      case 'execute':
        return this.#execute();
      case 'publish':
        return this.#meanwhile((engine) => engine.publish(deed.event as never));
      case 'cancel':
        return this.#meanwhile((_, run) => run.cancel());
      case 'expect':
        this.#evidence ??= this.#collect();
        return judge(deed.what, await this.#evidence);
      default:
        return deed satisfies never;
    }
  }

  async end(): Promise<void> {
    await this.#engine?.close();
  }

  #define(text: string): string | undefined {
    const flow = serverlessFromText(text);
    const { diagnostics } = flow.definition;
    this.#flow = flow;
    return diagnostics.length === 0
      ? undefined
      : diagnostics.map(({ message, code }) => `${message} (${code})`).join('; ');
  }

  async #execute(): Promise<string | undefined> {
    if (this.#flow === null) return 'there is no definition';
    const { store, fetch } = this.#stage;
    this.#engine = await createEngine({
      ...{ store, flows: [this.#flow], logger: QUIET },
      ...{ http: { fetch }, outbox: this.#letters.receive },
    });
    this.#run = await this.#engine.start(this.#flow, this.#input);
    return undefined;
  }

  /** Once it rests, since what is done to it is meant for one that waits. */
  async #meanwhile(
    act: (engine: Engine, run: Run) => Promise<unknown>,
  ): Promise<string | undefined> {
    const [engine, run] = [this.#engine, this.#run];
    if (engine === null || run === null) return 'the workflow was not executed';
    const signal = AbortSignal.timeout(SCENARIO_MS_MAX);
    for await (const _ of engine.subscribe({ id: run.id, after: 0, signal })) {
      if ((await run.status()) !== 'waiting') continue;
      await act(engine, run);
      return undefined;
    }
    return 'the workflow did not wait';
  }

  async #collect(): Promise<Evidence> {
    const run = this.#run;
    if (run === null) return { workflow: { ended: 'none' }, order: [], tasks: new Map() };
    await run.result({ timeout: SCENARIO_MS_MAX }).catch(() => {});
    const view = await run.inspect();
    const workflow = outcomeOf(view);
    const plan = await this.#stage.store.loadPlan(view.plan);
    const order = orderIn(await run.history(), plan?.body ?? null);
    const tasks = workflow.ended === 'none' ? new Map() : await this.#letters.tasks();
    return { workflow, order, tasks };
  }
}

const nothing = (): void => {};
/** A workflow that fails is what a scenario may be about. */
const QUIET: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
