import { isConnectorError } from '@levada/connect-runtime-core';
import type { ErrorCode } from '@levada/connect-runtime-core/errors';
import { HerderError } from './herder-error.ts';

/** Longest trace, in characters. */
const LONGEST = 8192;
/** Causes of causes that are shown. */
const DEEPEST = 5;

const CONNECT_EXCEPTION = 'org.apache.kafka.connect.errors.ConnectException';

/** Codes for which Java has another class than ConnectException. */
const javaClasses: Partial<Readonly<Record<ErrorCode, string>>> = {
  config_invalid: 'org.apache.kafka.common.config.ConfigException',
  conversion_failed: 'org.apache.kafka.connect.errors.DataException',
};

/**
 * Trace text as in Kafka Connect: `<class>: <message>` in the first line, then the stack, then each cause. Classes have Java's names
 * where Java has one, because alerts match them. `scrub` masks known secrets.
 */
export function traceOf(thrown: unknown, scrub: (text: string) => string = (text) => text): string {
  const parts: string[] = [];
  let next: unknown = thrown;
  for (let depth = 0; depth < DEEPEST && next !== undefined && next !== null; depth += 1) {
    parts.push(depth === 0 ? describe(next) : `Caused by: ${describe(next, 'cause')}`);
    next = next instanceof Error ? next.cause : undefined;
  }
  return scrub(parts.join('\n')).slice(0, LONGEST);
}

function describe(thrown: unknown, place?: 'cause'): string {
  if (!(thrown instanceof Error)) return `Error: ${typeof thrown === 'string' ? thrown : 'unknown failure'}`;
  const frames = (thrown.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [`${classOf(thrown, place)}: ${thrown.message}`, ...frames].join('\n');
}

function classOf(error: Error, place?: 'cause'): string {
  if (error instanceof HerderError) return CONNECT_EXCEPTION;
  if (!isConnectorError(error)) return error.name;
  // A RetriableException fails no task in Java: what does is no longer retried.
  if (place === 'cause' && error.retriable) return 'org.apache.kafka.connect.errors.RetriableException';
  return javaClasses[error.code] ?? CONNECT_EXCEPTION;
}
