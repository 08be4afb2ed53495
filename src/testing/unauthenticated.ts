/** A credential that was refused, as tests look for it. */
import { expect } from 'vitest';

export function unauthenticated(reason: RegExp): object {
  return expect.objectContaining({
    code: 'access.unauthenticated',
    message: expect.stringMatching(reason),
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  });
}
