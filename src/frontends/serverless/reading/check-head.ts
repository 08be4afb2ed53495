/** Which language a definition is written in, and which version it says it has. */
import { type Check, doubtful, type Finding, wrong } from './finding.ts';
import { findPart } from './pointer.ts';

/** The last version of the language that was released when this was written. */
const NEWEST_PATCH = 3;

/** The engine keeps a version as one number of 32 bits: major, then three digits for each part. */
const MAJOR_MAX = 2146;
const MINOR_MAX = 999;
const PATCH_MAX = 999;

const NUMBERS = /^(\d+)\.(\d+)\.(\d+)/;

export const checkHead: Check = function* ({ document }) {
  yield* checkDsl(numbersOf(findPart(document, 'document', 'dsl')));
  yield* checkVersion(numbersOf(findPart(document, 'document', 'version')));
  const language = findPart(document, 'evaluate', 'language');
  if (typeof language === 'string' && language !== 'jq') {
    const message = `expressions are written in jq, not in "${language}"; use jq, or leave it out`;
    yield wrong('serverless.unknown-language', '/evaluate/language', message);
  }
};

/** Whether what the language asks for only after 1.0.3 has to hold. */
export function isAfterNewest(dsl: unknown): boolean {
  const [major = 0, minor = 0, patch = 0] = numbersOf(dsl) ?? [];
  return major === 1 && (minor > 0 || patch > NEWEST_PATCH);
}

function* checkDsl(numbers: readonly number[] | undefined): Generator<Finding> {
  if (numbers === undefined) return;
  const [major, minor, patch = 0] = numbers;
  const came = numbers.join('.');
  const at = '/document/dsl';
  if (major !== 1 || minor !== 0) {
    const message = `this reads Serverless Workflow 1.0.0 to 1.0.${NEWEST_PATCH}; came ${came}`;
    yield wrong('serverless.unsupported-dsl', at, `${message}, which is another language`);
  } else if (patch > NEWEST_PATCH) {
    const message = `${came} came after 1.0.${NEWEST_PATCH}, the newest known here`;
    yield doubtful('serverless.newer-dsl', at, `${message}; what it adds is not known`);
  }
}

function* checkVersion(numbers: readonly number[] | undefined): Generator<Finding> {
  if (numbers === undefined) return;
  const [major = 0, minor = 0, patch = 0] = numbers;
  if (major <= MAJOR_MAX && minor <= MINOR_MAX && patch <= PATCH_MAX) return;
  const most = `${MAJOR_MAX}.${MINOR_MAX}.${PATCH_MAX}`;
  const message = `a version is at most ${most}, each part for itself; came ${numbers.join('.')}`;
  yield wrong('serverless.version-too-large', '/document/version', message);
}

function numbersOf(version: unknown): readonly number[] | undefined {
  const found = typeof version === 'string' ? NUMBERS.exec(version) : null;
  return found?.slice(1).map(Number);
}
