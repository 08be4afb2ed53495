/** The page of one code, for whoever has met it and wants to know what to do. */
import { posix } from 'node:path';
import { catching } from './catching.ts';
import type { Code, Family, Role, Told } from './codes.ts';
import type { Evidence } from './evidence.ts';
import { anchor, bullets, ended, fence, link, moved, pageOf, section, sentence } from './parts.ts';

const FOLDER = 'docs/errors';
/** So many messages say what they look like; more of them would only be longer. */
const MESSAGES_MAX = 12;
/** So many files that say it are named. */
const PATHS_MAX = 5;

export function pathOf(code: string): string {
  return `${FOLDER}/${code}.md`;
}

/** What a code of a family is, and where it is met. */
const ABOUT: Readonly<Record<Family, string>> = {
  error:
    'An **error** that a call throws: an `EngineError` with this `code` ' +
    '([what all of them have in common](../errors.md#errors-that-a-call-throws)).',
  problem:
    'A **problem**: an answer of the HTTP API with this `code` ' +
    '([what is refused over HTTP](../http.md#what-is-refused)).',
  fault:
    'A **fault**: something went wrong inside an instance, which keeps it; `run.inspect()` and ' +
    '`perdure show ID` show it ([about faults](../errors.md#faults-inside-an-instance)).',
  diagnostic:
    'A **diagnostic**: a definition has a mistake, and is refused before anything is started. ' +
    'It is one of the `details.diagnostics` of a [`definition.invalid`](definition.invalid.md), ' +
    'and `perdure validate FILE` shows it ' +
    '([about diagnostics](../errors.md#diagnostics-of-a-definition)).',
  warning:
    'A **warning**: a definition has something that is probably not meant. ' +
    '`perdure validate FILE` shows it, and nothing is refused for it ' +
    '([all of them](../serverless.md#diagnostics)).',
  reason:
    'A **reason** for which an instance cannot be taken to another version: one of the ' +
    '`details.reasons` of a [`migration.refused`](migration.refused.md) ' +
    '([about versions](../versions.md)).',
  elsewhere:
    'A code that is neither thrown nor kept as a fault ' +
    '([others of this kind](../errors.md#codes-in-other-places)).',
};

/** What jq's mistakes are told as. */
const JQ =
  'In a Serverless Workflow it is told as ' +
  '[`serverless.bad-expression`](serverless.bad-expression.md), with the same message.';

export function errorPage(code: Code): string {
  const isJq = code.code.startsWith('jq.') && code.roles.some((one) => one.family === 'diagnostic');
  const about = code.roles.map(({ family }) => ABOUT[family]);
  return pageOf([
    `# ${code.code}`,
    ...about,
    ...(isJq ? [JQ] : []),
    ...section('What it means', [told(code, ({ means }) => means)]),
    ...section('When it happens', [happens(code)]),
    ...section('What to do', [told(code, ({ advice }) => advice)]),
    ...section('What the message looks like', messagesOf(code)),
    ...section('What comes with it', [comesWith(code)]),
    ...catching(code),
    ...section('Where it comes from', [comesFrom(code)]),
  ]);
}

/** What each family says; which of them that is, where there are several. */
function told({ code, roles }: Code, pick: (role: Role) => readonly Told[]): string {
  const speaking = roles.filter((role) => pick(role).length > 0);
  const texts = speaking.map((role) => {
    const lines = linesOf(pick(role), code);
    const whose = speaking.length > 1 ? `**As a ${role.family}:**` : '';
    return lines.length === 1
      ? `${whose} ${lines[0]}`.trim()
      : `${whose}\n\n${bullets(lines)}`.trim();
  });
  return texts.join('\n\n');
}

/** Each with the place it is said of in front, where the text says only `it`. */
function linesOf(told: readonly Told[], code: string, isList = false): readonly string[] {
  const lines = told.map(({ text, page, heading }) => {
    const here = moved(withoutRefrain(text, told), page, pathOf(code));
    if (page.startsWith('docs/nodes/')) {
      return `In ${link(kindOf(page), page, pathOf(code))}: ${ended(here)}`;
    }
    if (told.length === 1 && !isList) return sentence(here);
    const name = `${posix.basename(page)}, ${heading}`;
    return `${link(name, page + anchor(heading), pathOf(code))}: ${ended(here)}`;
  });
  return [...new Set(lines)];
}

/** What is said in the same words of most places need not be said of each. */
function withoutRefrain(text: string, told: readonly Told[]): string {
  const [first = '', ...rest] = text.split(/(?=[;:] )/);
  const isOften = (clause: string): boolean =>
    told.filter((one) => one.text.includes(clause)).length > 2;
  return [first, ...rest.filter((clause) => !isOften(clause))].join('');
}

function kindOf(page: string): string {
  const name = posix.basename(page, '.md');
  if (name === 'serverless') return 'a Serverless Workflow';
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} \`${name}\` node`;
}

function happens({ code, roles }: Code): string {
  return bullets(roles.flatMap(({ when }) => linesOf(when, code, true)));
}

function messagesOf({ messages }: Code): readonly string[] {
  if (messages.length === 0) return [];
  const shown = messages.slice(0, MESSAGES_MAX).map((one) => one.replaceAll('\n', '\n  '));
  const more = messages.length - shown.length;
  return [
    fence('text', shown.join('\n')),
    [
      ...(shown.some((one) => one.includes('<'))
        ? ['What stands in `<…>` differs each time.']
        : []),
      ...(more > 0 ? [`There ${more === 1 ? 'is one' : `are ${more}`} more.`] : []),
    ].join(' '),
  ];
}

function comesWith({ code, details, flags, status, exit, roles }: Code): string {
  const isThrown = roles.some(({ family }) => family === 'error' || family === 'problem');
  const rows = [
    isThrown ? `\`retryable\` is ${RETRYABLE[flags.get('retryable') ?? 'never']}` : undefined,
    details.length === 0 ? undefined : `\`details\` may have ${listed(details)}`,
    status === undefined ? undefined : `over HTTP: status ${status}, \`type\` \`${urnOf(code)}\``,
    exit === undefined ? undefined : `on the command line: ${EXIT_CODES} ${exit}`,
    flags.has('fatal') && !isThrown ? FATAL[flags.get('fatal') ?? 'always'] : undefined,
  ];
  return bullets(rows.filter((row) => row !== undefined));
}

const RETRYABLE = {
  always: 'true: the same call may succeed later without anyone changing anything',
  sometimes: 'true if the same call may succeed later without anyone changing anything',
  never: 'false: the same call fails again until something is changed',
};
const FATAL = {
  always: 'it is final: no retry policy tries again',
  sometimes: 'it is final if a `Fatal` was thrown: no retry policy tries again then',
};
const EXIT_CODES = '[exit code](../command-line.md#exit-codes)';

function urnOf(code: string): string {
  return `urn:perdure:problem:${code}`;
}

function listed(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

function comesFrom({ code, roles, paths, test, kinds }: Code): string {
  const from = pathOf(code);
  const pages = new Map(
    roles.flatMap(({ means }) => means).map((one) => [one.page + anchor(one.heading), one]),
  );
  const explained = [...pages].map(([target, { page, heading }]) => {
    return link(`${posix.basename(page)}, ${heading}`, target, from);
  });
  const said = paths.slice(0, PATHS_MAX).map((path) => link(path, path, from));
  const more = paths.length > PATHS_MAX ? ` and ${paths.length - PATHS_MAX} more` : '';
  return bullets([
    ...(explained.length === 0 ? [] : [`explained in ${explained.join(' and ')}`]),
    ...(kinds.length === 0 ? [] : [`met in ${nodesOf(kinds, from)}`]),
    ...(said.length === 0 ? [] : [`said in ${said.join(', ')}${more}`]),
    ...(test === undefined ? [] : [shownBy(test, from)]),
  ]);
}

function nodesOf(kinds: readonly string[], from: string): string {
  return kinds.map((kind) => link(`\`${kind}\``, `docs/nodes/${kind}.md`, from)).join(', ');
}

function shownBy({ path, title }: Evidence, from: string): string {
  return `shown by ${link(path, path, from)}${title === null ? '' : `: *${title}*`}`;
}
