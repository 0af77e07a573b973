/** A failure that a person can do something about. It is printed as one line, with the next command to try. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(exitCode: ExitCode, message: string, hint?: string) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** The end of a command that has printed all there is to say. */
export class CommandExit extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super(`ends with ${exitCode}`);
    this.name = 'CommandExit';
    this.exitCode = exitCode;
  }
}

/** Exit codes, the same for every subcommand. */
export const exitCodes = {
  success: 0,
  /** Problems in what was given: invalid configuration, unknown connector. */
  problems: 1,
  /** Wrong usage: unknown flag, missing argument. */
  usage: 2,
  /** Differences were found, by a command that looks for them. */
  differences: 3,
  /** A worker, a broker or a folder could not be reached. */
  unreachable: 4,
  /** Refused for safety: it would delete more than was clearly asked for. */
  refused: 5,
  /** A project is valid, but a job that it asks for cannot be written. */
  incomplete: 6,
  /** An error of ours. */
  internal: 70,
  /** Interrupted before the end. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
