/**
 * What a validator found, as people say it: one mistake, one sentence.
 *
 * What only follows from another mistake is left out: a property that is missing because it is
 * misspelt, a choice that is open because of the same, and the shape of what is of another type.
 */
import type { Json } from '../../../base/json.ts';
import type { Finding } from './finding.ts';
import {
  chosenOf,
  meantBy,
  sayChoice,
  sayMissing,
  sayNoTask,
  sayTwoNames,
  sayTwoTasks,
  sayUnknown,
  sayValue,
} from './mistake-words.ts';
import { type Offence, offenceOf, type Violation } from './violation.ts';

export function mistakesIn(document: Json, violations: readonly Violation[]): readonly Finding[] {
  const places = new Map<string, Offence[]>();
  for (const violation of violations) {
    if (!isTold(violation)) continue;
    const offence = offenceOf(document, violation);
    const others = places.get(offence.pointer);
    if (others === undefined) places.set(offence.pointer, [offence]);
    else others.push(offence);
  }
  return [...places.values()].flatMap(sayPlace);
}

/** A shape that was chosen says itself what does not fit; so do the sides of a choice. */
function isTold({ keyword, schemaPath }: Violation): boolean {
  return keyword !== 'if' && !/\/oneOf\/\d+\//.test(schemaPath);
}

/** Everything that is wrong at one place, each thing once. */
function sayPlace(offences: readonly Offence[]): readonly Finding[] {
  // Of a value of another type nothing else is said; the shape around others describes it best.
  const types = offences.filter(({ keyword }) => keyword === 'type');
  const type = types.find(({ schema }) => schema.description !== undefined) ?? types[0];
  if (type !== undefined) return [sayValue(type)];
  const said = new Map<string, Finding>();
  for (const offence of offences) {
    if (follows(offence, offences)) continue;
    const finding = sayOffence(offence);
    said.set(`${finding.pointer} ${finding.message}`, finding);
  }
  return [...said.values()];
}

/** Whether there would be nothing to say but for another mistake at the same place. */
function follows(offence: Offence, all: readonly Offence[]): boolean {
  const unknown = all.filter(({ keyword }) => keyword === 'additionalProperties');
  const missing = all.filter(({ keyword }) => keyword === 'required');
  const isOpen = offence.schema['x-open'] === true;
  switch (offence.keyword) {
    case 'additionalProperties':
      // Where anything may stand, what is missing is the mistake.
      return (
        isOpen &&
        (all.some(isNothingChosen) || missing.some(({ property }) => property === meantBy(offence)))
      );
    case 'oneOf':
      return !isOpen && unknown.length > 0 && isNothingChosen(offence);
    case 'required':
      return !isOpen && unknown.some((other) => meantBy(other) === offence.property);
    default:
      return false;
  }
}

function isNothingChosen(offence: Offence): boolean {
  return offence.keyword === 'oneOf' && chosenOf(offence).length === 0;
}

function sayOffence(offence: Offence): Finding {
  const { keyword, schema, property } = offence;
  const choice = schema['x-choice'];
  switch (keyword) {
    case 'required':
      return sayMissing(offence);
    case 'additionalProperties':
      return choice?.includes(property) ? sayTwoTasks(offence) : sayUnknown(offence);
    case 'oneOf':
      return sayChoice(offence);
    case 'not':
      return choice === undefined ? sayValue(offence) : sayNoTask(offence);
    case 'maxProperties':
      return sayTwoNames(offence);
    default:
      return sayValue(offence);
  }
}
