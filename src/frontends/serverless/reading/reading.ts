/**
 * `readWorkflow(text)`: a Serverless Workflow definition from its text, or everything that is wrong
 * with it.
 *
 * Three looks, one after the other. The text has to be YAML or JSON; if it is not, nothing else is
 * known of it. Its shape has to be one of the language. And what it says has to make sense: names
 * lead somewhere, jumps stay within reach. The last two are told together, so that who mends a
 * definition sees all there is to mend.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Diagnostic, Span } from '../../../model/draft.ts';
import { show } from '../../builder/checks.ts';
import { checkDocument } from './checks.ts';
import { type Finding, wrong } from './finding.ts';
import { cameOf } from './mistake-words.ts';
import { mistakesIn } from './mistakes.ts';
import type { Places } from './places.ts';
import { validateWorkflow } from './validate.gen.ts';
import { readYamlText } from './yaml-text.ts';

/** Whoever has made so many mistakes has made one many times. */
export const DIAGNOSTICS_MAX = 100;

export interface ReadWorkflow {
  /** The definition as plain JSON; null if it could not be read or has another shape. */
  readonly document: JsonObject | null;
  /** In the order in which their places stand in the text; `node` is a pointer. */
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
  /** Where the text has what stands at a pointer. */
  readonly spanOf: (pointer: string) => Span | undefined;
}

/** Never throws. */
export function readWorkflow(text: string): ReadWorkflow {
  if (typeof text !== 'string') {
    const message = `a definition is text, in YAML or JSON; came ${show(text)}`;
    const errors = [{ code: 'serverless.not-a-definition', message }];
    return { document: null, errors, warnings: [], spanOf: () => undefined };
  }
  const { value, problems, places } = readYamlText(text);
  const { spanOf } = places;
  if (value === undefined) {
    return { document: null, errors: limited(problems), warnings: [], spanOf };
  }
  const shape = shapeFindings(value);
  const isSound = shape.every(({ isWarning }) => isWarning);
  const findings = isJsonObject(value) ? [...shape, ...checkDocument(value)] : shape;
  return {
    document: isSound && isJsonObject(value) ? value : null,
    errors: diagnosticsOf(
      findings.filter(({ isWarning }) => !isWarning),
      places,
    ),
    warnings: diagnosticsOf(
      findings.filter(({ isWarning }) => isWarning),
      places,
    ),
    spanOf,
  };
}

/** What does not fit the schema of the language. */
export function shapeFindings(value: Json): readonly Finding[] {
  if (!isJsonObject(value)) {
    const rule = 'a definition is an object with "document" and "do"';
    const message = `${rule}; came ${cameOf(value)}`;
    return [wrong('serverless.not-a-definition', '', message)];
  }
  return validateWorkflow(value) ? [] : mistakesIn(value, validateWorkflow.errors ?? []);
}

function diagnosticsOf(findings: readonly Finding[], places: Places): readonly Diagnostic[] {
  const found = findings.map(({ code, message, pointer, atKey }): Diagnostic => {
    const span = atKey ? places.keySpanOf(pointer) : places.spanOf(pointer);
    return { code, message, node: pointer, ...(span && { span }) };
  });
  const sorted = found.sort(
    ({ span: a }, { span: b }) =>
      (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0),
  );
  return limited(sorted);
}

function limited(all: readonly Diagnostic[]): readonly Diagnostic[] {
  const more = all.length - DIAGNOSTICS_MAX;
  if (more <= 0) return all;
  const message = `and ${more} more; mend these first`;
  return [...all.slice(0, DIAGNOSTICS_MAX), { code: 'serverless.too-many-mistakes', message }];
}
