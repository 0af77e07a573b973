import type { LogFields, Logger, LogLevel } from './logger.ts';

/** Writes one line. */
export type LogMethod = (fields: LogFields, message?: string) => void;

/**
 * A logger that a service already has: `pino()`, Fastify's `app.log`, bunyan, or `console`. Each method takes the fields of a
 * line first and its message second; {@link messageFirst} adapts those that want it the other way round.
 */
export interface ServiceLogger {
  /** For what is of interest when looking for an error. */
  debug(fields: LogFields, message?: string): void;
  /** For changes of state, such as a connection. */
  info(fields: LogFields, message?: string): void;
  /** For what mends by itself. */
  warn(fields: LogFields, message?: string): void;
  /** For what does not. */
  error(fields: LogFields, message?: string): void;
  /** A logger that adds these fields to every line. Without it they are added here. */
  child?(fields: LogFields): ServiceLogger;
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** The methods that a value lacks to be a {@link ServiceLogger}. */
export function missingLogMethods(value: unknown): readonly LogLevel[] {
  const given = (value ?? {}) as Partial<Record<LogLevel, unknown>>;
  return levels.filter((level) => typeof given[level] !== 'function');
}

/**
 * A logger of a service, as sources and sinks use it, which adds the `bound` fields to every line. Every line has a message: that of the event, or else the event's name as words. An error in the field
 * `error` is written as `err`, where pino and bunyan expect one and write it out.
 */
export function serviceLogger(given: ServiceLogger, bound: LogFields = {}): Logger {
  const isParent = typeof given.child === 'function';
  const target = isParent ? (given.child?.(bound) ?? given) : given;
  const write =
    (level: LogLevel): LogMethod =>
    (fields, message) =>
      target[level](lineFields(isParent ? fields : { ...bound, ...fields }), message ?? wordsOf(fields));
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => serviceLogger(target, isParent ? fields : { ...bound, ...fields }),
  };
}

function lineFields(fields: LogFields): LogFields {
  if (!(fields['error'] instanceof Error) || 'err' in fields) return fields;
  const { error, ...rest } = fields;
  return { ...rest, err: error };
}

function wordsOf({ event }: LogFields): string | undefined {
  return typeof event === 'string' ? event.replaceAll('_', ' ') : undefined;
}

/** A logger whose methods take the message first and the fields second: winston, or a class of your own. */
export interface MessageFirstLogger {
  /** See {@link ServiceLogger}. */
  debug(message: string, fields: LogFields): unknown;
  /** See {@link ServiceLogger}. */
  info(message: string, fields: LogFields): unknown;
  /** See {@link ServiceLogger}. */
  warn(message: string, fields: LogFields): unknown;
  /** See {@link ServiceLogger}. */
  error(message: string, fields: LogFields): unknown;
}

/** Adapts a logger that takes the message first: `logger: messageFirst(winstonLogger)`. */
export function messageFirst(logger: MessageFirstLogger): ServiceLogger {
  const write =
    (level: LogLevel): LogMethod =>
    (fields, message = '') => {
      logger[level](message, fields);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
