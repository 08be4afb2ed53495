/** What a call has to say that a schema of one property at a time cannot ask for. */
import { type Check, wrong } from './finding.ts';
import { findPart, pointerTo } from './pointer.ts';

export const checkCalls: Check = function* ({ tasks }) {
  for (const { pointer, task } of tasks) {
    if (findPart(task, 'call') !== 'a2a') continue;
    const given = findPart(task, 'with');
    const names = ['agentCard', 'server'];
    if (given === undefined || names.some((name) => findPart(given, name) !== undefined)) continue;
    const message = 'an A2A call needs "agentCard" or "server", to know which agent is called';
    yield wrong('serverless.no-agent', pointerTo(pointer, 'with'), message);
  }
};
