import type { ExitCode } from './exit-codes.ts';

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
