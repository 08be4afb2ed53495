/** Errors that are raised and caught, and how often it is tried again. */
import {
  exactlyOne,
  expression,
  objectOr,
  OPEN,
  pointerOrExpression,
  type Properties,
  ref,
  shape,
  text,
  uriOrExpression,
  wholeNumber,
} from './schema-parts.ts';

/** Nothing is known of a backoff but its name, and something may come. */
const backoff = { type: 'object', description: 'an object, such as {}' } as const;

export const errorShapes: Properties = {
  error: shape(
    'an error',
    {
      type: uriOrExpression,
      status: wholeNumber(),
      instance: pointerOrExpression,
      title: text(),
      detail: text(),
    },
    ['type', 'status'],
  ),
  errorOrName: objectOr('the name of an error, or an object with "type" and "status"', {
    object: ref('error'),
    other: text(),
  }),
  /** `details` was its name up to 1.0.3. */
  errorFilter: shape(
    'the "with" of caught errors',
    {
      type: text(),
      status: wholeNumber(),
      instance: text(),
      title: text(),
      detail: text(),
      details: text(),
    },
    [],
    { minProperties: 1, description: 'an object with at least one member of an error', ...OPEN },
  ),

  retry: shape('a retry policy', {
    when: expression,
    exceptWhen: expression,
    delay: ref('duration'),
    backoff: shape(
      'a backoff',
      { constant: backoff, linear: backoff, exponential: backoff },
      [],
      exactlyOne(['constant', 'linear', 'exponential']),
    ),
    limit: shape('a limit of retries', {
      attempt: shape('a limit of attempts', { count: wholeNumber(0), duration: ref('duration') }),
      duration: ref('duration'),
    }),
    jitter: shape('a jitter', { from: ref('duration'), to: ref('duration') }, ['from', 'to']),
  }),
  retryOrName: objectOr('the name of a retry policy, or a policy', {
    object: ref('retry'),
    other: text(),
  }),
};
