/**
 * Activities of flowcharts whose type nobody here has a handler for: a name that is misspelt.
 *
 * Said when a flowchart comes to an engine, by those who would run it. An engine that neither works
 * nor has handlers leaves them to others, and so do stored plans, which nobody asks about here.
 */
import { meant } from '../base/nearest.ts';
import { BUILT_IN_TYPES } from '../model/activity.ts';
import type { Diagnostic, Draft } from '../model/draft.ts';
import type { SharedHandlers } from './shared-handlers.ts';

export function unknownTypes({ name, nodes }: Draft, shared: SharedHandlers): Diagnostic[] {
  if (!shared.isAsked) return [];
  return nodes.flatMap(({ id, kind, settings, span }) => {
    const { type } = settings;
    if (kind !== 'activity' || typeof type !== 'string') return [];
    if (shared.knows(`${name}/${type}`)) return [];
    const rule = `"${id}" is of type "${type}", which is neither built in nor one of the handlers`;
    const message = `${rule}; ${meant(type, [...shared.typesFor(name), ...BUILT_IN_TYPES])}`;
    const diagnostic = { code: 'flowchart.unknown-type', message, node: id };
    return [span === undefined ? diagnostic : { ...diagnostic, span }];
  });
}
