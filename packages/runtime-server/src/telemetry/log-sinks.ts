import { pino } from 'pino';
import { errorText, type LogLine, type LogSink, plainText } from './log-line.ts';

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
  return (line) => {
    const { level, message } = line;
    if (message === undefined) out[level](lineValues(line));
    else out[level](lineValues(line), plainText(message));
  };
}

/** Time, logger and fields of a line as JSON has them. */
export function lineValues({ time, logger, fields }: LogLine): object {
  const values = Object.entries(fields).map(([name, value]) => [name, jsonValue(value)] as const);
  return { time: new Date(time).toISOString(), logger, ...Object.fromEntries(values) };
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (value instanceof Error)
    return { message: plainText(errorText(value)), stack: plainText(value.stack ?? '') };
  return typeof value === 'bigint' ? value.toString() : value;
}

/** One line of text for people: time of day, level, message, then `field=value`. */
export function textSink(destination: { write(text: string): void }): LogSink {
  return (line) => destination.write(`${formatText(line)}\n`);
}

/** The line without its end. */
export function formatText({ time, level, fields, message }: LogLine): string {
  const { event, ...rest } = fields;
  const parts = [
    new Date(time).toISOString().slice(11, 23),
    level.toUpperCase().padEnd(5),
    ...(event === undefined ? [] : [`event=${shown(event)}`]),
    ...(message === undefined ? [] : [plainText(message)]),
    ...Object.entries(rest)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${shown(value)}`),
  ];
  return parts.join(' ');
}

function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (value instanceof Error) return quoted(errorText(value));
  if (typeof value === 'object' && value !== null) return quoted(JSON.stringify(value));
  return String(value);
}

function quoted(text: string): string {
  const plain = plainText(text);
  return /^[^\s"=]+$/.test(plain) ? plain : `"${plain.replaceAll('"', '\\"')}"`;
}
