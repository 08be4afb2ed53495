/**
 * The carrier: brings what one instance has posted to another, after the commit that posted it.
 *
 * At least once, and in order within an instance: a post that cannot be carried now holds back
 * those behind it. Whoever receives one knows what it had before, so two processes that carry the
 * same, or one that died before it could mark it, change nothing the second time.
 */
import { unreachable } from '../base/assert.ts';
import { type CloudEvent, eventId, findEvent } from '../model/cloud-event.ts';
import { inTrace } from '../kernel/traces.ts';
import type { InstanceId, Instant } from '../model/ids.ts';
import type { Input } from '../model/input.ts';
import type { Post } from '../model/post.ts';
import type { PostRow } from '../stores/store.ts';
import { checkInput } from './admission.ts';
import { begin } from './beginning.ts';
import { birthOf } from './births.ts';
import { showPublish } from './message-watch.ts';
import { deliverNow } from './messages.ts';
import { isRetryable, move } from './move.ts';
import { keptIn } from './tracing.ts';
import { ofTenant } from './tenant-messages.ts';
import type { Worker, WorkerHouse } from './worker.ts';

/** Posts looked at together. */
const BATCH = 200;
/** A message nobody waits for yet is kept this long, as one that a program publishes is. */
const TTL_MS = 7 * 86_400_000;
/** How long the posts of an instance are left alone when one of them could not be carried. */
const ASIDE_MS = 30_000;

type Doing<What extends Post['do']> = Extract<Post, { do: What }>;

export class Carrier {
  readonly #house: WorkerHouse;
  readonly #worker: Worker;
  readonly #aside = new Map<InstanceId, number>();

  constructor(house: WorkerHouse, worker: Worker) {
    this.#house = house;
    this.#worker = worker;
  }

  /** Instances whose posts are left alone for now. */
  aside(): readonly InstanceId[] {
    const now = this.#house.store.now();
    for (const [id, until] of this.#aside) if (until <= now) this.#aside.delete(id);
    return [...this.#aside.keys()];
  }

  /** True if something was carried. */
  async carry(): Promise<boolean> {
    const { store } = this.#house;
    const rows = await store.posts(BATCH, this.aside());
    if (rows.length === 0) return false;
    const lists = byInstance(rows);
    const done = await Promise.allSettled(lists.map((each) => this.#carryInOrder(each)));
    const ids = done.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (ids.length > 0) await store.carried(ids);
    // What the store could not do now is tried again with everything else that it could not.
    for (const each of done) if (each.status === 'rejected') throw each.reason;
    // What these have posted in their turn has rung already; what was behind them has not.
    if (rows.length === BATCH && ids.length > 0) this.#worker.ringFor('posts');
    return ids.length > 0;
  }

  async #carryInOrder(rows: readonly PostRow[]): Promise<readonly string[]> {
    const ids: string[] = [];
    const cancelled = new Set(
      rows.flatMap(({ post }) => (post.do === 'cancel' ? [post.instance] : [])),
    );
    for (const { instance, post } of rows) {
      // What is cancelled before it was started need not begin at all.
      const isVain = post.do === 'start' && cancelled.has(post.instance);
      if (this.#worker.dead) break;
      if (!isVain && !(await this.#isCarried(instance, post))) {
        this.#aside.set(instance, this.#house.store.now() + ASIDE_MS);
        break;
      }
      ids.push(post.id);
    }
    return ids;
  }

  async #isCarried(instance: InstanceId, post: Post): Promise<boolean> {
    try {
      return await this.#deliver(instance, post);
    } catch (thrown) {
      if (isRetryable(thrown)) throw thrown;
      const details = { post: post.id, instance, error: String(thrown) };
      this.#house.logger.error(details, 'something could not be carried and is tried again');
      return false;
    }
  }

  async #deliver(instance: InstanceId, post: Post): Promise<boolean> {
    switch (post.do) {
      case 'publish':
        return this.#publish(post);
      case 'start':
        return this.#start(instance, post);
      case 'answer':
        return this.#answer(post);
      case 'cancel':
        return this.#apply(post.instance, (at) => ({ type: 'cancel', at, saga: post.saga }));
      default:
        return unreachable(post);
    }
  }

  /** An event has the id that its author gave it: the same one twice is one message. */
  async #publish(post: Doing<'publish'>): Promise<boolean> {
    const { type, key, data, tenant = null, trace } = post;
    const event = findEvent(data) as CloudEvent | undefined;
    const given = event === undefined ? post.id : eventId(event);
    const told = { id: given, type, key: key ?? '', data, ttlMs: TTL_MS, ...inTrace(trace) };
    const message = ofTenant(told, tenant);
    const { id } = message;
    await showPublish(this.#house, message, keptIn(trace), async (traced) => {
      const isNew = await this.#house.store.publish(traced);
      const { instances, isWoken } = await deliverNow(this.#house, id, this.#worker);
      const outcome = isWoken ? 'woken' : isNew ? 'buffered' : 'duplicate';
      return { outcome, id, instances };
    });
    return true;
  }

  async #start(from: InstanceId, post: Doing<'start'>): Promise<boolean> {
    const { library, logger } = this.#house;
    const { instance, flow, version, key, parent } = post;
    const registered =
      version === undefined ? library.latest(flow) : library.registered(flow, version);
    if (registered === undefined) {
      if (post.known === true && !(await this.#isStored(post))) {
        return this.#refuse(post, unknownFlow(post));
      }
      // Another process may have it; if none has, this is how people learn of it.
      const details = { flow, version, instance: from };
      logger.warn(details, 'a flow is called that this process does not have');
      return false;
    }
    const input = await checkInput(this.#house, registered, post.input);
    if (!input.ok) return this.#refuse(post, { code: 'call.refused', message: input.problem });
    const { tenant, priority } = post;
    const options = {
      ...(key === undefined ? {} : { key }),
      ...(tenant === undefined ? {} : { tenant }),
      ...(priority === undefined ? {} : { priority }),
    };
    const waits = parent === undefined ? {} : { parent };
    const birth = { ...birthOf(registered, instance, input.value, options), ...waits };
    const applied = await begin(this.#house, this.#worker, registered, birth, post.trace);
    if (applied.outcome !== 'exists' || applied.instance === instance) return true;
    const message = `instance ${applied.instance} has the key "${key}" already`;
    return this.#refuse(post, { code: 'call.key-taken', message });
  }

  /** Whoever has had it has left its plan. */
  async #isStored({ flow, version }: Doing<'start'>): Promise<boolean> {
    const plans = await this.#house.store.plans();
    return plans.some(
      (plan) => plan.name === flow && (version === undefined || plan.version === version),
    );
  }

  /** The instance to be started ends before it begins. If nobody waits for it, people are told. */
  async #refuse(post: Doing<'start'>, why: { code: string; message: string }): Promise<boolean> {
    const { parent: to, instance: from, flow } = post;
    if (to === undefined) {
      const details = { flow, instance: from, ...why };
      this.#house.logger.error(details, 'an instance that nobody waits for cannot be started');
      return true;
    }
    return this.#answer({ to, from, answer: { status: 'failed', fault: { ...why, node: null } } });
  }

  #answer({ to, from, answer }: Omit<Doing<'answer'>, 'id' | 'do'>): Promise<boolean> {
    const { instance, token } = to;
    return this.#apply(instance, (at) => ({ type: 'child', at, token, from, answer }));
  }

  /** An input that comes late or twice leaves no trace, and is carried all the same. */
  async #apply(instance: InstanceId, input: (at: Instant) => Input): Promise<boolean> {
    const taker = this.#worker.fresh;
    return (await move(this.#house, this.#worker, { instance, input, taker })) !== 'broken';
  }
}

/** No process has ever brought it to this store. */
function unknownFlow({ flow, version }: Doing<'start'>): { code: string; message: string } {
  const which = version === undefined ? '' : ` of version ${version}`;
  const message = `no flow "${flow}"${which} is known here: give it to an engine on this store`;
  return { code: 'call.unknown-flow', message };
}

function byInstance(rows: readonly PostRow[]): readonly (readonly PostRow[])[] {
  const lists = new Map<InstanceId, PostRow[]>();
  for (const row of rows) {
    const list = lists.get(row.instance);
    if (list === undefined) lists.set(row.instance, [row]);
    else list.push(row);
  }
  return [...lists.values()];
}
