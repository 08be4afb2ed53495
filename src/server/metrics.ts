/**
 * What is measured, as Prometheus reads it. Counters and histograms are of this process: what the
 * engine tells while it works (`engine.observe`), and what the server does itself. Gauges of what
 * is due are of the store, and asked for when somebody reads.
 *
 * Labels are names that an author wrote (flows, nodes, routes) and closed sets of words. Nothing a
 * client sends becomes one: no ids, keys, tenants or paths. What is past SERIES_MAX of a metric is
 * counted under `other`, so that a flow deployed a thousand times cannot fill the memory.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Engine, Measurement } from '../index.ts';

/** Different flows and nodes that one metric tells apart. */
export const SERIES_MAX = 1_000;

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const LONG_SECONDS = [0.1, 1, 10, 60, 600, 3_600, 21_600, 86_400, 604_800];
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];

export class Metrics {
  readonly #registry = new Registry();
  readonly #stop: () => void;
  readonly #engine: Engine;
  readonly #seen = new Map<string, Set<string>>();
  readonly #requests: Counter;
  readonly #requestTimes: Histogram;
  readonly #look: () => Promise<void>;

  constructor(engine: Engine, streams: () => number) {
    this.#engine = engine;
    const to = { registers: [this.#registry] };
    this.#requests = new Counter({
      name: 'perdure_http_requests_total',
      help: 'requests by route and status',
      labelNames: ['operation', 'status'],
      ...to,
    });
    this.#requestTimes = new Histogram({
      name: 'perdure_http_request_seconds',
      help: 'from the first byte of a request to the last of its answer, streams aside',
      labelNames: ['operation'],
      buckets: SECONDS,
      ...to,
    });
    this.#look = this.#gauges(streams);
    this.#stop = engine.observe(this.#listener());
  }

  /** A request came to its end. */
  request(operation: string, status: number, seconds: number): void {
    this.#requests.inc({ operation, status: String(status) });
    this.#requestTimes.observe({ operation }, seconds);
  }

  async show(): Promise<{ readonly text: string; readonly type: string }> {
    await this.#look();
    return { text: await this.#registry.metrics(), type: this.#registry.contentType };
  }

  close(): void {
    this.#stop();
  }

  #counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram(
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    buckets: readonly number[] = SECONDS,
  ): Histogram {
    const kinds = { labelNames, buckets: [...buckets], registers: [this.#registry] };
    return new Histogram({ name, help, ...kinds });
  }

  /** A name of a flow or a node, or `other` once there are too many of them. */
  #label(metric: string, ...names: readonly string[]): readonly string[] {
    const seen = this.#seen.get(metric) ?? new Set<string>();
    this.#seen.set(metric, seen);
    const series = names.join('\n');
    if (seen.size >= SERIES_MAX && !seen.has(series)) return names.map(() => 'other');
    seen.add(series);
    return names;
  }

  /** One function for each kind of measurement, so that a new one is missed by the compiler. */
  #listener(): (measurement: Measurement) => void {
    const on: { [What in Measurement['what']]: (told: Told<What>) => void } = {
      ...this.#ofInstances(),
      ...this.#ofCommits(),
      ...this.#ofSteps(),
      ...this.#ofMessages(),
    };
    return (measurement) => {
      (on[measurement.what] as (told: Measurement) => void)(measurement);
    };
  }

  #ofInstances(): Of<'instance-started' | 'instance-ended'> {
    const started = this.#counter('perdure_instances_started_total', 'instances begun', ['flow']);
    const ended = this.#counter(
      ...(['perdure_instances_ended_total', 'instances that ended', ['flow', 'status']] as const),
    );
    const lives = this.#histogram(
      'perdure_instance_seconds',
      'from the start of an instance to its end',
      ['flow', 'status'],
      LONG_SECONDS,
    );
    return {
      'instance-started': ({ flow: named }) => {
        const [flow = ''] = this.#label('instances', named);
        started.inc({ flow });
      },
      'instance-ended': ({ flow: named, status, ms }) => {
        const [flow = ''] = this.#label('instances', named);
        ended.inc({ flow, status });
        lives.observe({ flow, status }, ms / 1_000);
      },
    };
  }

  #ofCommits(): Of<'commit' | 'batch' | 'lease-lost' | 'lease-recovered' | 'dropped'> {
    const commits = this.#counter('perdure_commits_total', 'commits by outcome', ['outcome']);
    const times = this.#histogram('perdure_commit_seconds', 'until a commit is durable');
    const changes = this.#histogram('perdure_commit_changes', 'changes of a commit', [], SIZES);
    const batches = this.#histogram('perdure_batch_commits', 'commits of a batch', [], SIZES);
    const lost = this.#counter(
      ...(['perdure_leases_lost_total', 'claims that were not ours any more', ['where']] as const),
    );
    const recovered = this.#counter(
      'perdure_leases_recovered_total',
      'work taken back from workers that did not come back',
    );
    const dropped = this.#counter(
      ...(['perdure_results_dropped_total', 'results that came too late', ['reason']] as const),
    );
    return {
      commit: ({ outcome, ms, changes: count }) => {
        commits.inc({ outcome });
        times.observe(ms / 1_000);
        changes.observe(count);
      },
      batch: ({ commits: count }) => batches.observe(count),
      'lease-lost': ({ where }) => lost.inc({ where }),
      'lease-recovered': () => recovered.inc(),
      dropped: ({ reason }) => dropped.inc({ reason }),
    };
  }

  #ofSteps(): Of<'step' | 'retry' | 'timer'> {
    const names = ['flow', 'node'] as const;
    const steps = this.#counter('perdure_steps_total', 'executions of handlers', [
      ...names,
      'outcome',
    ]);
    const times = this.#histogram('perdure_step_seconds', 'how long a handler ran', names);
    const queued = this.#histogram(
      ...(['perdure_step_queued_seconds', 'from due to claimed', ['flow']] as const),
    );
    const retries = this.#counter('perdure_retries_total', 'executions to come again', names);
    const lag = this.#histogram('perdure_timer_lag_seconds', 'how late a timer was acted on');
    return {
      step: ({ flow: f, node: n, outcome, ms, queuedMs }) => {
        const [flow = '', node = ''] = this.#label('steps', f, n);
        steps.inc({ flow, node, outcome });
        times.observe({ flow, node }, ms / 1_000);
        queued.observe({ flow }, Math.max(queuedMs, 0) / 1_000);
      },
      retry: ({ flow: f, node: n }) => {
        const [flow = '', node = ''] = this.#label('steps', f, n);
        retries.inc({ flow, node });
      },
      timer: ({ lagMs }) => lag.observe(Math.max(lagMs, 0) / 1_000),
    };
  }

  #ofMessages(): Of<'message' | 'letter'> {
    const messages = this.#counter('perdure_messages_total', 'messages by outcome', ['outcome']);
    const letters = this.#counter('perdure_letters_total', 'sends by outcome', ['outcome']);
    const times = this.#histogram('perdure_letter_seconds', 'how long a send took');
    return {
      message: ({ outcome }) => messages.inc({ outcome }),
      letter: ({ outcome, ms }) => {
        letters.inc({ outcome });
        times.observe(ms / 1_000);
      },
    };
  }

  /** They are asked for before they are shown: the registry would show those of the last time. */
  #gauges(streams: () => number): () => Promise<void> {
    const gauge = (name: string, help: string, labelNames: readonly string[] = []): Gauge =>
      new Gauge({ name, help, labelNames, registers: [this.#registry] });
    const due = gauge('perdure_due_seconds', 'for how long the oldest has been due', ['what']);
    const waiting = gauge('perdure_waiting', 'how much is there, up to a cap', ['what']);
    const open = gauge('perdure_http_streams', 'streams of events that are open');
    const up = gauge('perdure_up', '1 if the store answered');
    return async () => {
      open.set(streams());
      try {
        tellBacklog(await this.#engine.backlog(), due, waiting);
        up.set(1);
      } catch {
        // That it does not answer is what the gauge is for.
        up.set(0);
      }
    };
  }
}

type Told<What extends Measurement['what']> = Extract<Measurement, { what: What }>;
type Of<Whats extends Measurement['what']> = { [What in Whats]: (told: Told<What>) => void };

function tellBacklog(
  backlog: Awaited<ReturnType<Engine['backlog']>>,
  due: Gauge,
  waiting: Gauge,
): void {
  const { now, ready, executing, timers, letters, messages } = backlog;
  const age = (since: number | null): number =>
    since === null ? 0 : Math.max(now - since, 0) / 1e3;
  due.set({ what: 'work' }, age(ready.since));
  due.set({ what: 'timers' }, age(timers.since));
  due.set({ what: 'letters' }, age(letters.since));
  waiting.set({ what: 'work' }, ready.count);
  waiting.set({ what: 'executing' }, executing.count);
  waiting.set({ what: 'leases-over' }, executing.expired);
  waiting.set({ what: 'letters' }, letters.ready);
  waiting.set({ what: 'dead-letters' }, letters.dead);
  waiting.set({ what: 'messages' }, messages);
}
