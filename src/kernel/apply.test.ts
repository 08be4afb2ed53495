import { describe, expect, test } from 'vitest';
import type { Change } from '../model/change.ts';
import type {
  EdgeId,
  GroupId,
  InstanceId,
  Instant,
  NodeId,
  PlanHash,
  ScopeId,
  TokenId,
} from '../model/ids.ts';
import type { Fault, Scope, Token } from '../model/instance.ts';
import { apply, seal } from './apply.ts';
import {
  emptyInstance,
  isResting,
  rowsOf,
  type Scratch,
  scopeOf,
  scopeRow,
  scratchOf,
  tokenOf,
} from './instance.ts';

const AT = 1_000 as Instant;
const LATER = 2_000 as Instant;
const ROOT = 1 as ScopeId;
const TOKEN = 2 as TokenId;
const boom: Fault = { code: 'boom', message: 'boom', node: 'A' as NodeId };
const latch = { scope: ROOT, node: 'j' as NodeId, group: 9 as GroupId };

const started: readonly Change[] = [
  {
    did: 'start-instance',
    instance: {
      id: 'i1' as InstanceId,
      plan: 'hash' as PlanHash,
      flow: 'order',
      flowVersion: 3,
      input: { sku: 'A1' },
    },
  },
  { did: 'open-scope', scope: { id: ROOT, parent: null, owner: null, node: null } },
];

function born(fields: Partial<Token> = {}): Change {
  const token = {
    id: TOKEN,
    scope: ROOT,
    node: 'A' as NodeId,
    status: 'executing',
    ...fields,
  } as const;
  return { did: 'birth-token', token };
}

function after(...changes: readonly Change[]): Scratch {
  const scratch = scratchOf(emptyInstance('i1' as InstanceId));
  for (const change of [...started, ...changes]) apply(scratch, change, AT);
  return scratch;
}

test('an instance that starts is running, and what nobody gave it is null', () => {
  const scratch = after();
  expect(scratch.head).toEqual({
    id: 'i1',
    plan: 'hash',
    flow: 'order',
    flowVersion: 3,
    status: 'running',
    version: 0,
    counter: 0,
    key: null,
    tenant: null,
    priority: 0,
    input: { sku: 'A1' },
    output: null,
    fault: null,
    stalled: null,
    outcome: null,
    pauses: [],
    parent: null,
    createdAt: AT,
    updatedAt: AT,
    endedAt: null,
  });
});

test('B-01: a token has its place, state, mode, groups and times from birth', () => {
  expect(tokenOf(after(born({ groups: [9 as GroupId], via: 's->A' as EdgeId })), TOKEN)).toEqual({
    id: TOKEN,
    scope: ROOT,
    node: 'A',
    via: 's->A',
    handler: null,
    seq: null,
    status: 'executing',
    mode: 'forward',
    groups: [9],
    visit: 1,
    attempts: 0,
    crashes: 0,
    maxAttempts: 1,
    lanes: [],
    priority: 0,
    availableAt: AT,
    wait: null,
    wakeAt: null,
    wake: null,
    lastError: null,
    hops: 0,
    createdAt: AT,
    updatedAt: AT,
  });
});

test('B-08: a token that was only created does not move and cannot be claimed', () => {
  const scratch = after(born({ status: 'created' }));
  expect(isResting(tokenOf(scratch, TOKEN))).toBe(false);
  expect(scratch.moving).toBe(0);
  expect(() => apply(scratch, { did: 'enter-token', token: TOKEN }, AT)).toThrow(
    'token 2 cannot claim: it is created and must be ready first',
  );
});

describe('B-10: a token that waits says for what', () => {
  const waits = [
    { on: 'time' },
    { on: 'message', type: 'payment', key: 'k' },
    { on: 'scope', scope: 5 as ScopeId },
    { on: 'join' },
  ] as const;
  for (const wait of waits) {
    test(wait.on, () => {
      const groups = [9 as GroupId];
      const scratch = after(born({ groups }), { did: 'park-token', token: TOKEN, wait });
      expect(tokenOf(scratch, TOKEN)).toMatchObject({ status: 'waiting', wait, wakeAt: null });
    });
  }
});

describe('what a token keeps and loses', () => {
  const parked: readonly Change[] = [
    born(),
    { did: 'park-token', token: TOKEN, wait: { on: 'time' }, wakeAt: LATER },
  ];

  test('waking takes the wait and its moment away and keeps why', () => {
    const wake = { reason: 'timeout', payload: null } as const;
    const scratch = after(...parked, {
      did: 'wake-token',
      token: TOKEN,
      wake,
      handler: 'order@3/',
    });
    expect(tokenOf(scratch, TOKEN)).toMatchObject({
      status: 'ready',
      wait: null,
      wakeAt: null,
      wake,
      handler: 'order@3/',
    });
  });

  test('parking again forgets why it was woken', () => {
    const wake = { reason: 'event', payload: 1 } as const;
    const scratch = after(
      ...parked,
      { did: 'wake-token', token: TOKEN, wake },
      { did: 'enter-token', token: TOKEN },
      { did: 'park-token', token: TOKEN, wait: { on: 'time' } },
    );
    expect(tokenOf(scratch, TOKEN).wake).toBe(null);
  });

  test('resting keeps how far it has come, and a wait forgets it', () => {
    const rest = { did: 'rest-token', token: TOKEN, handler: 'order@3/', hops: 41 } as const;
    const scratch = after(born(), rest);
    expect(tokenOf(scratch, TOKEN)).toMatchObject({
      status: 'ready',
      handler: 'order@3/',
      hops: 41,
    });
    apply(scratch, { did: 'enter-token', token: TOKEN }, AT);
    expect(tokenOf(scratch, TOKEN).hops).toBe(41);
    apply(scratch, { did: 'park-token', token: TOKEN, wait: { on: 'time' } }, AT);
    expect(tokenOf(scratch, TOKEN)).toMatchObject({ hops: 0, handler: null });
  });

  test('a lease that ran out adds an attempt and a crash, and makes it available at once', () => {
    const claim = { did: 'claim-token', token: TOKEN, worker: 'w', version: 1, at: AT } as const;
    const scratch = after(born({ status: 'ready', handler: 'order@3/A' }), claim);
    apply(scratch, { did: 'recover-token', token: TOKEN, error: boom }, LATER);
    expect(tokenOf(scratch, TOKEN)).toMatchObject({
      status: 'ready',
      handler: 'order@3/A',
      attempts: 1,
      crashes: 1,
      lastError: boom,
      wake: { reason: 'lease-recovery', payload: null },
      availableAt: LATER,
      updatedAt: LATER,
    });
  });
});

describe('B-44: a failure that is not final keeps the token', () => {
  const claim = { did: 'claim-token', token: TOKEN, worker: 'w', version: 1, at: AT } as const;

  test('a retry adds an attempt and no crash, and makes it available when it says', () => {
    const scratch = after(born({ status: 'ready', handler: 'order@3/A' }), claim, {
      did: 'retry-token',
      token: TOKEN,
      error: boom,
      availableAt: LATER,
    });
    expect(tokenOf(scratch, TOKEN)).toMatchObject({
      status: 'ready',
      handler: 'order@3/A',
      attempts: 1,
      crashes: 0,
      lastError: boom,
      wake: { reason: 'retry', payload: null },
      availableAt: LATER,
    });
  });

  test('one that parks because of an error has an attempt more', () => {
    const scratch = after(born(), {
      did: 'park-token',
      token: TOKEN,
      wait: { on: 'time' },
      wakeAt: LATER,
      error: boom,
    });
    expect(tokenOf(scratch, TOKEN)).toMatchObject({
      status: 'waiting',
      attempts: 1,
      crashes: 0,
      lastError: boom,
      wakeAt: LATER,
    });
  });

  test('one that is tried again by hand may be executed as often as that says', () => {
    const wait = { on: 'incident', can: ['retry'] } as const;
    const wake = { reason: 'retry', payload: null } as const;
    const scratch = after(
      born(),
      { did: 'park-token', token: TOKEN, wait, error: boom },
      { did: 'wake-token', token: TOKEN, wake, handler: 'order@3/A', maxAttempts: 4 },
    );
    expect(tokenOf(scratch, TOKEN)).toMatchObject({
      status: 'ready',
      attempts: 1,
      maxAttempts: 4,
      wake,
      wait: null,
    });
  });
});

describe('how a token ends', () => {
  test('one that is no chain step is gone; it lives in history', () => {
    const scratch = after(born(), { did: 'end-token', token: TOKEN, why: 'done' });
    expect(scratch.tokens.get(TOKEN)).toBeUndefined();
    expect(() => apply(scratch, { did: 'close-scope', scope: ROOT }, AT)).not.toThrow();
  });

  test('a step of a chain stays as a row, in its final state and out of every index', () => {
    const scratch = after(born({ seq: 0 }), {
      did: 'end-token',
      token: TOKEN,
      why: 'failed',
      fault: boom,
    });
    expect(tokenOf(scratch, TOKEN)).toMatchObject({ status: 'failed', lastError: boom, seq: 0 });
    expect(scratch.moving).toBe(0);
    expect(() => apply(scratch, { did: 'close-scope', scope: ROOT }, AT)).not.toThrow();
  });

  test('B-06: ending it again is refused as TokenFinalizedTwice', () => {
    const scratch = after(born({ seq: 0 }), { did: 'end-token', token: TOKEN, why: 'done' });
    const again = (): void =>
      apply(scratch, { did: 'end-token', token: TOKEN, why: 'cancelled' }, AT);
    expect(again).toThrow(expect.objectContaining({ code: 'TokenFinalizedTwice' }));
  });

  test('ending one that is gone is a broken promise', () => {
    const scratch = after(born(), { did: 'end-token', token: TOKEN, why: 'done' });
    expect(() => apply(scratch, { did: 'end-token', token: TOKEN, why: 'done' }, AT)).toThrow(
      'token 2 is alive',
    );
  });
});

function rowOf(scratch: Scratch, id: ScopeId): Scope {
  return scopeRow(scopeOf(scratch, id));
}

describe('scopes and values', () => {
  test('a write adds to what is there and changes the named keys only', () => {
    const write = (name: string, value: number): Change => {
      return { did: 'write', scope: ROOT, space: 'vars', name, value };
    };
    const scratch = after(write('a', 1), write('b', 2), write('b', 3));
    expect(rowOf(scratch, ROOT)).toMatchObject({ vars: { a: 1, b: 3 }, results: {} });
    expect(Object.isFrozen(rowOf(scratch, ROOT).vars)).toBe(true);
  });

  test('results and variables of one name do not mix', () => {
    const scratch = after(
      { did: 'write', scope: ROOT, space: 'vars', name: 'a', value: 1 },
      { did: 'write', scope: ROOT, space: 'results', name: 'a', value: 2 },
    );
    expect(rowOf(scratch, ROOT)).toMatchObject({ vars: { a: 1 }, results: { a: 2 } });
  });

  const region = { id: 3 as ScopeId, parent: ROOT, owner: TOKEN, node: 'A' as NodeId };
  const opened: readonly Change[] = [
    born(),
    { did: 'open-scope', scope: region },
    { did: 'write', scope: region.id, space: 'results', name: 'inner', value: 1 },
  ];

  test('a region that opens parks its owner', () => {
    const wait = { on: 'scope', scope: 3 };
    expect(tokenOf(after(...opened), TOKEN)).toMatchObject({ status: 'waiting', wait });
  });

  test('a region that returns lets its owner go on, with its results if it promotes', () => {
    for (const promote of [true, undefined]) {
      const back = { did: 'return-scope', scope: region.id, ...(promote && { promote }) } as const;
      const scratch = after(...opened, back);
      expect(tokenOf(scratch, TOKEN)).toMatchObject({ status: 'executing', wait: null });
      expect(scratch.scopes.get(region.id)).toBeUndefined();
      expect(rowOf(scratch, ROOT).results).toEqual(promote === true ? { inner: 1 } : {});
    }
  });

  test('a region whose owner was woken before returns to it all the same', () => {
    const wake = { reason: 'resume', payload: { on: 'scope', scope: 3 } } as const;
    const scratch = after(
      ...opened,
      { did: 'wake-token', token: TOKEN, wake, hops: 5 },
      { did: 'enter-token', token: TOKEN },
      { did: 'return-scope', scope: region.id },
    );
    expect(tokenOf(scratch, TOKEN)).toMatchObject({ status: 'executing', hops: 5 });
  });

  test('P8: a scope that holds a token or a scope does not close', () => {
    const close: Change = { did: 'close-scope', scope: ROOT };
    expect(() => after(born(), close)).toThrow('scope 1 is empty when it closes');
    const end: Change = { did: 'end-token', token: TOKEN, why: 'cancelled' };
    expect(() => after(...opened, end, close)).toThrow('scope 1 is empty when it closes');
  });
});

test('P10: a latch fires once', () => {
  const scratch = after({ did: 'open-latch', latch }, { did: 'fire-latch', latch });
  expect(rowsOf(scratch).latches).toEqual([{ ...latch, fired: true }]);
  expect(() => apply(scratch, { did: 'fire-latch', latch }, AT)).toThrow(
    'a join fires once per group',
  );
});

test('an instance ends once, and a stall ends with it', () => {
  const stall: Change = { did: 'stall', stalled: { reason: 'join', joins: [] } };
  const scratch = after(stall, { did: 'finish', as: 'failed', fault: boom });
  expect(scratch.head).toMatchObject({ status: 'failed', fault: boom, stalled: null, endedAt: AT });
  expect(() => apply(scratch, { did: 'finish', as: 'completed' }, AT)).toThrow(
    'an instance ends once',
  );
});

test('a stall is taken back', () => {
  const stalled = { reason: 'join', joins: [] } as const;
  const scratch = after({ did: 'stall', stalled });
  expect(scratch.head.stalled).toEqual(stalled);
  apply(scratch, { did: 'unstall' }, AT);
  expect(scratch.head.stalled).toBe(null);
});

test('sealing a commit gives it its number and its time, and keeps the last id handed out', () => {
  const scratch = after(born());
  seal(scratch, 1, LATER);
  expect(scratch.head).toMatchObject({ version: 1, counter: 2, createdAt: AT, updatedAt: LATER });
});

test('a change nobody knows is a broken promise', () => {
  expect(() => after({ did: 'vanish' } as never)).toThrow('unreachable');
});
