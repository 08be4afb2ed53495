/** Bells: a process hears that another has written to the file, and not that it has itself. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { start } from '../../testing/store-commits.ts';
import type { Store } from '../store.ts';
import { planCells } from '../writes.ts';
import { Session } from './session.ts';
import { sqlite } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'perdure-bells-'));
afterAll(() => rmSync(folder, { recursive: true }));

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.close()));
});

const freshPath = (): string => join(folder, `${crypto.randomUUID()}.db`);

async function openStore(path: string): Promise<Store> {
  const store = sqlite(path, { durability: 'relaxed' });
  opened.push(store);
  await store.open();
  return store;
}

describe('listening', () => {
  test('a commit of another process rings', async () => {
    const path = freshPath();
    const [listener, other] = [await openStore(path), await openStore(path)];
    const rung = new Promise<void>((resolve) => listener.listen(() => resolve()));
    // It listens once it has answered what was asked after.
    await listener.scan(null, 1);
    await other.commit([start('a')]);
    await rung;
  });

  test('everyone who listens is rung, also who did so before the store was open', async () => {
    const path = freshPath();
    const other = await openStore(path);
    const listener = sqlite(path, { durability: 'relaxed' });
    opened.push(listener);
    const early = new Promise<void>((resolve) => listener.listen(() => resolve()));
    await listener.open();
    const late = new Promise<void>((resolve) => listener.listen(() => resolve()));
    await listener.scan(null, 1);
    await other.commit([start('a')]);
    await Promise.all([early, late]);
  });

  test('it rings again for what comes later', async () => {
    const path = freshPath();
    const [listener, other] = [await openStore(path), await openStore(path)];
    let heard = (): void => {};
    listener.listen(() => heard());
    await listener.scan(null, 1);
    for (const name of ['a', 'b', 'c']) {
      const rung = new Promise<void>((resolve) => {
        heard = resolve;
      });
      await other.commit([start(name)]);
      await rung;
    }
  });
});

describe('what is heard', () => {
  const openSession = (path: string): Session => {
    const session = new Session(path, { durability: 'relaxed' }, null);
    opened.push(session);
    return session;
  };
  const write = (session: Session, hash: string): void =>
    session.savePlan(null, planCells({ hash: hash as never, name: 'a', version: 1, body: null }));

  test('writes of others, once, and never one of its own', () => {
    const path = freshPath();
    const [own, other] = [openSession(path), openSession(path)];
    own.heard();
    expect(own.heard()).toBe(false);
    write(own, 'one');
    expect(own.heard()).toBe(false);
    write(other, 'two');
    write(other, 'three');
    write(own, 'four');
    expect(own.heard()).toBe(true);
    expect(own.heard()).toBe(false);
  });

  test('who only looks is not heard', () => {
    const path = freshPath();
    const [own, other] = [openSession(path), openSession(path)];
    own.heard();
    const all = { lone: false, tenant: null, watched: true };
    other.claim(null, { worker: 'ann', handlers: '["a"]', limit: 9, leaseMs: 9, ...all });
    other.scan(null, '', 9);
    other.renew(null, [], 9);
    expect(own.heard()).toBe(false);
  });
});
