/** Addresses that requests are sent to. */
import { WorkflowError } from '../model/workflow-error.ts';
import type { Calling } from './calling.ts';

/** The address, if it is HTTP's, and a whole one where there is nothing it could be relative to. */
export function httpUrl({ hide, base }: Pick<Calling, 'hide' | 'base'>, uri: string): URL {
  const url = URL.canParse(uri, base) ? new URL(uri, base) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url;
  throw new WorkflowError('configuration', {
    detail: `an address begins with https:// or http://, and "${hide(uri).slice(0, 200)}" does not`,
  });
}

/** Adds to the query that is there, whose text stays as it is: it may be signed. */
export function addQuery(url: URL, query: string): URL {
  const longer = new URL(url);
  const parts = [url.search.replace(/^\?/, ''), query].filter((part) => part !== '');
  longer.search = parts.join('&');
  return longer;
}
