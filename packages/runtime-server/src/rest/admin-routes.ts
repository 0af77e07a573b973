import type { LogLevel } from '@levada/connect-runtime-core/host';
import type { Herder } from '@levada/connect-worker';
import {
  connectorLogger,
  isLogThreshold,
  type LoggerLevel,
  type LoggerLevels,
} from '../telemetry/logger-levels.ts';
import type { LineQuery } from '../telemetry/recent-lines.ts';
import { readLevel } from './message/read-body.ts';
import { RestError } from './message/rest-error.ts';
import { pathValue, type RestCall, type Route } from './route.ts';

/** Log levels and log lines, on the admin listener. */
export const adminRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/admin/logs',
    status: 200,
    doc: {
      id: 'listLogLines',
      summary: 'Show the last log lines of this worker',
      query: {
        connector: 'Only lines of this connector.',
        level: 'Only lines of this level and above.',
        after: 'Only lines after the one with this number.',
        last: 'At most so many of the last ones.',
      },
      answer: 'LogLines',
    },
    role: 'admin',
    admin: true,
    handle: (call, { recentLines }) => ({ body: recentLines.read(lineQuery(call)) }),
  },
  {
    method: 'GET',
    path: '/admin/loggers',
    status: 200,
    doc: { id: 'listLoggers', summary: 'List loggers with a level of their own', answer: 'LogLevels' },
    admin: true,
    handle: (_call, { levels }) => ({
      body: Object.fromEntries([...levels.list()].map(([name, level]) => [name, levelBody(level)])),
    }),
  },
  {
    method: 'GET',
    path: '/admin/loggers/{logger}',
    status: 200,
    doc: {
      id: 'getLogger',
      summary: 'Show the level of a logger',
      answer: 'LogLevel',
      errors: { 404: 'There is no such logger.' },
    },
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
    doc: {
      id: 'setLogger',
      summary: 'Set the level of a logger',
      query: { scope: '`worker` (default) or `cluster`.' },
      body: 'LevelRequest',
      answer: 'Names',
      also: { 204: 'With `scope=cluster`.' },
      empty: [204],
      errors: { 404: 'There is no such level.' },
    },
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

function lineQuery({ query }: RestCall): LineQuery {
  const level = query.get('level')?.toLowerCase();
  if (level !== undefined && !isLogLevel(level)) {
    throw new RestError(400, `level is not one of ${logLevels.join(', ')}`);
  }
  return {
    after: countOf(query, 'after') ?? 0,
    last: countOf(query, 'last'),
    connector: query.get('connector') ?? undefined,
    level,
  };
}

const logLevels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

function isLogLevel(text: string): text is LogLevel {
  return (logLevels as readonly string[]).includes(text);
}

function countOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new RestError(400, `${name} is not a whole number from 0`);
}

function connectorLoggers(herder: Herder): readonly string[] {
  return herder.knownConnectors().map(connectorLogger);
}

function levelBody(level: LoggerLevel): object {
  return { level: level.level, last_modified: level.lastModified };
}
