import type { Clock, Logger } from '@levada/connect-runtime-core';
import type { LogFields } from '@levada/connect-runtime-core/contract';
import type { LogLevel } from '@levada/connect-runtime-core/host';
import type { LogSink } from './log-line.ts';
import { connectorLogger, LoggerLevels, type LogThreshold } from './logger-levels.ts';
import { RecentLines } from './recent-lines.ts';

/** Loggers by name, and their levels. */
export interface Logging {
  readonly levels: LoggerLevels;
  /** A logger by its dotted name. One level per name, changeable while it is in use. */
  readonly logger: (name: string) => Logger;
  /** The last lines. */
  readonly recent: RecentLines;
}

export interface LoggingOptions {
  readonly sink: LogSink;
  readonly level: LogThreshold;
  readonly clock: Clock;
}

/** The loggers of one worker. */
export function createLogging({ sink, level, clock }: LoggingOptions): Logging {
  const levels = new LoggerLevels(level, clock);
  const recent = new RecentLines(clock);
  const write = (name: string, at: LogLevel, fields: LogFields, message?: string): void => {
    const line = { time: clock.now(), level: at, logger: name, fields, message };
    sink(line);
    recent.sink(line);
  };
  const bound = (name: string, own: LogFields): Logger => {
    levels.add(name);
    const enabled = levels.gate(name);
    const line =
      (at: LogLevel) =>
      (fields: LogFields, message?: string): void => {
        if (enabled(at)) write(name, at, { ...own, ...fields }, message);
      };
    return {
      debug: line('debug'),
      info: line('info'),
      warn: line('warn'),
      error: line('error'),
      child: (fields) => bound(childName(name, fields), { ...own, ...fields }),
    };
  };
  return { levels, recent, logger: (name) => bound(name, {}) };
}

function childName(name: string, { connector }: LogFields): string {
  return typeof connector === 'string' ? connectorLogger(connector) : name;
}
