import type { LogFields, Logger, LogLevel } from '../diagnostics/logger.ts';

/** A line that was logged. */
export interface RecordedLine {
  readonly level: LogLevel;
  /** Fields of the logger's parents and of the line itself. */
  readonly fields: LogFields;
  readonly message: string | undefined;
}

/** A logger that keeps what it is given, children included, in the order of logging. */
export interface RecordingLogger extends Logger {
  readonly lines: readonly RecordedLine[];
  /** The lines whose `event` field is this one. */
  withEvent(event: string): readonly RecordedLine[];
  /** Everything logged as one text, for searching it for what must not be there. Causes of errors are included. */
  text(): string;
}

/** A logger that records. */
export function createRecordingLogger(): RecordingLogger {
  const lines: RecordedLine[] = [];
  return {
    ...loggerInto(lines, {}),
    lines,
    withEvent: (event) => lines.filter((line) => line.fields['event'] === event),
    text: () => lines.map((line) => `${line.level} ${line.message ?? ''} ${print(line.fields)}`).join('\n'),
  };
}

function loggerInto(lines: RecordedLine[], bound: LogFields): Logger {
  const write =
    (level: LogLevel) =>
    (fields: LogFields, message?: string): void => {
      lines.push({ level, fields: { ...bound, ...fields }, message });
    };
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => loggerInto(lines, { ...bound, ...fields }),
  };
}

function print(fields: LogFields): string {
  return JSON.stringify(fields, (_, value: unknown) => {
    if (typeof value === 'bigint') return value.toString();
    if (!(value instanceof Error)) return value;
    return Object.fromEntries(
      Object.getOwnPropertyNames(value).map((name) => [name, Reflect.get(value, name)]),
    );
  });
}
