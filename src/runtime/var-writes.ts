/** Variables that whoever runs a step sets together with its result. */
import type { VarWrite } from '../model/input.ts';
import type { Limits } from '../model/limits.ts';
import { BadValue, checkValue, type Role } from './bad-value.ts';

/** Names stand in an index of the database, as ids and keys do. */
const VARIABLE_NAME_CHARS_MAX = 500;

export function checkWrite(
  name: unknown,
  value: unknown,
  where: VarWrite['in'],
  limits: Limits,
): VarWrite {
  if (typeof name !== 'string' || name === '' || name.length > VARIABLE_NAME_CHARS_MAX) {
    const rule = `1 to VARIABLE_NAME_CHARS_MAX ${VARIABLE_NAME_CHARS_MAX} characters`;
    throw new BadValue('handler.bad-variable', `the name of a variable is a text of ${rule}`);
  }
  if (name === '__proto__' || name.startsWith('$')) {
    const message = `a variable is not named __proto__, nor with a $ first; came "${name}"`;
    throw new BadValue('handler.bad-variable', message);
  }
  if (where !== 'scope' && where !== 'instance') {
    const message = `the variable "${name}" is set in 'scope' or in 'instance'`;
    throw new BadValue('handler.bad-variable', message);
  }
  const role: Role = { kind: 'variable', name: `the variable "${name}"` };
  return { name, value: checkValue(value, role, limits), in: where };
}
