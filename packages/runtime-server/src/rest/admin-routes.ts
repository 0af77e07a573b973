import type { Herder } from '@levada/connect-runtime-core/runtime';
import {
  connectorLogger,
  isLogThreshold,
  type LoggerLevel,
  type LoggerLevels,
} from '../telemetry/logger-levels.ts';
import { readLevel } from './read-body.ts';
import { RestError } from './rest-error.ts';
import { pathValue, type Route } from './route.ts';

/** Log levels, on the admin listener. */
export const adminRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/admin/loggers',
    status: 200,
    admin: true,
    handle: (_call, { levels }) => ({
      body: Object.fromEntries([...levels.list()].map(([name, level]) => [name, levelBody(level)])),
    }),
  },
  {
    method: 'GET',
    path: '/admin/loggers/{logger}',
    status: 200,
    admin: true,
    handle: async (call, { levels, herder }) => {
      const name = pathValue(call, 'logger');
      const level = levels.get(name, connectorLoggers(herder));
      if (level === undefined) throw new RestError(404, `Logger ${name} not found.`);
      return { body: levelBody(level) };
    },
  },
  {
    method: 'PUT',
    path: '/admin/loggers/{logger}',
    status: 200,
    admin: true,
    handle: async (call, { levels, herder }) => {
      const text = readLevel(call.body);
      const level = text.toUpperCase();
      if (!isLogThreshold(level)) throw new RestError(404, `invalid log level '${text.slice(0, 80)}'.`);
      const name = pathValue(call, 'logger');
      if (call.query.get('scope')?.toLowerCase() === 'cluster') {
        // Every worker, this one included, sets it when it reads it.
        await herder.setLoggerLevel(name, level);
        return { status: 204 };
      }
      return { body: levels.set(name, level, connectorLoggers(herder)) };
    },
  },
];

/** Sets a level that was set for all workers of the group. False for one that is not known here. */
export function setClusterLevel(
  { levels, herder }: { readonly levels: LoggerLevels; readonly herder: Herder },
  logger: string,
  text: string,
): boolean {
  const level = text.toUpperCase();
  if (!isLogThreshold(level)) return false;
  levels.set(logger, level, connectorLoggers(herder));
  return true;
}

function connectorLoggers(herder: Herder): readonly string[] {
  return herder.knownConnectors().map(connectorLogger);
}

function levelBody(level: LoggerLevel): object {
  return { level: level.level, last_modified: level.lastModified };
}
