/** What can be found out about a store that is open, by whoever has an engine on it. */
import type { Engine } from '../../index.ts';
import type { Place } from '../stores.ts';
import type { Symptom } from './symptoms.ts';
import { CHECKS } from './work.ts';

/** A token with so many is claimed alone (D11). */
const CRASHES_LONE = 2;

export async function symptomsInside(
  engine: Engine,
  place: Place,
  full: boolean,
): Promise<readonly Symptom[]> {
  const { store } = place;
  const patient = { engine, place, now: store.now(), full };
  const symptoms = [...(await store.health.diagnose({ full, crashes: CRASHES_LONE }))];
  for (const check of CHECKS) symptoms.push(await check(patient));
  return symptoms;
}
