/** Every route there is. The document, the checks and the tests are made from this list. */
import { documentOf } from './openapi.ts';
import type { Route } from './route.ts';
import { ACTION_ROUTES } from './routes/actions.ts';
import { DEFINITION_ROUTES } from './routes/definitions.ts';
import { EVENT_ROUTES } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';
import { HOOK_ROUTES } from './routes/hooks.ts';
import { INSTANCE_ROUTES } from './routes/instances.ts';
import { MESSAGE_ROUTES } from './routes/messages.ts';
import { OPERATING_ROUTES } from './routes/operating.ts';
import { SCHEDULE_ROUTES } from './routes/schedules.ts';
import { TASK_ROUTES } from './routes/tasks.ts';
import { WORK_ROUTES } from './routes/work.ts';

export const ROUTES: readonly Route[] = [
  ...DEFINITION_ROUTES,
  ...INSTANCE_ROUTES,
  ...ACTION_ROUTES,
  ...EVENT_ROUTES,
  ...TASK_ROUTES,
  ...MESSAGE_ROUTES,
  ...HOOK_ROUTES,
  ...SCHEDULE_ROUTES,
  ...WORK_ROUTES,
  ...OPERATING_ROUTES,
  ...healthRoutes((base) => documentOf(ROUTES, base)),
];
