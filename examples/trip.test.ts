import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'perdure-trip-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function travel(name: string, cars: number): Promise<readonly string[]> {
  const program = join(import.meta.dirname, 'trip.ts');
  const args = ['--conditions=perdure-source', program, join(folder, 'trips.db'), name];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, String(cars)]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.replace(`${name}  `, ''));
}

test('a trip without a car cancels what it booked, the last first', async () => {
  expect(await travel('trip-1', 0)).toEqual([
    'booked flight',
    'booked hotel',
    'cancelled {"booking":"hotel-7"}',
    'cancelled {"booking":"flight-7"}',
    'failed at car: no car to be had; compensated',
  ]);
});

test('run again, it is over and nothing is booked or cancelled twice', async () => {
  expect(await travel('trip-1', 0)).toEqual(['failed at car: no car to be had; compensated']);
});

test('a trip with a car is booked', async () => {
  const lines = await travel('trip-2', 1);
  expect(lines.at(-1)).toBe('done: flight-7, hotel-7, car-7');
  expect(lines.some((line) => line.startsWith('cancelled'))).toBe(false);
});
