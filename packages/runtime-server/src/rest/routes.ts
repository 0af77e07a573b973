import { adminRoutes } from './admin-routes.ts';
import { connectorRoutes } from './connector-routes.ts';
import { pluginRoutes } from './plugin-routes.ts';
import type { Route } from './route.ts';
import { taskRoutes } from './task-routes.ts';
import { workerRoutes } from './worker-routes.ts';

/** Every route of the REST interface. */
export const routes: readonly Route[] = [
  ...workerRoutes,
  ...connectorRoutes,
  ...taskRoutes,
  ...pluginRoutes,
  ...adminRoutes,
];
