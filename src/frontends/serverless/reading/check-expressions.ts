/**
 * What can be said of expressions without compiling them: text around one makes all of it text, a
 * secret has to be declared, and one that becomes data is stored where data is.
 */
import { secretsIn } from './check-authentication.ts';
import { expressionIn, hasExpressionWithin } from './expression-text.ts';
import { type Check, type Checked, doubtful, type Finding, wrong } from './finding.ts';
import { findPart } from './pointer.ts';
import { textsOf, type WrittenText } from './texts.ts';
import { known } from './words.ts';

/** `$secrets.name`, `$secrets["name"]` and `$secrets."name"`; other runtimes say `$secret`. */
const SECRET = /\$(secrets?)(?!\w)(?:\s*\.\s*(\w+)|\s*\.?\s*\[?\s*"([^"\\]+)")?/g;

/** Programs may use the names for variables of their own, and then mean those. */
const BINDS = /\b(?:as|def)\b[^|]*\$secrets?(?!\w)/;

export const checkExpressions: Check = function* (checked) {
  const declared = secretsIn(checked);
  const bound = boundIn(checked);
  for (const one of textsOf(checked)) {
    if (hasTextAround(one)) {
      const message = 'an expression with text around it is just text, and stays as it is';
      const advice = 'make it one expression, such as ${ "Hello \\(.name)" }';
      yield doubtful('serverless.text-around-expression', one.pointer, `${message}; ${advice}`);
    }
    yield* checkSecrets(one, declared, bound);
  }
};

function hasTextAround({ text, role }: WrittenText): boolean {
  if (role === 'value') return hasExpressionWithin(text);
  // `${NAME}` is the shell's; no name of it begins with a dot.
  return role === 'command' && hasExpressionWithin(text) && /\$\{\s*\./.test(text);
}

function* checkSecrets(
  { pointer, text, role, isKept }: WrittenText,
  declared: readonly string[],
  bound: ReadonlySet<unknown>,
): Generator<Finding> {
  const program = expressionIn(text) ?? (role === 'expression' ? text : undefined);
  if (program === undefined || BINDS.test(program)) return;
  const secrets = [...program.matchAll(SECRET)].filter(([, variable]) => !bound.has(variable));
  if (isKept && secrets.length > 0) {
    const message = 'a secret read here is stored with the data of the instance';
    yield doubtful('serverless.secret-in-data', pointer, `${message}; use it where it is needed`);
  }
  for (const [, variable, plain, quoted] of secrets) {
    const name = plain ?? quoted;
    if (name === undefined || declared.includes(name)) continue;
    const message = `$${variable}.${name} is not in use.secrets`;
    const advice = known(name, declared);
    yield wrong('serverless.unknown-secret', pointer, `${message}; ${advice}`);
  }
}

/** Names of variables that loops and catches give to something else. */
function boundIn({ tasks }: Checked): ReadonlySet<unknown> {
  const names = [
    ['for', 'each'],
    ['for', 'at'],
    ['foreach', 'item'],
    ['foreach', 'at'],
    ['with', 'subscription', 'foreach', 'item'],
    ['with', 'subscription', 'foreach', 'at'],
    ['catch', 'as'],
  ];
  return new Set(tasks.flatMap(({ task }) => names.map((steps) => findPart(task, ...steps))));
}
