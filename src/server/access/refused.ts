/** A credential that came and is none: told why, as far as that helps nobody but the honest. */
import { RequestError } from '../problem.ts';

export function refused(reason: string): RequestError {
  return new RequestError('access.unauthenticated', reason, {
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}
