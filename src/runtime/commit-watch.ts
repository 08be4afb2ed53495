/**
 * What is shown of one commit: its span, and what can be measured of it. Everything that happens to
 * instances comes by here, so what is known of them is read off the commits themselves.
 */
import { traceAmong } from '../kernel/traces.ts';
import type { Outcome } from '../kernel/advance.ts';
import type { Instance } from '../kernel/instance.ts';
import type { Token } from '../model/instance.ts';
import type { CommitEnd, Measuring } from './measuring.ts';
import type { Happening } from './migrating.ts';
import type { Request } from './strides.ts';
import { keptIn, type Traced, type Tracing } from './tracing.ts';

export interface WatchHouse {
  /** Null where spans are for nobody. */
  readonly tracing: Tracing | null;
  readonly measuring: Measuring;
}

type Plain = Exclude<Happening, { type: 'if-seen' }>;

/** A stride, and what it came of. */
interface Strode {
  readonly happening: Happening;
  readonly before: Instance;
  readonly stride: Outcome;
}

/** Null if nobody looks. */
export function watchCommit(
  { tracing, measuring }: WatchHouse,
  request: Request,
  { happening, before, stride }: Strode,
): CommitWatch | null {
  if (tracing === null && !measuring.isOn) return null;
  const plain = happening.type === 'if-seen' ? happening.happening : happening;
  const traced = tracing && beginSpan(tracing, request, plain, before, stride);
  return new CommitWatch(measuring, traced, plain, before, stride);
}

export class CommitWatch {
  readonly #measuring: Measuring;
  readonly #traced: Traced | null;
  readonly #happening: Plain;
  readonly #before: Instance;
  readonly #stride: Outcome;
  readonly #begun = performance.now();

  constructor(
    measuring: Measuring,
    traced: Traced | null,
    happening: Plain,
    before: Instance,
    stride: Outcome,
  ) {
    this.#measuring = measuring;
    this.#traced = traced;
    this.#happening = happening;
    this.#before = before;
    this.#stride = stride;
  }

  /** It is known what came of it, or that nobody will know. */
  end(outcome: CommitEnd): void {
    const isLost = outcome === 'failed' || outcome === 'lost';
    this.#traced?.set({ 'perdure.outcome': outcome });
    if (isLost) this.#traced?.fail({ code: outcome, message: `the commit was ${outcome}` });
    this.#traced?.end();
    if (!this.#measuring.isOn) return;
    const { changes, after } = this.#stride;
    const ms = performance.now() - this.#begun;
    const { flow } = after.head;
    this.#measuring.tell({ what: 'commit', flow, outcome, changes: changes.length, ms });
    if (outcome === 'committed') this.#tellAll();
  }

  /** What the commit says of its instance. */
  #tellAll(): void {
    const { head } = this.#stride.after;
    const { flow, flowVersion: version, tenant, endedAt, createdAt, status } = head;
    const measuring = this.#measuring;
    if (head.version === 1) measuring.tell({ what: 'instance-started', flow, version, tenant });
    this.#tellOfInput(flow);
    this.#tellOfRetries(flow);
    if (endedAt === null || this.#before.head.endedAt !== null) return;
    if (status !== 'completed' && status !== 'failed' && status !== 'canceled') return;
    const ms = endedAt - createdAt;
    measuring.tell({ what: 'instance-ended', flow, version, tenant, status, ms });
  }

  #tellOfInput(flow: string): void {
    const happening = this.#happening;
    const token = tokenOf(happening, this.#before);
    if (token === undefined) return;
    const { node, wakeAt } = token;
    if (happening.type === 'expire') this.#measuring.tell({ what: 'lease-recovered', flow, node });
    if (happening.type !== 'time' || wakeAt === null) return;
    const lagMs = Math.max(happening.at - wakeAt, 0);
    this.#measuring.tell({ what: 'timer', flow, node, lagMs });
  }

  #tellOfRetries(flow: string): void {
    const { changes, after } = this.#stride;
    for (const change of changes) {
      if (change.did !== 'retry-token') continue;
      const node = this.#before.tokens.get(change.token)?.node;
      const attempt = after.tokens.get(change.token)?.attempts;
      if (node === undefined || attempt === undefined) continue;
      const waitMs = Math.max(change.availableAt - after.head.updatedAt, 0);
      this.#measuring.tell({ what: 'retry', flow, node, attempt, waitMs });
    }
  }
}

function beginSpan(
  tracing: Tracing,
  request: Request,
  happening: Plain,
  before: Instance,
  { after, changes }: Outcome,
): Traced {
  const { id, flow, flowVersion, version, tenant } = after.head;
  const own = tokenOf(happening, before)?.wake?.trace;
  const kept = request.trace ?? traceIn(happening) ?? own ?? traceAmong(before.tokens.values());
  const attributes = {
    'perdure.instance': id,
    'perdure.flow': flow,
    'perdure.flow.version': flowVersion,
    'perdure.commit': version,
    'perdure.changes': changes.length,
    'perdure.input': happening.type,
    ...(tenant === null ? {} : { 'perdure.tenant': tenant }),
    ...(request.fence === undefined ? {} : { 'perdure.worker': request.fence.worker }),
  };
  // Whoever was woken by a message of another trace is found by it from its own.
  const linked = happening.type === 'message' && own !== traceIn(happening) ? [own] : [];
  return tracing.begin('perdure.commit', keptIn(kept), attributes, { linked });
}

/** What an input itself is part of. */
function traceIn(happening: Plain): string | undefined {
  if (happening.type === 'start') return happening.trace;
  return happening.type === 'message' ? happening.message.trace : undefined;
}

/** The token that it happens to, as it was. */
function tokenOf(happening: Plain, { tokens }: Instance): Token | undefined {
  if (!('token' in happening) || happening.token === null) return undefined;
  return tokens.get(happening.token);
}
