/** What only the command line knows: sources, log lines, and what a doctor finds. */
import type { ServerResponse } from 'node:http';
import type { Engine } from '../../index.ts';
import { symptomsInside } from '../health/examining.ts';
import { diskSymptoms, nodeSymptom } from '../health/place.ts';
import type { Place } from '../stores.ts';
import { versionText } from '../version.ts';
import type { LogLines } from './log-lines.ts';
import type { DevRoutes } from './server.ts';
import type { Source } from './sources.ts';

export interface Shown {
  readonly engine: Engine;
  readonly logs: LogLines;
  readonly sources: readonly Source[];
  /** Greater with every time that they were read. */
  readonly revision: number;
  readonly hasWorker: boolean;
  /** Is told of every such time. */
  listen(response: ServerResponse): void;
}

/** What is told of a house and its store. */
export function routesOf(
  house: Shown,
  place: Place,
  about: { readonly isPlayground: boolean; readonly user: string },
): DevRoutes {
  return {
    '/dev/session': {
      answer: () => ({
        ...{ version: versionText(), store: place.url, ...about },
        ...{ hasWorker: house.hasWorker, revision: house.revision },
      }),
    },
    '/dev/sources': { answer: () => ({ revision: house.revision, sources: house.sources }) },
    '/dev/logs': {
      answer: (query) => house.logs.read(query.get('instance'), Number(query.get('after') ?? 0)),
    },
    '/dev/doctor': {
      answer: (query) => examine(house.engine, place, query.get('full') === 'true'),
    },
    '/dev/events': { stream: (response) => house.listen(response) },
  };
}

async function examine(engine: Engine, place: Place, full: boolean): Promise<object> {
  const checks = [
    nodeSymptom(process.version),
    ...(await diskSymptoms(place)),
    ...(await symptomsInside(engine, place, full)),
  ];
  return { ok: checks.every(({ status }) => status !== 'fail'), checks };
}
