/**
 * URI templates, of which Serverless Workflow has the simplest kind: `{name}` is the property of
 * that very name of the task's input, percent-encoded. `{pet.id}` is the property "pet.id"; what is
 * missing or null is an empty text; nothing but the input can be named.
 *
 * A value can never add a part to the URI, since whatever separates parts is encoded. The one thing
 * no encoding helps against is a segment of one or two dots, with which a URI goes back a step: it
 * would lead to another resource than the author wrote, and is refused.
 */
import { EMPTY, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { WorkflowError } from '../model/workflow-error.ts';

const PLACE = /\{([^{}]*)\}/g;
/** Of RFC 6570, but not of Serverless Workflow: operators, prefixes, lists of names. */
const BEYOND = /^[+#./;?&=!@|]|,|\*$|:\d{1,4}$/;
const DOTS = /^(\.|%2e){1,2}$/i;

/** The URI, with values of the input in place of the names in braces. */
export function expandTemplate(template: string, input: Json): string {
  const values = isJsonObject(input) ? input : EMPTY;
  return fillPlaces(template, (name) => percentEncode(valueOf(values, name)));
}

/** Puts texts that are encoded already where the names in braces stand. */
export function fillPlaces(template: string, textOf: (name: string) => string): string {
  const filled = template.replaceAll(PLACE, (_, name: string) => textOf(name));
  refuseDots(template.replaceAll(PLACE, 'x'), filled);
  return filled;
}

/** Everything but letters, digits and `-._~`, as RFC 6570 has it. */
export function percentEncode(text: string): string {
  const whole = text.replaceAll(/\p{Cs}/gu, '\ufffd');
  return encodeURIComponent(whole).replaceAll(/[!'()*]/g, hex);
}

function hex(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}

function valueOf(values: JsonObject, name: string): string {
  const value = Object.hasOwn(values, name) ? (values[name] ?? null) : undefined;
  if (value === undefined && BEYOND.test(name)) {
    throw new WorkflowError('configuration', {
      detail: `"{${name}}" in a URI: only "{name}" is known, the name of a property of the input`,
    });
  }
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  const what = Array.isArray(value) ? 'a list' : 'an object';
  throw new WorkflowError('expression', {
    detail: `"{${name}}" in a URI takes a text, a number or a boolean, and the input has ${what}`,
  });
}

/** `shape` has no values in it: what is a dot there, its author has put there. */
function refuseDots(shape: string, filled: string): void {
  const meant = segmentsOf(shape);
  const isLed = segmentsOf(filled).some((one, at) => DOTS.test(one) && !DOTS.test(meant[at] ?? ''));
  if (!isLed) return;
  throw new WorkflowError('expression', {
    detail: 'a value that is "." or ".." would make the URI lead elsewhere than it was written to',
  });
}

function segmentsOf(uri: string): readonly string[] {
  return (/^[^?#]*/.exec(uri)?.[0] ?? '').split('/');
}
