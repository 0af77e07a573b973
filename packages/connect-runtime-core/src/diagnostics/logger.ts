/** Fields of a log line. Values are data, never parts of the message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where log lines go: any pino-shaped logger fits. Fields come first, the message second. */
export interface Logger {
  debug(fields: LogFields, message?: string): void;
  info(fields: LogFields, message?: string): void;
  warn(fields: LogFields, message?: string): void;
  error(fields: LogFields, message?: string): void;
  /** A logger that adds these fields to every line. */
  child(fields: LogFields): Logger;
}

/** The methods of a logger that write a line. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Says nothing: the default of library use. */
export const silentLogger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => silentLogger,
};

function ignore(): void {
  // a silent logger has nothing to do
}
