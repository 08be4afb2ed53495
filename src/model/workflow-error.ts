/**
 * The standard errors of Serverless Workflow, as what a call throws and a fault is made of.
 *
 * A call knows what went wrong and with which status; where in the definition that was, and which
 * of the four families of URIs names it there, whoever made the call knows.
 */

export type ErrorKind =
  | 'configuration'
  | 'validation'
  | 'expression'
  | 'authentication'
  | 'authorization'
  | 'timeout'
  | 'communication'
  | 'runtime';

/** Each with the status it has unless the real one is known. */
export const ERROR_STATUS: Readonly<Record<ErrorKind, number>> = Object.freeze({
  configuration: 400,
  validation: 400,
  expression: 400,
  authentication: 401,
  authorization: 403,
  timeout: 408,
  communication: 500,
  runtime: 500,
});

export interface WorkflowErrorParts {
  readonly status?: number;
  /** In a few words; by default what its kind is called. */
  readonly title?: string;
  /** What happened here, and what to do about it. It never holds a secret. */
  readonly detail?: string;
  readonly cause?: unknown;
}

export class WorkflowError extends Error {
  override readonly name: string = 'WorkflowError';
  readonly kind: ErrorKind;
  readonly status: number;
  readonly title: string;
  readonly detail: string | undefined;

  constructor(kind: ErrorKind, parts: WorkflowErrorParts = {}) {
    const { status = ERROR_STATUS[kind], title = TITLES[kind], detail } = parts;
    super(detail === undefined ? title : `${title}: ${detail}`, { cause: parts.cause });
    this.kind = kind;
    this.status = status;
    this.title = title;
    this.detail = detail;
  }
}

const TITLES: Readonly<Record<ErrorKind, string>> = {
  configuration: 'Configuration error',
  validation: 'Validation error',
  expression: 'Expression error',
  authentication: 'Authentication error',
  authorization: 'Authorization error',
  timeout: 'Timeout',
  communication: 'Communication error',
  runtime: 'Runtime error',
};

/**
 * The four ways in which definitions name a standard error. An error is raised by the one that its
 * definition's version had, and caught by any.
 */
export const ERROR_FAMILIES: readonly string[] = Object.freeze([
  'https://serverlessworkflow.io/spec/1.0.0/errors/',
  'https://open-workflow-specification.org/spec/1.0.0/errors/',
  'https://serverlessworkflow.io/dsl/errors/types/',
  'https://open-workflow-specification.org/dsl/errors/types/',
]);

/** Which standard error a type names, whatever its family; undefined for one of somebody's own. */
export function standardKind(type: string): ErrorKind | undefined {
  const family = ERROR_FAMILIES.find((each) => type.startsWith(each));
  const name = family === undefined ? '' : type.slice(family.length);
  return Object.hasOwn(ERROR_STATUS, name) ? (name as ErrorKind) : undefined;
}
