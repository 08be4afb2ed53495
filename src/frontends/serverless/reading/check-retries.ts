/** Retry policies that say less than they seem to: they are run as they are written. */
import { type Check, doubtful } from './finding.ts';
import { findPart } from './pointer.ts';
import { retriesOf } from './retries.ts';

export const checkRetries: Check = function* (checked) {
  for (const { pointer, policy } of retriesOf(checked)) {
    const limits = [['attempt', 'count'], ['duration']];
    if (!limits.some((steps) => findPart(policy, 'limit', ...steps) !== undefined)) {
      const message = 'this retry policy has no limit, and tries again for as long as it fails';
      const advice = 'say limit.attempt.count or limit.duration';
      yield doubtful('serverless.retry-without-limit', pointer, `${message}; ${advice}`);
    }
    if (findPart(policy, 'delay') === undefined) {
      const message = 'this retry policy has no delay, and tries again at once';
      const advice = 'say delay, such as { seconds: 1 }';
      yield doubtful('serverless.retry-without-delay', pointer, `${message}; ${advice}`);
    }
  }
};
