/**
 * Why a request came to nothing, as the errors a workflow can catch.
 *
 * A place is told by its origin and path alone: queries hold tokens. Of what a network said only
 * the code is told, never an address that a name led to.
 */
import { WorkflowError } from '../../model/workflow-error.ts';

/** What people make of a code at first sight. */
const MEANINGS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate is too old',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is its own, which nobody here trusts',
  EAI_AGAIN: 'its name could not be looked up just now',
  ECONNREFUSED: 'nobody listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'no way leads there',
  ENOTFOUND: 'nobody knows its name',
  EPIPE: 'the connection was cut',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ETIMEDOUT: 'it did not answer in time',
  Z_BUF_ERROR: 'what it sent coded ends too early',
  Z_DATA_ERROR: 'it is not coded as it says',
  HPE_HEADER_OVERFLOW: 'its headers are longer than http.maxHeaderBytes',
};

/** The answer did not come, or not whole. */
export function brokenBy(thrown: unknown, place: string): WorkflowError {
  if (thrown instanceof WorkflowError) return thrown;
  const code = codeOf(thrown);
  const meaning = MEANINGS[code];
  const detail = `${place} did not answer: ${code}${meaning === undefined ? '' : `, ${meaning}`}`;
  return new WorkflowError('communication', { detail, cause: thrown });
}

export function brokenAs(detail: string, status?: number): WorkflowError {
  return new WorkflowError('communication', status === undefined ? { detail } : { detail, status });
}

/** What an author wrote cannot be asked for. */
export function notAskable(detail: string): WorkflowError {
  return new WorkflowError('configuration', { detail });
}

/** A URL without what may be secret in it. */
export function placeOf({ origin, pathname, protocol }: URL): string {
  return origin === 'null' ? protocol : `${origin}${pathname}`;
}

/** `fetch` says that it failed; why is in what lies behind. */
function codeOf(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 3; depth += 1) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code)) return code;
    error = error.cause;
  }
  return thrown instanceof Error ? thrown.name : 'no reason is known';
}
