import type { LogFields, Logger, LogLevel } from './logger.ts';

/** One row of a connector's log-event table. */
export interface LogEvent {
  readonly level: LogLevel;
  /** One sentence for the README. */
  readonly help: string;
  /** At most one line per this many milliseconds; the next one carries `suppressed=<number of lines left out>`. Default: every line. */
  readonly everyMs?: number;
}

/** Event name to row. Names that a seed spells out are kept to the letter. */
export type LogEventTable = Readonly<Record<string, LogEvent>>;

/** Writes one line of the table: `event=<name>` and the fields given. */
export type EventLog<T extends LogEventTable> = (
  event: keyof T & string,
  fields?: LogFields,
  message?: string,
) => void;

interface Throttle {
  quietUntil: number;
  suppressed: number;
}

/**
 * Binds a table to a logger. A connector logs through this only, so it cannot write an event that its documentation
 * does not list.
 */
export function eventLog<T extends LogEventTable>(
  table: T,
  logger: Logger,
  clock: { monotonic(): number },
): EventLog<T> {
  const throttles = new Map<string, Throttle>();
  return (event, fields = {}, message) => {
    const row = Object.hasOwn(table, event) ? table[event] : undefined;
    if (row === undefined) throw new Error(`log event "${event}" is not in the table`);
    if (row.everyMs === undefined) {
      logger[row.level]({ event, ...fields }, message);
      return;
    }
    const now = clock.monotonic();
    const throttle = throttles.get(event) ?? { quietUntil: Number.NEGATIVE_INFINITY, suppressed: 0 };
    throttles.set(event, throttle);
    if (now < throttle.quietUntil) {
      throttle.suppressed += 1;
      return;
    }
    const { suppressed } = throttle;
    throttle.quietUntil = now + row.everyMs;
    throttle.suppressed = 0;
    logger[row.level](suppressed > 0 ? { event, suppressed, ...fields } : { event, ...fields }, message);
  };
}
