/** How often the file is looked at, by a clock that stands still unless it is turned. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pulse } from '../pulse.ts';
import { Rounds } from './rounds.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A session that only counts who asks whether others have written, and says so when it is told. */
class Ear {
  looks = 0;
  isHeard = false;
  isBroken = false;

  heard(): boolean {
    this.looks += 1;
    if (this.isBroken) throw new Error('the disk is away');
    const { isHeard } = this;
    this.isHeard = false;
    return isHeard;
  }

  during(ms: number): number {
    const before = this.looks;
    vi.advanceTimersByTime(ms);
    return this.looks - before;
  }
}

function listening(): { readonly ear: Ear; readonly rings: () => number; readonly rounds: Rounds } {
  const ear = new Ear();
  let rings = 0;
  const rounds = new Rounds({
    session: ear as never,
    watch: { shortestMs: Number.POSITIVE_INFINITY } as never,
    pulse: new Pulse().shared,
    blockedMsMax: 1_000,
    isTrouble: () => true,
  });
  rounds.listen(() => {
    rings += 1;
  });
  return { ear, rings: () => rings, rounds };
}

test('what others write rings within 50 ms', () => {
  const { ear, rings } = listening();
  ear.isHeard = true;
  vi.advanceTimersByTime(50);
  expect(rings()).toBe(1);
});

test('after five seconds of silence five looks a second do, until something is heard', () => {
  const { ear, rings } = listening();
  expect(ear.during(5_000)).toBe(100);
  expect(ear.during(10_000)).toBe(50);
  ear.isHeard = true;
  vi.advanceTimersByTime(200);
  expect(rings()).toBe(1);
  expect(ear.during(1_000)).toBe(20);
});

test('a look that fails is followed by another', () => {
  const { ear, rings } = listening();
  ear.isBroken = true;
  expect(ear.during(500)).toBe(10);
  ear.isBroken = false;
  ear.isHeard = true;
  vi.advanceTimersByTime(50);
  expect(rings()).toBe(1);
});

test('whoever has stopped looks no more', () => {
  const { ear, rounds } = listening();
  rounds.stop();
  expect(ear.during(10_000)).toBe(0);
});
