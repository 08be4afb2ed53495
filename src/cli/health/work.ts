/** What the engine knows of the work in a store: what is stuck, late, given up or soon lost. */
import type { Engine } from '../../index.ts';
import { agoText, momentText, spanText } from '../spans.ts';
import type { Place } from '../stores.ts';
import { handlerAdvice, handlerText } from '../telling.ts';
import { failed, noted, someOf, type Symptom } from './symptoms.ts';

export interface Patient {
  readonly engine: Engine;
  readonly place: Place;
  readonly now: number;
  /** Every instance is looked at, and not only the newest. */
  readonly full: boolean;
}

export type Check = (patient: Patient) => Promise<Symptom>;

/** Later than this is late. */
const LATE_MS = 60_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Clocks of machines are seldom better than this. */
const DRIFT_MS_MAX = 1_000;
/** Past this, a lease is too long or too short to mean anything. */
const DRIFT_MS_BAD = 10_000;
/** Rows of a list that are looked at. */
const PAGE = 1_000;
const OPEN = ['running', 'waiting', 'compensating'] as const;
/** Instances whose promises are checked, unless all are. */
const CHECKED = 500;

const clock: Check = async ({ place: { store } }) => {
  const drift = store.now() - Date.now();
  const way = drift < 0 ? 'behind' : 'ahead';
  const found = `the store's clock is ${spanText(Math.abs(drift))} ${way}`;
  if (Math.abs(drift) <= DRIFT_MS_MAX) return noted('clock', found);
  const advice = 'have both machines keep time by NTP';
  return Math.abs(drift) > DRIFT_MS_BAD
    ? failed('clock', found, advice)
    : noted('clock', found, advice);
};

const invariants: Check = async ({ engine, full }) => {
  const newest = full ? undefined : await engine.list({ limit: CHECKED });
  const ids = newest?.instances.map(({ id }) => id);
  const { ok, instances, violations } = await engine.check(ids === undefined ? {} : { ids });
  const part =
    newest === undefined || newest.cursor === null ? '' : ', the newest; all with --full';
  const found = `${instances} instances keep every promise${part}`;
  if (ok) return noted('invariants', found);
  const broken = violations.map(({ instance }) => instance);
  const said = `${violations.length} promises are broken: ${someOf([...new Set(broken)])}`;
  return failed('invariants', said, 'export these with "perdure export ID" and report it');
};

const stalled: Check = async ({ engine }) => {
  const { instances, cursor } = await engine.list({ stalled: true, limit: PAGE });
  if (instances.length === 0) return noted('stalled', 'none');
  const ids = instances.map(({ id }) => id);
  const advice = 'nothing will move them: move, skip or cancel what they wait for';
  return noted('stalled', someOf(ids, cursor !== null), advice);
};

const leases: Check = async ({ place: { store }, now }) => {
  const late = (await store.expired(PAGE)).filter(({ until }) => until < now - LATE_MS);
  if (late.length === 0) return noted('leases', 'none has run out and been left');
  const found = `${late.length} ran out, and nobody takes them up`;
  return noted('leases', found, 'start a worker on this store');
};

const workers: Check = async ({ engine, place: { store } }) => {
  const all = await store.servers.list();
  const handlers = new Set(all.flatMap((one) => one.handlers));
  if (all.length > 0)
    return noted('workers', `${all.length} at work, with ${handlers.size} handlers`);
  const open = await engine.list({ status: OPEN, limit: 1 });
  if (open.instances.length === 0) return noted('workers', 'none at work, and nothing to do');
  return noted('workers', 'none at work', 'start a program that has the flows: nothing moves');
};

const handlers: Check = async ({ engine }) => {
  const { instances } = await engine.list({ status: 'running', limit: PAGE });
  const missing = instances.flatMap(({ stalled: why }) => {
    return why?.reason === 'handler.missing' ? why.handlers : [];
  });
  if (missing.length === 0) return noted('handlers', 'no work lacks its handler');
  const found = `no worker has ${someOf([...new Set(missing.map(handlerText))])}`;
  return noted('handlers', found, handlerAdvice(missing));
};

const deadLetters: Check = async ({ engine }) => {
  const { letters, cursor } = await engine.outbox.list({ status: 'dead', limit: PAGE });
  if (letters.length === 0) return noted('dead-letters', 'none');
  const found = `${letters.length}${cursor === null ? '' : ' or more'} letters were given up`;
  return noted(
    'dead-letters',
    found,
    '"perdure outbox --status dead", then "perdure outbox requeue --all"',
  );
};

const letters: Check = async ({ engine, now }) => {
  const page = await engine.outbox.list({ status: 'ready', limit: PAGE });
  const late = page.letters.filter(({ dueAt }) => dueAt < now - LATE_MS);
  if (late.length === 0) return noted('letters', 'none is overdue');
  const found = `${late.length} should have been sent, and nobody does`;
  return noted('letters', found, 'start a worker with an outbox');
};

const schedules: Check = async ({ engine, now }) => {
  const all = await engine.schedules.list();
  const unread = all.filter(({ spec }) => spec === null).map(({ name }) => name);
  if (unread.length > 0) {
    return failed(
      'schedules',
      `${someOf(unread)} cannot be read`,
      'run the version that made them',
    );
  }
  const late = all.filter(({ status, nextAt }) => {
    return status === 'active' && nextAt !== null && nextAt < now - LATE_MS;
  });
  if (late.length === 0) return noted('schedules', `${all.length}, and none is overdue`);
  const said = late.map(({ name, nextAt }) => `${name} ${agoText(nextAt ?? now, now)}`);
  return noted('schedules', `overdue: ${said.join(', ')}`, 'start a worker that has their flows');
};

const messages: Check = async ({ engine, now }) => {
  const { messages: kept } = await engine.inbox.list({ limit: PAGE });
  const soon = kept.filter(({ expiresAt }) => expiresAt < now + HOUR_MS);
  if (soon.length === 0)
    return noted('messages', `${kept.length} are kept, none is about to expire`);
  const found = `${soon.length} will be gone within the hour, and nobody has had them`;
  const [first] = soon;
  return noted(
    'messages',
    found,
    `are their keys right? The first is ${first?.type} of ${first?.key}`,
  );
};

const suspended: Check = async ({ engine, now }) => {
  const { instances } = await engine.list({ status: 'suspended', limit: PAGE });
  const long = instances.filter(({ updatedAt }) => updatedAt < now - DAY_MS);
  if (long.length === 0) return noted('suspended', `${instances.length}, none for more than a day`);
  const found = `for more than a day: ${someOf(long.map(({ id }) => id))}`;
  return noted('suspended', found, 'forgotten? "perdure resume ID" or "perdure cancel ID"');
};

const flows: Check = async ({ place: { store } }) => {
  const held = (await store.halts.list()).filter((halt) => halt.suspended);
  if (held.length === 0) return noted('flows', 'none is suspended as a whole');
  const said = held.map(({ flow, version, at }) => {
    return `${flow}${version === 0 ? '' : `@${version}`} since ${momentText(at)}`;
  });
  return noted('flows', `suspended: ${said.join(', ')}`, '"perdure resume --flow NAME"');
};

const failures: Check = async ({ engine, now }) => {
  const since = { status: 'failed', endedAfter: now - DAY_MS } as const;
  const { instances, cursor } = await engine.list({ ...since, limit: PAGE });
  if (instances.length === 0) return noted('failures', 'none in the last day');
  const codes = new Map<string, number>();
  for (const { fault } of instances) {
    const code = fault?.code ?? 'unknown';
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  const by = [...codes].map(([code, count]) => `${count} ${code}`).join(', ');
  const found = `in the last day ${instances.length}${cursor === null ? '' : ' or more'}: ${by}`;
  return noted('failures', found, '"perdure ls --status failed", then "perdure show ID"');
};

/** In the order in which they are shown. */
export const CHECKS: readonly Check[] = [
  ...[clock, invariants, stalled, failures, workers, handlers, leases],
  ...[deadLetters, letters, schedules, messages, suspended, flows],
];
