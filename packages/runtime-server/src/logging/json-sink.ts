import { pino } from 'pino';
import { errorText, type LogSink, plainText } from './log-line.ts';

/** One JSON object per line: `level`, `time` (ISO 8601), `logger`, the fields, `msg`. */
export function jsonSink(destination: { write(text: string): void }): LogSink {
  const out = pino(
    {
      base: null,
      level: 'debug',
      timestamp: false,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
  return ({ time, level, logger, fields, message }) => {
    const values = Object.entries(fields).map(([name, value]) => [name, jsonValue(value)] as const);
    const line = { time: new Date(time).toISOString(), logger, ...Object.fromEntries(values) };
    if (message === undefined) out[level](line);
    else out[level](line, plainText(message));
  };
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (value instanceof Error)
    return { message: plainText(errorText(value)), stack: plainText(value.stack ?? '') };
  return typeof value === 'bigint' ? value.toString() : value;
}
